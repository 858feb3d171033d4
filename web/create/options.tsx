import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { Choice } from '../shell/choice.tsx';
import {
  asksFirst,
  type Draft,
  EXPIRIES,
  type Expiry,
  toDateField,
  VIEW_LIMITS,
  type ViewLimit,
} from './draft.ts';
import { type Field, FieldError, type FormFault, faultOf } from './field-error.tsx';
import { PasswordField } from './password-field.tsx';

const EXPIRY_LABELS = {
  NEVER: 'expiry.never',
  HOUR: 'expiry.hour',
  DAY: 'expiry.day',
  WEEK: 'expiry.week',
  DATE: 'expiry.date',
} as const satisfies Record<Expiry, MessageKey>;

const VIEWS_LABELS = {
  UNLIMITED: 'views.unlimited',
  ONCE: 'views.once',
  TIMES: 'views.times',
} as const satisfies Record<ViewLimit, MessageKey>;

/** How long, how often, and by whom the link may be opened. */
export function Options({
  draft,
  faultAt,
  onChange: change,
}: {
  draft: Draft;
  faultAt(...fields: Field[]): FormFault | undefined;
  onChange(changed: Partial<Draft>): void;
}) {
  const { t } = useI18n();
  return (
    <>
      <Choice
        legend={t('expiry')}
        name="expiry"
        values={EXPIRIES}
        value={draft.expiry}
        labelOf={(expiry) => t(EXPIRY_LABELS[expiry])}
        onChoose={(expiry) => change({ expiry })}
      >
        {draft.expiry === 'DATE' && (
          <input
            type="datetime-local"
            aria-label={t('expiry.dateField')}
            min={toDateField(Date.now())}
            max="9999-12-31T23:59"
            value={draft.expiryDate}
            onInput={({ currentTarget: { value } }) => change({ expiryDate: value })}
            {...faultOf('expiry-error', faultAt('expiresAt'))}
          />
        )}
        <FieldError id="expiry-error" fault={faultAt('expiresAt')} />
      </Choice>
      <Choice
        legend={t('views')}
        name="views"
        values={VIEW_LIMITS}
        value={draft.views}
        labelOf={(views) => t(VIEWS_LABELS[views])}
        onChoose={(views) => change({ views })}
      >
        {draft.views === 'TIMES' && (
          <label class="times">
            <input
              type="text"
              inputMode="numeric"
              autoComplete="off"
              value={draft.times}
              onInput={({ currentTarget: { value } }) => change({ times: value })}
              {...faultOf('views-error', faultAt('maxViews'))}
            />
            {t('views.timesField')}
          </label>
        )}
        <FieldError id="views-error" fault={faultAt('maxViews')} />
      </Choice>
      <PasswordField
        password={draft.password}
        fault={faultAt('password')}
        onChange={(password) => change({ password })}
      />
      <div class="option">
        <span class="option-label" aria-hidden="true" />
        <label class="check option-body">
          <input
            type="checkbox"
            checked={asksFirst(draft)}
            onChange={({ currentTarget: { checked } }) => change({ confirm: checked })}
          />
          <span>
            {t('confirm')}
            <small class="soft">{t('confirm.hint')}</small>
          </span>
        </label>
      </div>
    </>
  );
}
