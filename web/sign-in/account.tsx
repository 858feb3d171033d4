import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import { endOtherSessions, endSession, listSessions, type Session, setPassword } from '../service/account.ts';
import type { Scope } from '../service/contract.ts';
import { PersonForm } from '../shell/person-form.tsx';
import { useSession } from '../shell/session.tsx';

const MIN_PASSWORD_CHARACTERS = 12;

const SCOPE_TEXTS = {
  create: 'account.create',
  read: 'account.read',
  manage: 'account.manage',
  metrics: 'account.metrics',
} as const satisfies Record<Scope, MessageKey>;

type FormProps = { title: string; token?: string; level?: 'h2'; onDone(): void | Promise<void> };

/** The form for a new password, which needs the present one or the secret of a link. */
export function NewPasswordForm({ title, token, onDone, ...level }: FormProps) {
  const { t } = useI18n();
  const present = {
    name: 'password',
    label: t('account.present'),
    autoComplete: 'current-password',
  } as const;
  return (
    <PersonForm
      {...level}
      title={title}
      fields={[
        ...(token === undefined ? [present] : []),
        {
          ...{ name: 'newPassword', label: t('account.newPassword') },
          ...({ autoComplete: 'new-password', hint: t('account.hint') } as const),
        },
      ]}
      button={t('account.save')}
      errors={{
        PASSWORD_TOO_SHORT: t('account.tooShort'),
        PASSWORD_LINK_ENDED: t('account.linkEnded'),
        WRONG_NAME_OR_PASSWORD: t('account.wrong'),
        RATE_LIMITED: t('signIn.tooMany'),
        SIGN_IN_NEEDS_TLS: t('signIn.needsTls'),
      }}
      check={({ newPassword = '' }) =>
        [...newPassword].length < MIN_PASSWORD_CHARACTERS ? t('account.tooShort') : undefined
      }
      send={({ password = '', newPassword = '' }) =>
        setPassword(token === undefined ? { password, newPassword } : { token, newPassword })
      }
      onDone={() => void onDone()}
    />
  );
}

/** The account of the user: what the user may do, the password and the sessions. */
export function AccountPage() {
  const { t } = useI18n();
  const { caller } = useSession();
  const [changes, setChanges] = useState(0);
  if (caller === null) return null;
  return (
    <div class="account">
      <h1>{t('account.title')}</h1>
      <section class="card sign-in">
        <h2>{t('account.may')}</h2>
        <p class="soft">{caller.name}</p>
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
          <NewPasswordForm
            key={`password ${changes}`}
            level="h2"
            title={t('account.changePassword')}
            onDone={() => setChanges(changes + 1)}
          />
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
  return (
    <section class="card sign-in">
      <h2>{t('account.sessions')}</h2>
      <ul class="sessions">
        {sessions.map((session) => (
          <li key={session.id}>
            <span>
              {session.isCurrent && <strong>{t('account.here')} · </strong>}
              {session.userAgent ?? t('account.noAgent')}
              <span class="soft small">
                {' '}
                {t('account.used', { time: format.shortDateTime(new Date(session.lastUsedAt)) })}
              </span>
            </span>
            <button type="button" class="button button-quiet" onClick={() => void end(session)}>
              {t('signIn.out')}
            </button>
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <button type="button" class="button" onClick={() => void endOtherSessions().then(load)}>
          {t('account.endOthers')}
        </button>
      )}
    </section>
  );
}
