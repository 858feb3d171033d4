import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../form/field.tsx';
import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { FormAlert } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { brandName } from '../service/brand.ts';
import type { Scope } from '../service/contract.ts';
import {
  addPerson,
  changePerson,
  listTeams,
  mailPasswordLink,
  type PasswordLink,
  type Person,
  type PersonChange,
  renewPasswordLink,
  type ScopeSource,
} from '../service/people.ts';
import { AccessSetting } from '../shell/access-setting.tsx';
import { Check, Checks } from '../shell/choice.tsx';
import { useSession } from '../shell/session.tsx';
import { useList } from '../shell/use-list.ts';
import { MayChecks, reasonText, SCOPES } from './may.tsx';
import type { PeopleTranslate } from './people-texts/en.ts';
import { usePeopleTexts } from './people-texts.ts';
import { SecretOnce } from './secret-once.tsx';

type Draft = Pick<Person, 'scopes' | 'teams' | 'isEmergency'> & { email: string; displayName?: string };

type AddProps = { onSaved(): void; onClose(): void };

/** Adds a person, and shows the link with which the person sets a password. */
export function AddPersonDialog({ onSaved, onClose }: AddProps) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const [name, setName] = useState('');
  const [draft, setDraft] = useState<Draft>({ email: '', scopes: ['create'], teams: [], isEmergency: false });
  const [added, setAdded] = useState<{ person: Person; link: PasswordLink }>();
  const { form, send } = useSend(name);
  if (added) return <LinkOnce {...added} onClose={onClose} />;
  const add = async (): Promise<void> => {
    const { email, ...given } = draft;
    const saved = await send(addPerson({ name: name.trim(), ...given, ...(email !== '' && { email }) }));
    if (!saved) return;
    setAdded({ person: saved.person, link: saved.passwordLink });
    onSaved();
  };
  return (
    <FormDialog
      title={t('people.add')}
      action={t('people.add')}
      onSubmit={() => void add()}
      onClose={onClose}
      {...form}
    >
      <p>{peopleT('people.addText')}</p>
      <PersonFields draft={draft} onChange={setDraft}>
        <Field
          kind="verbatim"
          name="person-name"
          label={t('signIn.name')}
          hint={peopleT('people.nameHint')}
          value={name}
          onInput={setName}
        />
      </PersonFields>
      <OpenAccess />
    </FormDialog>
  );
}

type ChangeProps = { person: Person; onSaved(text: string): void; onClose(): void };

/** Changes a person. */
export function ChangePersonDialog({ person, onSaved, onClose }: ChangeProps) {
  const peopleT = usePeopleTexts();
  const { name, displayName, email, teams, isEmergency } = person;
  const given = scopesFrom(person, 'ADMINISTRATOR');
  const ofGroups = scopesFrom(person, 'GROUP');
  const former = { displayName, email: email ?? '', scopes: given, teams, isEmergency };
  const [draft, setDraft] = useState<Draft>(former);
  const { form, send } = useSend(draft.displayName);
  const reasonOf = (scope: Scope): string | undefined => {
    const source = person.scopeSources.find((each) => each.scope === scope && each.from === 'GROUP');
    return source && reasonText(source, peopleT, 'may.fromGroup');
  };
  const save = async (): Promise<void> => {
    const change = toChange(former, draft);
    if (Object.keys(change).length > 0 && !(await send(changePerson(name, change)))) return;
    onSaved(peopleT('people.changed', { name: draft.displayName ?? displayName }));
    onClose();
  };
  return (
    <FormDialog
      title={peopleT('people.changeTitle', { name: displayName })}
      action={peopleT('people.save')}
      onSubmit={() => void save()}
      onClose={onClose}
      {...form}
    >
      <PersonFields
        draft={{ ...draft, scopes: [...draft.scopes, ...ofGroups] }}
        reasonOf={reasonOf}
        onChange={(changed) =>
          setDraft({
            ...changed,
            scopes: changed.scopes.filter((scope) => !ofGroups.includes(scope) || given.includes(scope)),
          })
        }
      >
        <Field
          kind="verbatim"
          name="person-display-name"
          label={peopleT('people.displayName')}
          hint={peopleT('people.signInName', { name })}
          value={draft.displayName ?? ''}
          onInput={(displayName) => setDraft({ ...draft, displayName })}
        />
      </PersonFields>
    </FormDialog>
  );
}

function scopesFrom({ scopeSources }: Person, from: ScopeSource['from']): Scope[] {
  return scopeSources.filter((source) => source.from === from).map(({ scope }) => scope);
}

/** Returns what differs: an address that is sent counts as checked by the administrator. */
function toChange(former: Draft, draft: Draft): PersonChange {
  const [before, after] = [former, draft].map((each) => ({
    ...each,
    displayName: each.displayName?.trim(),
    email: each.email.trim() || null,
  }));
  const changed = Object.entries(after ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before?.[name as keyof Draft]), // its own keys
  );
  return Object.fromEntries(changed);
}

type FieldProps = {
  draft: Draft;
  reasonOf?: (scope: Scope) => string | undefined;
  onChange(draft: Draft): void;
  /** The fields before the address. */
  children?: ComponentChildren;
};

function PersonFields({ draft, reasonOf, onChange, children }: FieldProps) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const { settings } = useSession();
  const hasProvider = settings?.access.hasProvider ?? false;
  const emailHint = [
    peopleT('people.emailHint'),
    settings?.notify.invitations && peopleT('people.emailMailed'),
  ];
  const { items: teams = [] } = useList(listTeams);
  return (
    <>
      <div class="person-texts">
        {children}
        <Field
          kind="verbatim"
          name="person-email"
          label={t('people.email')}
          hint={emailHint.filter(Boolean).join(' ')}
          value={draft.email}
          onInput={(email) => onChange({ ...draft, email })}
        />
      </div>
      <MayChecks
        offered={SCOPES}
        scopes={draft.scopes}
        {...(reasonOf && { reasonOf })}
        onChange={(scopes) => onChange({ ...draft, scopes })}
      />
      <Checks
        legend={t('teams.title')}
        values={teams.map(({ name }) => name)}
        chosen={draft.teams}
        checkOf={(label) => ({ label })}
        onChange={(chosen) => onChange({ ...draft, teams: chosen })}
      />
      {hasProvider && (
        <Check
          label={peopleT('people.emergency')}
          hint={peopleT('people.emergencyHint')}
          isChecked={draft.isEmergency}
          onCheck={(isEmergency) => onChange({ ...draft, isEmergency })}
        />
      )}
    </>
  );
}

/** Says that others need no account yet, and what ends that. */
function OpenAccess() {
  const { t } = useI18n();
  if (useSession().settings?.access.mode !== 'open') return null;
  return (
    <p class="problem-note">
      <AccessSetting /> {t('open.why')}
    </p>
  );
}

/** Makes a new link for a password, after a question: the former one ends. */
export function PasswordLinkDialog({ person, onClose }: { person: Person; onClose(): void }) {
  const isInvited = person.state === 'INVITED';
  const peopleT = usePeopleTexts();
  const [link, setLink] = useState<PasswordLink>();
  const { form, send } = useSend();
  if (link) return <LinkOnce {...{ person, link, onClose }} />;
  return (
    <FormDialog
      title={titleOf(person, peopleT)}
      action={peopleT(isInvited ? 'people.newInvitation' : 'people.newLink')}
      onSubmit={() => void send(renewPasswordLink(person.name)).then(setLink)}
      onClose={onClose}
      {...form}
    >
      <p>{peopleT(isInvited ? 'people.newInvitationText' : 'people.newLinkText')}</p>
    </FormDialog>
  );
}

const titleOf = ({ state, displayName: name }: Person, peopleT: PeopleTranslate): string =>
  peopleT(state === 'INVITED' ? 'people.invitationFor' : 'people.linkFor', { name });

/** Returns the name with which a person signs in: as it is shown, if only the case differs. */
const signInNameOf = ({ name, displayName }: Person): string =>
  displayName.toLowerCase() === name ? displayName : name;

type LinkProps = { person: Person; link: PasswordLink; onClose(): void };

function LinkOnce({ person, link, onClose }: LinkProps) {
  const { format } = useI18n();
  const peopleT = usePeopleTexts();
  const isInvited = person.state === 'INVITED';
  const mayMail = useSession().settings?.notify.invitations === true && person.email !== null;
  const { url } = link;
  const end = new Date(link.expiresAt);
  const texts = { service: brandName(), url, name: signInNameOf(person), time: format.zonedTime(end) };
  return (
    <SecretOnce
      title={titleOf(person, peopleT)}
      secret={url}
      copyLabel={peopleT(isInvited ? 'people.copyInvitation' : 'people.copyLink')}
      note={peopleT('people.linkNote', { name: person.displayName, time: format.shortDateTime(end) })}
      message={peopleT('people.message', texts)}
      {...(mayMail && { sendIn: (onSent) => <MailInvitation {...{ person, url, onSent }} /> })}
      onClose={onClose}
    />
  );
}

type MailProps = { person: Person; url: string; onSent(): void };

/** Mails the link to the address of the person. */
function MailInvitation({ person, url, onSent }: MailProps) {
  const peopleT = usePeopleTexts();
  const { form, send } = useSend();
  const [isMailed, setMailed] = useState(false);
  const mail = async (): Promise<void> => {
    // A response without content has the value undefined.
    const outcome = await mailPasswordLink(person.name, new URL(url).hash.slice(1));
    await send(Promise.resolve(outcome));
    if (outcome.kind !== 'DONE') return;
    setMailed(true);
    onSent();
  };
  return (
    <>
      {!isMailed && (
        <button type="button" class="button" disabled={form.isPending} onClick={() => void mail()}>
          {peopleT(person.state === 'INVITED' ? 'people.mailInvitation' : 'people.mailLink')}
        </button>
      )}
      <span class="break" role="status">
        {isMailed && peopleT('people.mailed', { address: person.email ?? '' })}
      </span>
      {form.error && <FormAlert error={form.error} />}
    </>
  );
}
