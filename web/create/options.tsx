import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CHEVRON } from '../../src/common/icons.ts';
import { errorAttributes, type Field, FieldError, type FormError } from '../form/form-error.tsx';
import { PasswordField } from '../form/password-field.tsx';
import { toDateField } from '../form/typed-values.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { Check, Choice } from '../shell/choice.tsx';
import { Icon } from '../shell/icon.tsx';
import { formatEnd, formatLifetime, isShorter } from '../shell/lifetime.ts';
import { useSession } from '../shell/session.tsx';
import { useMedia } from '../shell/use-browser.ts';
import {
  type Draft,
  EXPIRIES,
  EXPIRY_MS,
  type Expiry,
  isConfirmed,
  VIEW_LIMITS,
  type ViewLimit,
} from './draft.ts';
import { CodeField, HostField, MORE_FIELDS, MoreOptions, NotifyField } from './more-options.tsx';
import { TeamOption } from './team-option.tsx';

export const EXPIRY_LABELS = {
  NEVER: 'expiry.never',
  HOUR: 'expiry.hour',
  DAY: 'expiry.day',
  WEEK: 'expiry.week',
  DATE: 'expiry.date',
} as const satisfies Record<Expiry, MessageKey>;

export const VIEW_LIMIT_LABELS = {
  UNLIMITED: 'views.unlimited',
  ONCE: 'views.once',
  CUSTOM: 'views.custom',
} as const satisfies Record<ViewLimit, MessageKey>;

type Props = {
  draft: Draft;
  passwordNote?: ComponentChildren;
  errorOf(...fields: Field[]): FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

const OPTION_FIELDS = ['expiresAt', 'maxViews', 'password', 'notifyEmail', ...MORE_FIELDS] as const;

/** The restrictions of the link. On a phone they open with a button, so that the form fits the screen. */
export function Options(props: Props) {
  const { t } = useI18n();
  const isPasswordRequired = useSession().settings?.links.passwordRequired ?? false;
  const isNarrow = useMedia('(max-width: 40rem)');
  const [isOpen, setOpen] = useState(isPasswordRequired);
  const hasError = props.errorOf(...OPTION_FIELDS) !== undefined;
  const isOpened = hasError || Boolean(props.passwordNote);
  useEffect(() => {
    if (isOpened) setOpen(true);
  }, [isOpened]);
  const isShown = !isNarrow || isOpen || hasError;
  return (
    <>
      <CodeField {...props} />
      <HostField {...props} />
      {isNarrow && (
        <button
          type="button"
          class="button toggle options-toggle"
          aria-expanded={isShown}
          aria-controls="options"
          onClick={() => setOpen(!isShown)}
        >
          <span>
            {t('options')}
            <small class="soft">{[t('expiry'), t('views'), t('password')].join(', ')}</small>
          </span>
          <Icon path={CHEVRON} />
        </button>
      )}
      <div id="options" class="column options" hidden={!isShown}>
        <OptionFields {...props} isPasswordRequired={isPasswordRequired} />
      </div>
    </>
  );
}

function OptionFields(props: Props & { isPasswordRequired: boolean }) {
  const { draft, isPasswordRequired, errorOf, onChange } = props;
  return (
    <>
      <ExpiryOption {...props} />
      <ViewLimitOption {...props} />
      <PasswordField
        password={draft.password}
        isRequired={isPasswordRequired}
        note={props.passwordNote}
        error={errorOf('password')}
        onChange={(password) => onChange({ password })}
      />
      {draft.source.kind !== 'REQUEST' && <ConfirmOption {...props} />}
      <TeamOption draft={draft} onChange={onChange} />
      <NotifyField {...props} />
      <MoreOptions {...props} />
    </>
  );
}

function ExpiryOption({ draft, errorOf, onChange }: Props) {
  const { t, format } = useI18n();
  const { maxTtl = null, defaultTtl = null } = useSession().settings?.links ?? {};
  const isAllowed = (expiry: Expiry): boolean =>
    maxTtl === null || expiry === 'NEVER' || expiry === 'DATE' || isShorter(EXPIRY_MS[expiry], maxTtl);
  const error = errorOf('expiresAt');
  return (
    <Choice
      legend={t('expiry')}
      name="expiry"
      values={EXPIRIES.filter(isAllowed)}
      value={draft.expiry}
      labelOf={(expiry) =>
        expiry === 'NEVER' && defaultTtl ? formatEnd(defaultTtl, format) : t(EXPIRY_LABELS[expiry])
      }
      onChoose={(expiry) => onChange({ expiry })}
      errorId={error && draft.expiry !== 'DATE' ? 'expiry-error' : undefined}
    >
      {draft.expiry === 'DATE' && (
        <input
          type="datetime-local"
          aria-label={t('expiry.date')}
          min={toDateField(Date.now())}
          max="9999-12-31T23:59"
          value={draft.expiryDate}
          onInput={({ currentTarget: { value } }) => onChange({ expiryDate: value })}
          {...errorAttributes('expiry-error', error)}
        />
      )}
      {draft.expiry === 'DATE' && (
        <small class="option-hint soft">{t('times.zone', { zone: format.timeZone })}</small>
      )}
      {maxTtl && <small class="soft">{t('expiry.limit', { time: formatLifetime(maxTtl, format) })}</small>}
      <FieldError id="expiry-error" error={error} />
    </Choice>
  );
}

function ViewLimitOption({ draft, errorOf, onChange }: Props) {
  const { t } = useI18n();
  const maxViews = useSession().settings?.links?.maxViews ?? null;
  const error = errorOf('maxViews');
  return (
    <Choice
      legend={t('views')}
      name="views"
      values={VIEW_LIMITS}
      value={draft.viewLimit}
      labelOf={(viewLimit) =>
        viewLimit === 'UNLIMITED' && maxViews !== null
          ? t('views.limit', { count: maxViews })
          : t(VIEW_LIMIT_LABELS[viewLimit])
      }
      onChoose={(viewLimit) => onChange({ viewLimit })}
      errorId={error && draft.viewLimit !== 'CUSTOM' ? 'views-error' : undefined}
    >
      {draft.viewLimit === 'CUSTOM' && (
        <label class="times">
          <input
            type="text"
            inputMode="numeric"
            autoComplete="off"
            value={draft.maxViews}
            onInput={({ currentTarget: { value } }) => onChange({ maxViews: value })}
            {...errorAttributes('views-error', error)}
          />
          {t('views.field', { count: Number(draft.maxViews) })}
        </label>
      )}
      <FieldError id="views-error" error={error} />
    </Choice>
  );
}

function ConfirmOption({ draft, onChange }: Props) {
  const { t } = useI18n();
  return (
    <div class="option">
      <span class="option-label" aria-hidden="true" />
      <Check
        class="option-body"
        label={t('confirm')}
        hint={t('confirm.hint')}
        isChecked={isConfirmed(draft)}
        onCheck={(confirm) => onChange({ confirm })}
      />
    </div>
  );
}
