import './people.css';
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { endSession, listSessions, type Session } from '../service/account.ts';
import { saveKey } from '../service/api-key.ts';
import type { Caller, Scope } from '../service/contract.ts';
import { isRenamed } from '../service/provider-check.ts';
import { serviceUrl } from '../service/requests.ts';
import { lazy } from '../shell/lazy.tsx';
import { LazySignIn } from '../shell/lazy-sign-in.tsx';
import type { NewPassword } from '../shell/person-sign-in.tsx';
import { useSession } from '../shell/session.tsx';
import { useList } from '../shell/use-list.ts';
import { KeysSection } from './keys-section.tsx';
import { MAY_TEXTS, reasonText, SCOPES } from './may.tsx';

/** A key has no password. */
const LazyNewPassword = lazy<Parameters<typeof NewPassword>[0]>(
  async () => (await import('../shell/person-sign-in.tsx')).NewPassword,
);

/** Sets the first password of a person, or a new one after a reset. */
export function SetPasswordPage({ token }: { token: string }) {
  const goOn = (): void => {
    saveKey(null); // one of this tab would come before the session
    location.replace(serviceUrl('account').href);
  };
  return <LazyNewPassword token={token} onDone={goOn} />;
}

/** The account of the user: what the user may do, the sessions and the password. */
export function AccountPage() {
  const { t } = useI18n();
  const { caller } = useSession();
  const [changes, setChanges] = useState(0);
  // With open access users need not sign in, but only those who do have an account.
  if (caller === null) return <LazySignIn hasEnded={false} />;
  return (
    <div class="column account">
      <h1>{t('account.title')}</h1>
      <May caller={caller} />
      {caller.kind === 'USER' && (
        <section>
          <KeysSection isAll={false} />
        </section>
      )}
      {caller.hasSession && (
        <>
          <Sessions key={`sessions ${changes}`} />
          <LazyNewPassword key={`password ${changes}`} onDone={() => setChanges(changes + 1)} />
          <p role="status">{changes > 0 && t('account.changed')}</p>
        </>
      )}
    </div>
  );
}

/** Explains what the user may do and why, and the teams of the user. */
function May({ caller }: { caller: Caller }) {
  const { t } = useI18n();
  const { scopes, scopeSources, teams } = caller;
  const sourceOf = (scope: Scope): string => {
    const source = scopeSources.find((each) => each.scope === scope);
    if (!source) return '';
    return source.from === 'GROUP'
      ? reasonText(source, t, 'account.fromGroup')
      : t('account.fromAdministrator');
  };
  return (
    <section class="card column card-wide sign-in">
      <h2>{t('account.may')}</h2>
      {isRenamed() && <p role="status">{t('account.renamed', { name: caller.name })}</p>}
      {scopes.length === 0 && <p>{t('account.mayNothing')}</p>}
      <ul>
        {SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => {
          const [label, hint] = MAY_TEXTS[scope];
          return (
            <li key={scope}>
              <strong>{t(label)}</strong>
              <span class="second-line">
                {t(hint)} {sourceOf(scope)}
              </span>
            </li>
          );
        })}
      </ul>
      <p>
        {teams.length > 0 && `${t('account.teams', { teams: teams.join(', ') })} `}
        {!scopes.includes('admin') && <span class="soft">{t('account.askAdministrator')}</span>}
      </p>
    </section>
  );
}

/** The browsers in which the person is signed in. */
function Sessions() {
  const { t, format } = useI18n();
  const { signOut } = useSession();
  const { items: sessions = [], failure, reload } = useList(listSessions);
  if (failure) return <p role="alert">{t('error.unreachable')}</p>;
  const end = ({ id, isCurrent }: Session) => (isCurrent ? signOut() : endSession(id).then(reload));
  const endOthers = async () => {
    for (const { id, isCurrent } of sessions) if (!isCurrent) await endSession(id);
    await reload();
  };
  return (
    <section class="card column card-wide sign-in">
      <h2>{t('account.sessions')}</h2>
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <strong>{session.isCurrent && t('account.here')}</strong> {session.userAgent},{' '}
            {t('account.used', { time: format.shortDateTime(new Date(session.lastUsedAt)) })}{' '}
            <button type="button" class="button button-quiet" onClick={() => void end(session)}>
              {t('signIn.out')}
            </button>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <button type="button" class="button" onClick={() => void endOthers()}>
          {t('account.endOthers')}
        </button>
      )}
    </section>
  );
}
