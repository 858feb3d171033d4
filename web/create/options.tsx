import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { LazyTooFewViews } from '../actions/lazy-too-few-views.tsx';
import { errorAttributes, type Field, FieldError, type FormError } from '../form/form-error.tsx';
import { PasswordField } from '../form/password-field.tsx';
import type { FieldTerm } from '../form/term-fields.ts';
import { toDateField } from '../form/typed-values.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { Choice } from '../shell/choice.tsx';
import { formatEnd, formatLifetime, isShorter } from '../shell/lifetime.ts';
import { useSession } from '../shell/session.tsx';
import {
  type Draft,
  EXPIRIES,
  EXPIRY_MS,
  type Expiry,
  expiryOf,
  hasTerm,
  VIEW_LIMITS,
  type ViewLimit,
} from './draft.ts';
import { LazyRestrictionNote } from './lazy-restriction-note.tsx';
import { DeveloperOptions, MoreOptions, NotifyField, TermFields } from './more-options.tsx';

export const EXPIRY_LABELS = {
  NEVER: 'expiry.never',
  HOUR: 'expiry.hour',
  DAY: 'expiry.day',
  WEEK: 'expiry.week',
  DATE: 'expiry.date',
} as const satisfies Record<Expiry, MessageKey>;

const VIEW_LIMIT_LABELS = {
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

/** The restrictions of the link: those that most links need, and the rarer ones, which are closed. */
export function Options(props: Props) {
  const { draft, errorOf, onChange } = props;
  // The label that another page or app has given is not hidden.
  const [shown] = useState<FieldTerm[]>(() => (draft.label === '' ? ['recipient'] : ['label', 'recipient']));
  // Who is asked for files wants to know by whom.
  const asked: FieldTerm[] = draft.source.kind === 'REQUEST' ? ['senderName'] : [];
  const { links, notify } = useSession().settings ?? {};
  const isPasswordRequired = links?.passwordRequired ?? false;
  const mayRestrict = hasTerm(draft.source, 'verifiedRecipients');
  // What a duplicate has from its link is not hidden.
  const isOffered = mayRestrict && (notify?.verifiedRecipients === true || draft.verifiedRecipients !== '');
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
      {isOffered && <TermFields names={['verifiedRecipients']} {...props} />}
      {/* Below the password, which its note would push out of view. */}
      <TermFields names={shown} {...props} />
      {mayRestrict && draft.recipient.includes('@') && (
        <LazyRestrictionNote kind="NOTE" draft={draft} isOffered={isOffered} onChange={onChange} />
      )}
      <TermFields names={asked} {...props} />
      <NotifyField {...props} />
      <MoreOptions shown={[...shown, ...asked]} {...props} />
      <DeveloperOptions {...props} />
    </>
  );
}

function ExpiryOption({ draft, errorOf, onChange }: Props) {
  const { t, format } = useI18n();
  const { maxTtl = null, defaultTtl = null } = useSession().settings?.links ?? {};
  const isAllowed = (expiry: Expiry): boolean =>
    maxTtl === null || expiry === 'NEVER' || expiry === 'DATE' || isShorter(EXPIRY_MS[expiry], maxTtl);
  const error = errorOf('expiresAt');
  const expiry = expiryOf(draft, defaultTtl !== null);
  return (
    <Choice
      legend={t('expiry')}
      name="expiry"
      values={EXPIRIES.filter(isAllowed)}
      value={expiry}
      labelOf={(expiry) =>
        expiry === 'NEVER' && defaultTtl ? formatEnd(defaultTtl, format) : t(EXPIRY_LABELS[expiry])
      }
      onChoose={(expiry) => onChange({ expiry })}
      errorId={error && expiry !== 'DATE' ? 'expiry-error' : undefined}
    >
      {expiry === 'DATE' && (
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
      {expiry === 'DATE' && (
        <small class="option-hint soft">{t('times.zone', { zone: format.timeZone })}</small>
      )}
      {/* Before another kind is chosen: the forms of the others are taller. */}
      {draft.expiry === null && draft.source.kind === 'URL' && defaultTtl === null && isAllowed('WEEK') && (
        <small class="option-hint soft">{t('expiry.suggested')}</small>
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
  const limit = { UNLIMITED: maxViews, ONCE: 1, CUSTOM: Number(draft.maxViews) }[draft.viewLimit];
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
      {limit && draft.verifiedRecipients.includes('@') && hasTerm(draft.source, 'verifiedRecipients') ? (
        <LazyTooFewViews verifiedRecipients={draft.verifiedRecipients} maxViews={limit} />
      ) : null}
      <FieldError id="views-error" error={error} />
    </Choice>
  );
}
