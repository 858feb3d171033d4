import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { canHave, termOf } from '../../src/core/model/terms.ts';
import { Field } from '../form/field.tsx';
import type { Field as FieldName, FormError } from '../form/form-error.tsx';
import { type FieldTerm, FLAGS, hintKeyOf, inputKindOf, TYPED_TERMS } from '../form/term-fields.ts';
import { startHint } from '../form/typed-values.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { Choice } from '../shell/choice.tsx';
import { lazy } from '../shell/lazy.tsx';
import { useSession } from '../shell/session.tsx';
import { CheckOption } from './check-option.tsx';
import type { ContentOptions as OptionsOfContent } from './content-options.tsx';
import { type Draft, hasTerm, isConfirmed } from './draft.ts';
import type { RecipientKey as KeyField } from './recipient-key.tsx';
import { TeamOption } from './team-option.tsx';
import { UtmFields } from './utm-fields.tsx';

const RecipientKey = lazy<Parameters<typeof KeyField>[0]>(
  async () => (await import('./recipient-key.tsx')).RecipientKey,
);

const ContentOptions = lazy<Parameters<typeof OptionsOfContent>[0]>(
  async () => (await import('./content-options.tsx')).ContentOptions,
);

const NoAddress = lazy(async () => (await import('./no-address.tsx')).NoAddress);

type TypedField = FieldTerm | 'startsAt' | 'customCode';
type Props = {
  draft: Draft;
  errorOf(...fields: FieldName[]): FormError | undefined;
  onChange(changed: Partial<Draft>): void;
};

const isForDevelopers = (name: FieldTerm): boolean => ['url', 'receiver'].includes(termOf(name).kind);
const DEVELOPER_TERMS = TYPED_TERMS.filter(isForDevelopers);
const MORE_TERMS = TYPED_TERMS.filter(
  (name) => !['recipient', 'verifiedRecipients', 'notifyEmail'].includes(name) && !isForDevelopers(name),
);

const isOfUrls = (name: FieldTerm): boolean => !canHave('DOWNLOAD', name);
const URL_FLAGS = FLAGS.filter(isOfUrls);
const MORE_FLAGS = FLAGS.filter((name) => !isOfUrls(name));

/**
 * The rarer options: encryption, the code, the confirmation, labels and a start. `shown`: the terms that the form shows already.
 * What is encrypted is seen also while they are closed.
 */
export function MoreOptions({ shown, ...props }: Props & { shown: readonly FieldTerm[] }) {
  const { t } = useI18n();
  const terms = MORE_TERMS.filter((name) => !shown.includes(name));
  const { encrypt, source } = props.draft;
  const hasContent = source.kind === 'FILES' || source.kind === 'TEXT';
  const title = hasContent && encrypt ? `${t('more')}: ${t('encrypt')}` : t('more');
  return (
    <Section title={title} fields={['customCode', ...terms, 'startsAt']} {...props}>
      {hasContent && <ContentOptions draft={props.draft} onChange={props.onChange} />}
      <CodeField {...props} />
      <HostField {...props} />
      {source.kind !== 'REQUEST' && <ConfirmOption {...props} />}
      <TermFields names={terms} {...props} />
      <FlagOptions names={MORE_FLAGS} {...props} />
      <TeamOption draft={props.draft} onChange={props.onChange} />
      <StartField {...props} />
      <UtmFields {...props} />
    </Section>
  );
}

/** What programs and other sites need: a key, a webhook, as far as the service allows it, and how visitors go on. */
export function DeveloperOptions(props: Props) {
  const { t } = useI18n();
  const { notify, upload } = useSession().settings ?? {};
  const { source } = props.draft;
  return (
    <Section title={t('developers')} fields={['recipientKey', ...DEVELOPER_TERMS]} {...props}>
      {source.kind === 'REQUEST' && !upload?.scanRequired && (
        <RecipientKey source={source} error={props.errorOf('recipientKey')} onChange={props.onChange} />
      )}
      <TermFields names={DEVELOPER_TERMS.filter((name) => name !== 'notifyUrl' || notify?.url)} {...props} />
      <FlagOptions names={URL_FLAGS} {...props} />
    </Section>
  );
}

type SectionProps = Props & {
  title: string;
  fields: readonly FieldName[];
  children: ComponentChildren;
};

/** Options that are closed, unless one of them has an error. */
function Section({ title, fields, errorOf, children }: SectionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="more"
      open={isOpen || errorOf(...fields) !== undefined}
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
    >
      <summary>{title}</summary>
      <div class="column options">{children}</div>
    </details>
  );
}

/** Returns a function that returns what the field of a term needs. */
function toTermField(props: Props, t: Translate, hasAccount: boolean) {
  const field = toField(props);
  return (name: FieldTerm) => ({
    ...field(name),
    kind: inputKindOf(name) ?? 'text',
    label: t(name),
    hint: t(hintKeyOf(name, hasAccount)),
    placeholder: name === 'verifiedRecipients' ? t('verifiedRecipients.none') : undefined,
  });
}

/** Returns a function that returns what the field of a part needs besides its texts. */
function toField({ draft, errorOf, onChange }: Props) {
  return (name: TypedField) => ({
    name,
    value: String(draft[name]),
    error: errorOf(name),
    onInput: (value: string) => onChange({ [name]: value }),
  });
}

/** The fields of the terms that a link to the target can have. */
export function TermFields({ names, ...props }: Props & { names: readonly FieldTerm[] }) {
  const hasAccount = useSession().caller?.hasSession === true;
  const termField = toTermField(props, useI18n().t, hasAccount);
  const offered = names.filter((name) => hasTerm(props.draft.source, name));
  return offered.map((name) => <Field isBeside key={name} {...termField(name)} />);
}

/** The check boxes of the terms that a link to the target can have. */
function FlagOptions({ names, draft, onChange }: Props & { names: readonly FieldTerm[] }) {
  const { t } = useI18n();
  const offered = names.filter((name) => hasTerm(draft.source, name));
  return offered.map((name) => (
    <CheckOption
      key={name}
      label={t(name)}
      hint={t(`${name}.hint`)}
      isChecked={draft[name] === true}
      onCheck={(isChecked) => onChange({ [name]: isChecked })}
    />
  ));
}

function StartField(props: Props) {
  const { t, format } = useI18n();
  const hint = t(startHint(props.draft.startsAt, Date.now()));
  return (
    <Field
      isBeside
      {...toField(props)('startsAt')}
      kind="datetime-local"
      label={t('startsAt')}
      hint={`${hint}. ${t('times.zone', { zone: format.timeZone })}`}
    />
  );
}

function ConfirmOption({ draft, onChange }: Props) {
  const { t } = useI18n();
  return (
    <CheckOption
      label={t('confirm')}
      hint={t('confirm.hint')}
      isChecked={isConfirmed(draft)}
      onCheck={(confirm) => onChange({ confirm })}
    />
  );
}

/** The custom short code, if the service allows it. */
function CodeField(props: Props) {
  const { t } = useI18n();
  if (useSession().settings?.links.customCodes === false) return null;
  return (
    <Field isBeside {...toField(props)('customCode')} label={t('customCode')} hint={t('customCode.hint')} />
  );
}

/** The host name of the link's address, if the service has several. */
function HostField({ draft, onChange }: Props) {
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
  const { settings, caller } = useSession();
  const { email, verifiedRecipients: sendsMail } = settings?.notify ?? {};
  if (email) return <Field isBeside {...toTermField(props, t, caller?.hasSession === true)('notifyEmail')} />;
  return sendsMail && caller?.kind === 'USER' ? <NoAddress /> : null;
}
