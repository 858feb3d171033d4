import './people.css';
import { useEffect, useState } from 'preact/hooks';
import { Field } from '../form/field.tsx';
import { useSend } from '../form/form-dialog.tsx';
import { FormAlert } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import {
  changeDisplayName,
  endSession,
  findPasswordLinkOwner,
  listSessions,
  type PasswordLinkOwner,
  type Session,
} from '../service/account.ts';
import { saveKey } from '../service/api-key.ts';
import type { Caller, Scope } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';
import { isRenamed } from '../service/provider-check.ts';
import { fetchSettings, serviceUrl } from '../service/requests.ts';
import { lazy } from '../shell/lazy.tsx';
import { LazySignIn } from '../shell/lazy-sign-in.tsx';
import { Missing } from '../shell/missing.tsx';
import type { NewPassword } from '../shell/person-sign-in.tsx';
import { toProgramText } from '../shell/program.ts';
import { useSession } from '../shell/session.tsx';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import { useList } from '../shell/use-list.ts';
import { KeysSection } from './keys-section.tsx';
import { MAY_TEXTS, reasonText, SCOPES } from './may.tsx';
import { PeopleTexts, usePeopleTexts } from './people-texts.ts';

/** A key has no password. */
const LazyNewPassword = lazy<Parameters<typeof NewPassword>[0]>(
  async () => (await import('../shell/person-sign-in.tsx')).NewPassword,
);

const LazyOwnSpace = lazy(async () => (await import('./space.tsx')).OwnSpace);

/** Sets the first password of a person, or a new one after a reset, and goes on to the page for a first link. */
export function SetPasswordPage({ token }: { token: string }) {
  const { t } = useI18n();
  useDocumentTitle(t('account.setPassword'));
  const [owner, setOwner] = useState<Outcome<PasswordLinkOwner>>();
  useEffect(() => void findPasswordLinkOwner(token).then(setOwner), [token]);
  if (owner === undefined) return null;
  if (owner.kind === 'REFUSED' && owner.code === 'PASSWORD_LINK_ENDED') return <EndedLink />;
  const goOn = async (): Promise<void> => {
    saveKey(null); // one of this tab would come before the session
    const outcome = await fetchSettings(null);
    const mayCreate =
      outcome.kind === 'DONE' &&
      outcome.value.pages.includes('create') &&
      outcome.value.access.caller?.scopes.includes('create');
    location.replace(serviceUrl(mayCreate ? '?welcome' : 'account').href);
  };
  return (
    <LazyNewPassword token={token} onDone={goOn} {...(owner.kind === 'DONE' && { owner: owner.value })} />
  );
}

/** Stands in the place of the form of a link that was used or has expired: most users of it have a password already. */
function EndedLink() {
  const { t } = useI18n();
  const { caller } = useSession();
  return (
    <Missing title={t('account.setPassword')} text={t('account.linkEnded')}>
      {caller && (
        <p>
          {t('signIn.as')} <strong>{caller.displayName ?? caller.name}</strong>
        </p>
      )}
      {/* It leads a user who is signed in to the start page. */}
      <a class="button button-main" href={serviceUrl('sign-in').href}>
        {t(caller ? 'signIn.continue' : 'signIn')}
      </a>
    </Missing>
  );
}

/** The account of the user: name and rights, the sessions, the password, and the keys of programs. */
export function AccountPage() {
  const { t } = useI18n();
  useDocumentTitle(t('account.title'));
  const { caller } = useSession();
  // With open access users need not sign in, but only those who do have an account.
  if (caller === null) return <LazySignIn hasEnded={false} />;
  return (
    <PeopleTexts>
      <Account caller={caller} />
    </PeopleTexts>
  );
}

function Account({ caller }: { caller: Caller }) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const [changes, setChanges] = useState(0);
  return (
    <div class="column account">
      <h1>{t('account.title')}</h1>
      <About caller={caller} />
      {caller.hasSession && (
        <>
          <Sessions key={`sessions ${changes}`} />
          <LazyNewPassword key={`password ${changes}`} onDone={() => setChanges(changes + 1)} />
          <p role="status">{changes > 0 && peopleT('account.changed')}</p>
        </>
      )}
      {caller.scopes.includes('create') && <LazyOwnSpace />}
      <Permissions caller={caller} />
      {caller.kind === 'USER' && (
        <section>
          <KeysSection isAll={false} />
        </section>
      )}
    </div>
  );
}

/** The name, the address and the teams of the user. */
function About({ caller }: { caller: Caller }) {
  const peopleT = usePeopleTexts();
  const { name, displayName = name, email, teams, hasSession } = caller;
  return (
    <section class="card column card-wide sign-in">
      <h2>{displayName}</h2>
      {email && <p class="soft break">{email}</p>}
      {hasSession && email === null && (
        <p class="soft">
          {peopleT('account.noEmail')}{' '}
          {caller.scopes.includes('admin') ? (
            <a href={serviceUrl('people').href}>{peopleT('account.addEmail')}</a>
          ) : (
            peopleT('account.askEmail')
          )}
        </p>
      )}
      {isRenamed() && <p role="status">{peopleT('account.renamed', { name })}</p>}
      {teams.length > 0 && <p>{peopleT('account.teams', { teams: teams.join(', ') })}</p>}
      {hasSession && <DisplayName name={name} displayName={displayName} />}
    </section>
  );
}

/** Changes how the name of the user is shown. */
function DisplayName({ name, displayName }: { name: string; displayName: string }) {
  const peopleT = usePeopleTexts();
  const { reload } = useSession();
  const [typed, setTyped] = useState(displayName);
  const [isSaved, setSaved] = useState(false);
  const { form, send } = useSend(typed);
  const save = async (): Promise<void> => {
    setSaved(false);
    const outcome = await changeDisplayName(typed.trim());
    await send(Promise.resolve(outcome));
    if (outcome.kind !== 'DONE') return;
    setSaved(true);
    await reload();
  };
  return (
    <form
      class="column"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!form.isPending) void save();
      }}
    >
      <Field
        kind="verbatim"
        name="display-name"
        label={peopleT('people.displayName')}
        hint={peopleT('account.nameHint', { name })}
        value={typed}
        onInput={setTyped}
      />
      {form.error && <FormAlert error={form.error} />}
      <div class="row">
        <button type="submit" class="button" disabled={typed.trim() === displayName}>
          {peopleT('account.saveName')}
        </button>
        <span role="status">{isSaved && peopleT('account.nameSaved')}</span>
      </div>
    </form>
  );
}

/** What the user may do. */
function Permissions({ caller: { scopes, scopeSources } }: { caller: Caller }) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const groupOf = (scope: Scope) =>
    scopeSources.find((each) => each.scope === scope && each.from === 'GROUP');
  return (
    <section class="card column card-wide sign-in">
      <h2>{peopleT('account.may')}</h2>
      {scopes.length === 0 && <p>{peopleT('account.mayNothing')}</p>}
      <ul>
        {SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => {
          const [label, hint] = MAY_TEXTS[scope];
          const group = groupOf(scope);
          return (
            <li key={scope}>
              <strong>{t(label)}</strong>
              <span class="second-line">
                {peopleT(hint)} {group && reasonText(group, peopleT, 'account.fromGroup')}
              </span>
            </li>
          );
        })}
      </ul>
      {!scopes.includes('admin') && <p class="soft">{peopleT('account.askAdministrator')}</p>}
    </section>
  );
}

/** The browsers in which the person is signed in. */
function Sessions() {
  const { t, format } = useI18n();
  const peopleT = usePeopleTexts();
  const { signOut } = useSession();
  const { items: sessions = [], failure, reload } = useList(listSessions);
  if (failure) return <p role="alert">{t('error.unreachable')}</p>;
  const end = ({ id, isCurrent }: Session) => (isCurrent ? signOut() : endSession(id).then(reload));
  const endOthers = async () => {
    for (const { id, isCurrent } of sessions) if (!isCurrent) await endSession(id);
    await reload();
  };
  const used = (at: string): string => peopleT('account.used', { time: format.shortDateTime(new Date(at)) });
  return (
    <section class="card column card-wide sign-in">
      <h2>{peopleT('account.sessions')}</h2>
      <ul class="plain column">
        {sessions.map((session) => (
          <li key={session.id} class="row spread">
            <span>
              <strong>{toProgramText(session.userAgent, t) ?? t('source.unknown')}</strong>
              <span class="second-line">
                {session.isCurrent ? peopleT('account.here') : used(session.lastUsedAt)}
              </span>
            </span>
            <button type="button" class="button button-quiet" onClick={() => void end(session)}>
              {t('signIn.out')}
            </button>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <button type="button" class="button" onClick={() => void endOthers()}>
          {peopleT('account.endOthers')}
        </button>
      )}
    </section>
  );
}
