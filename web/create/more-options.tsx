import { useState } from 'preact/hooks';
import { Field } from '../form/field.tsx';
import type { Field as FieldName, FormError } from '../form/form-error.tsx';
import { type FieldTerm, inputKindOf, TYPED_TERMS, URL_FLAGS } from '../form/term-fields.ts';
import { startHint } from '../form/typed-values.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { Check, Choice } from '../shell/choice.tsx';
import { useSession } from '../shell/session.tsx';
import { type Draft, hasTerm } from './draft.ts';
import { UtmFields } from './utm-fields.tsx';

type Props = {
  draft: Draft;
  errorOf(...fields: FieldName[]): FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

const MORE_TERMS = TYPED_TERMS.filter((name) => name !== 'notifyEmail');
export const MORE_FIELDS = [...MORE_TERMS, 'startsAt'] as const;

/** The rare options: labels, a start and a webhook, as far as the service allows it. */
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
      <div class="column options">
        <MoreFields {...props} />
        <UtmFields {...props} />
      </div>
    </details>
  );
}

/** Returns a function that returns what the field of a term needs. */
function toTermField(props: Props, t: Translate) {
  const field = toField(props);
  return (name: FieldTerm) => ({
    ...field(name),
    kind: inputKindOf(name) ?? 'text',
    label: t(name),
    hint: t(`${name}.hint`),
  });
}

/** Returns a function that returns what the field of a part needs besides its texts. */
function toField({ draft, errorOf, onChange }: Props) {
  return (name: FieldTerm | 'startsAt' | 'customCode') => ({
    name,
    value: String(draft[name]),
    error: errorOf(name),
    onInput: (value: string) => onChange({ [name]: value }),
  });
}

function MoreFields(props: Props) {
  const { t, format } = useI18n();
  const { notify } = useSession().settings ?? {};
  const { draft, onChange } = props;
  const field = toField(props);
  const termField = toTermField(props, t);
  const offered = MORE_TERMS.filter(
    (name) => hasTerm(draft.source, name) && (name !== 'notifyUrl' || notify?.url),
  );
  return (
    <>
      {offered.map((name) => (
        <Field isBeside key={name} {...termField(name)} />
      ))}
      <Field
        isBeside
        {...field('startsAt')}
        kind="datetime-local"
        label={t('startsAt')}
        hint={`${t(startHint(draft.startsAt, Date.now()))}. ${t('times.zone', { zone: format.timeZone })}`}
      />
      {draft.source.kind === 'URL' &&
        URL_FLAGS.map((name) => (
          <div key={name} class="option">
            <span class="option-label" aria-hidden="true" />
            <Check
              class="option-body"
              label={t(name)}
              hint={t(`${name}.hint`)}
              isChecked={draft[name] === true}
              onCheck={(isChecked) => onChange({ [name]: isChecked })}
            />
          </div>
        ))}
    </>
  );
}

/** The custom short code, if the service allows it. */
export function CodeField(props: Props) {
  const { t } = useI18n();
  if (useSession().settings?.links.customCodes === false) return null;
  return (
    <Field isBeside {...toField(props)('customCode')} label={t('customCode')} hint={t('customCode.hint')} />
  );
}

/** The host name of the link's address, if the service has several. */
export function HostField({ draft, onChange }: Props) {
  const { t } = useI18n();
  const hosts = useSession().settings?.links.hosts ?? [];
  const [first = ''] = hosts;
  if (hosts.length < 2) return null;
  return (
    <Choice
      legend={t('host')}
      name="host"
      values={hosts}
      value={draft.host || first}
      labelOf={(host) => host}
      onChoose={(host) => onChange({ host })}
    />
  );
}

/** The address that gets mails about the link, if the service allows it to this user. */
export function NotifyField(props: Props) {
  const { t } = useI18n();
  if (!useSession().settings?.notify?.email) return null;
  return <Field isBeside {...toTermField(props, t)('notifyEmail')} />;
}
