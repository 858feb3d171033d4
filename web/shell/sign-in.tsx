import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { signIn } from '../service/account.ts';
import { isHeaderText, saveKey } from '../service/api-key.ts';
import type { Scope, Settings } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';
import { fetchSettings, serviceUrl } from '../service/requests.ts';
import { type CredentialError, CredentialForm } from './credential-form.tsx';
import { PersonForm } from './person-form.tsx';
import { useSession } from './session.tsx';

type Props = {
  hasEnded: boolean;
  /** The scope that the page needs. */
  scope?: Scope;
};

/** The form with which a user signs in: a person with name and password, unless there are only API keys. */
export function SignIn({ hasEnded, scope }: Props) {
  const { t } = useI18n();
  const { settings } = useSession();
  const [wantsKey, setWantsKey] = useState(false);
  const toggle = (text: string) => (
    <button type="button" class="button button-quiet" onClick={() => setWantsKey(!wantsKey)}>
      {text}
    </button>
  );
  if (!settings?.access.hasPeople && !settings?.access.hasProvider)
    return <KeyForm hasEnded={hasEnded} {...(scope && { scope })} />;
  return wantsKey ? (
    <KeyForm hasEnded={false} {...(scope && { scope })}>
      {toggle(t('signIn.withName'))}
    </KeyForm>
  ) : (
    <PasswordForm hasEnded={hasEnded}>{toggle(t('signIn.withKey'))}</PasswordForm>
  );
}

function PasswordForm({ hasEnded, children }: Pick<Props, 'hasEnded'> & { children: ComponentChildren }) {
  const { t } = useI18n();
  const { reload } = useSession();
  const [staySignedIn, setStaySignedIn] = useState(false);
  const problem = useProblem();
  const { settings } = useSession();
  return (
    <PersonForm
      title={t('signIn')}
      fields={[
        { name: 'name', label: t('signIn.name'), autoComplete: 'username' },
        { name: 'password', label: t('signIn.password'), autoComplete: 'current-password' },
      ]}
      button={t('signIn')}
      errors={{
        WRONG_NAME_OR_PASSWORD: t('signIn.wrongPassword'),
        RATE_LIMITED: t('signIn.tooMany'),
        SIGN_IN_NEEDS_TLS: t('signIn.needsTls'),
      }}
      check={({ name, password }) => (name?.trim() && password ? undefined : t('signIn.missingPassword'))}
      send={({ name = '', password = '' }) => signIn({ name, password, staySignedIn })}
      onDone={() => {
        saveKey(null); // one of this tab would come before the session
        void reload();
      }}
      before={
        <>
          {(hasEnded || problem !== undefined) && (
            <p class="form-error" role="alert">
              {problem ?? t('signIn.sessionEnded')}
            </p>
          )}
          {settings?.access.hasProvider && (
            <a class="button" href={serviceUrl(`api/sign-in?to=${pageName()}&stay=${staySignedIn}`).href}>
              {t('signIn.provider')}
            </a>
          )}
        </>
      }
      options={
        <label class="check">
          <input
            type="checkbox"
            checked={staySignedIn}
            onChange={({ currentTarget: { checked } }) => setStaySignedIn(checked)}
          />
          {t('signIn.stay')}
        </label>
      }
    >
      {children}
      <p class="soft small">{t('signIn.forgotten')}</p>
    </PersonForm>
  );
}

/** Returns why the sign-in at the provider failed that led here. */
function useProblem(): string | undefined {
  const { t } = useI18n();
  const problem = new URLSearchParams(location.search).get('problem');
  if (problem === null) return undefined;
  const texts = new Map([
    ['expired', t('signIn.expired')],
    ['groups', t('signIn.groups')],
    ['deactivated', t('signIn.deactivated')],
    ['limited', t('signIn.tooMany')],
    ['tls', t('signIn.needsTls')],
  ]);
  return texts.get(problem) ?? t('signIn.failed');
}

/** Returns the name of the page to which a sign-in elsewhere leads back. */
function pageName(): string {
  const wanted = new URLSearchParams(location.search).get('to') ?? location.pathname;
  return /\b(links|dashboard|docs|account)\b/.exec(wanted)?.[1] ?? 'create';
}

function KeyForm({ hasEnded, scope, children }: Props & { children?: ComponentChildren }) {
  const { t } = useI18n();
  const { reload } = useSession();
  const signInWithKey = async (key: string): Promise<CredentialError | undefined> => {
    const error = await checkAndSave(key, t);
    if (!error) await reload();
    return error;
  };
  return (
    <CredentialForm
      title={t('signIn')}
      label={t('signIn.key')}
      hint={t('signIn.hint')}
      button={t('signIn')}
      missing={t('signIn.missing')}
      onSend={signInWithKey}
      footer={t('signIn.source')}
    >
      {scope && <p>{t('signIn.scope', { scope })}</p>}
      {hasEnded && (
        <p class="form-error" role="alert">
          {t('signIn.ended')}
        </p>
      )}
      {children}
    </CredentialForm>
  );
}

/** Saves a key that works. Returns what is wrong with another. */
export async function checkAndSave(key: string, t: Translate): Promise<CredentialError | undefined> {
  if (!isHeaderText(key)) return { text: t('signIn.wrong') };
  const error = findError(await fetchSettings(key), t);
  if (!error && !saveKey(key)) return { text: t('signIn.notStored') };
  return error;
}

function findError(outcome: Outcome<Settings>, t: Translate): CredentialError | undefined {
  if (outcome.kind === 'DONE') {
    return outcome.value.access.caller?.kind === 'KEY' ? undefined : { text: t('signIn.wrong') };
  }
  if (outcome.kind !== 'REFUSED') return { text: t('error.unreachable') };
  return outcome.status === 401 ? { text: t('signIn.wrong') } : { text: outcome.text, lang: 'en' };
}

/** The name of the key or the user, and a button that signs out. A proxy's user can sign out at the proxy only. */
export function SignedIn() {
  const { t } = useI18n();
  const { caller, signOut } = useSession();
  if (!caller) return null;
  return (
    <p class="signed-in">
      <span class="visually-hidden">{t('signIn.as')} </span>
      {caller.hasSession ? (
        <a class="signed-in-name" title={caller.name} href={serviceUrl('account').href}>
          {caller.name}
        </a>
      ) : (
        <span class="signed-in-name" title={caller.name}>
          {caller.name}
        </span>
      )}
      {(caller.kind === 'KEY' || caller.hasSession) && (
        <button type="button" class="button button-quiet" onClick={() => void signOut()}>
          {t('signIn.out')}
        </button>
      )}
    </p>
  );
}
