import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { PeopleTexts } from '../i18n/people-texts.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { endSession, listSessions, type Session } from '../service/account.ts';
import { saveKey } from '../service/api-key.ts';
import type { Scope } from '../service/contract.ts';
import { serviceUrl } from '../service/requests.ts';
import { NewPassword } from '../shell/person-sign-in.tsx';
import { useSession } from '../shell/session.tsx';

const SCOPE_TEXTS = {
  create: 'account.create',
  read: 'account.read',
  manage: 'account.manage',
  metrics: 'account.metrics',
  admin: 'account.admin',
} as const satisfies Record<Scope, MessageKey>;

/** Sets the first password of a person, or a new one after a reset. */
export function SetPasswordPage({ token }: { token: string }) {
  const goOn = (): void => {
    saveKey(null); // one of this tab would come before the session
    location.replace(serviceUrl('account').href);
  };
  return (
    <PeopleTexts>
      <NewPassword token={token} onDone={goOn} />
    </PeopleTexts>
  );
}

/** The account of the user: what the user may do, the sessions and the password. */
export const AccountPage = () => (
  <PeopleTexts>
    <Account />
  </PeopleTexts>
);

function Account() {
  const { t } = useI18n();
  const { caller } = useSession();
  const [changes, setChanges] = useState(0);
  if (caller === null) return null;
  return (
    <div class="account">
      <h1>{t('account.title')}</h1>
      <section class="card sign-in">
        <h2>{t('account.may')}</h2>
        {caller.scopes.length === 0 && <p>{t('account.mayNothing')}</p>}
        <ul>
          {caller.scopes.map((scope) => (
            <li key={scope}>{t(SCOPE_TEXTS[scope])}</li>
          ))}
        </ul>
      </section>
      {caller.hasSession && (
        <>
          <Sessions key={`sessions ${changes}`} />
          <NewPassword key={`password ${changes}`} onDone={() => setChanges(changes + 1)} />
          <p role="status">{changes > 0 && t('account.changed')}</p>
        </>
      )}
    </div>
  );
}

/** The browsers in which the person is signed in. */
function Sessions() {
  const { t, format } = useI18n();
  const { signOut } = useSession();
  const [sessions, setSessions] = useState<Session[] | 'FAILED'>([]);
  async function load(): Promise<void> {
    const outcome = await listSessions();
    setSessions(outcome.kind === 'DONE' ? outcome.value.items : 'FAILED');
  }
  useEffect(() => void load(), []);
  if (sessions === 'FAILED') return <p role="alert">{t('error.unreachable')}</p>;
  const end = ({ id, isCurrent }: Session) => (isCurrent ? signOut() : endSession(id).then(load));
  const endOthers = async () => {
    for (const { id, isCurrent } of sessions) if (!isCurrent) await endSession(id);
    await load();
  };
  return (
    <section class="card sign-in">
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
