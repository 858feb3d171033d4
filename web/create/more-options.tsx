import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { Check } from '../shell/choice.tsx';
import { useSession } from '../shell/session.tsx';
import { type Draft, FORWARDS, startHint } from './draft.ts';
import type { Field, FormError } from './form-error.tsx';
import { OptionField } from './text-field.tsx';

type Props = {
  draft: Draft;
  errorOf(...fields: Field[]): FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

export const MORE_FIELDS = [
  'label',
  'recipient',
  'tags',
  'note',
  'startsAt',
  'customCode',
  'notifyUrl',
  'fallbackUrl',
] as const;

/** The rare options: labels, a start, a custom short code and a webhook, as far as the service allows them. */
export function MoreOptions(props: Props) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="more"
      open={isOpen || props.errorOf(...MORE_FIELDS) !== undefined}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>{t('more')}</summary>
      <div class="options">
        <MoreFields {...props} />
      </div>
    </details>
  );
}

function MoreFields({ draft, errorOf, onChange }: Props) {
  const { t, format } = useI18n();
  const { links, notify } = useSession().settings ?? {};
  const field = (name: (typeof MORE_FIELDS)[number]) => ({
    name,
    value: draft[name],
    error: errorOf(name),
    onInput: (value: string) => onChange({ [name]: value }),
  });
  return (
    <>
      <OptionField {...field('label')} label={t('label')} hint={t('label.hint')} />
      <OptionField {...field('recipient')} label={t('recipient')} hint={t('recipient.hint')} />
      <OptionField {...field('tags')} label={t('tags')} hint={t('tags.hint')} />
      <OptionField {...field('note')} kind="lines" label={t('note')} hint={t('note.hint')} />
      <OptionField
        {...field('startsAt')}
        kind="datetime-local"
        label={t('startsAt')}
        hint={`${t(startHint(draft.startsAt, Date.now()))}. ${t('times.zone', { zone: format.timeZone })}`}
      />
      {(links?.customCodes ?? true) && (
        <OptionField {...field('customCode')} label={t('customCode')} hint={t('customCode.hint')} />
      )}
      {notify?.url && (
        <OptionField {...field('notifyUrl')} kind="url" label={t('notify.url')} hint={t('notify.urlHint')} />
      )}
      <OptionField {...field('fallbackUrl')} label={t('fallbackUrl')} hint={t('fallbackUrl.hint')} />
      {draft.source.kind === 'URL' &&
        FORWARDS.map(([name, hint]) => (
          <div key={name} class="option">
            <span class="option-label" aria-hidden="true" />
            <Check
              class="option-body"
              label={t(name)}
              hint={t(hint)}
              isChecked={draft[name]}
              onCheck={(isChecked) => onChange({ [name]: isChecked })}
            />
          </div>
        ))}
    </>
  );
}

/** The address that gets mails about the link, if the service allows it to this user. */
export function NotifyField({ draft, errorOf, onChange }: Props) {
  const { t } = useI18n();
  if (!useSession().settings?.notify?.email) return null;
  return (
    <OptionField
      name="notifyEmail"
      kind="email"
      label={t('notify')}
      hint={t('notify.hint')}
      value={draft.notifyEmail}
      error={errorOf('notifyEmail')}
      onInput={(notifyEmail) => onChange({ notifyEmail })}
    />
  );
}
