import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { setPassword, signIn } from '../service/account.ts';
import { isHeaderText, saveKey } from '../service/api-key.ts';
import type { Scope, Settings } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';
import { fetchSettings, serviceUrl } from '../service/requests.ts';
import { type CredentialError, CredentialForm } from './credential-form.tsx';
import { useSession } from './session.tsx';

type Props = {
  hasEnded: boolean;
  /** The scope that the page needs. */
  scope?: Scope;
};

/** The form with which a user signs in: with an API key, or where there are people with name and password. */
export function SignIn({ hasEnded, scope }: Props) {
  const { t } = useI18n();
  const { settings, reload } = useSession();
  const { hasPeople = false, hasProvider = false } = settings?.access ?? {};
  const [wantsKey, setWantsKey] = useState(false);
  const isForKey = wantsKey || !(hasPeople || hasProvider);
  if (!isForKey) return <PersonSignIn hasEnded={hasEnded} onWantKey={() => setWantsKey(true)} />;
  const signInWithKey = async ({ 'api-key': key = '' }): Promise<CredentialError | undefined> => {
    const error = await checkAndSave(key, t);
    if (!error) await reload();
    return error;
  };
  return (
    <CredentialForm
      title={t('signIn')}
      fields={[{ id: 'api-key', label: t('signIn.key'), hint: t('signIn.hint') }]}
      button={t('signIn')}
      missing={t('signIn.missing')}
      onSend={signInWithKey}
      footer={t('signIn.source')}
    >
      {scope && <p>{t('signIn.scope', { scope })}</p>}
      <Alert text={hasEnded && !wantsKey && t('signIn.ended')} />
      {wantsKey && <Switch text={t('signIn.withName')} onClick={() => setWantsKey(false)} />}
    </CredentialForm>
  );
}

const Alert = ({ text }: { text: string | false | undefined }) =>
  text ? (
    <p class="form-error" role="alert">
      {text}
    </p>
  ) : null;

const Switch = ({ text, onClick }: { text: string; onClick(): void }) => (
  <button type="button" class="button button-quiet" onClick={onClick}>
    {text}
  </button>
);

function PersonSignIn({ hasEnded, onWantKey }: { hasEnded: boolean; onWantKey(): void }) {
  const { t } = useI18n();
  const { settings, reload } = useSession();
  const [staySignedIn, setStaySignedIn] = useState(false);
  const send = async ({ name = '', secret = '' }): Promise<CredentialError | undefined> => {
    const error = findPersonError(await signIn({ name, password: secret, staySignedIn }), t);
    if (error) return error;
    saveKey(null); // one of this tab would come before the session
    await reload();
    return undefined;
  };
  const atProvider = `api/sign-in?to=${pageName()}&stay=${staySignedIn}`;
  return (
    <CredentialForm
      title={t('signIn')}
      fields={[
        { id: 'name', label: t('signIn.name'), autoComplete: 'username' },
        { id: 'secret', label: t('signIn.password'), autoComplete: 'current-password' },
      ]}
      button={t('signIn')}
      missing={t('signIn.missingPassword')}
      onSend={send}
      footer={t('signIn.forgotten')}
      options={
        <>
          <label class="check">
            <input type="checkbox" checked={staySignedIn} onChange={() => setStaySignedIn(!staySignedIn)} />
            {t('signIn.stay')}
          </label>
          <Switch text={t('signIn.withKey')} onClick={onWantKey} />
        </>
      }
    >
      <Alert text={hasEnded ? t('signIn.sessionEnded') : findProblem(t)} />
      {settings?.access.hasProvider && (
        <a class="button" href={serviceUrl(atProvider).href}>
          {t('signIn.provider')}
        </a>
      )}
    </CredentialForm>
  );
}

/** The form for a new password, which needs the present one, or the secret of a link. */
export function NewPassword({ token, onDone }: { token?: string; onDone(): void | Promise<void> }) {
  const { t } = useI18n();
  const isChange = token === undefined;
  const send = async ({ present = '', 'new-password': newPassword = '' }) => {
    const outcome = await setPassword(isChange ? { password: present, newPassword } : { token, newPassword });
    const isWrong = outcome.kind === 'REFUSED' && outcome.code === 'WRONG_NAME_OR_PASSWORD';
    const error = isWrong ? { text: t('account.wrong') } : findPersonError(outcome, t);
    if (!error) await onDone();
    return error;
  };
  return (
    <CredentialForm
      title={isChange ? t('account.changePassword') : t('account.setPassword')}
      fields={[
        ...(isChange
          ? [{ id: 'present', label: t('account.present'), autoComplete: 'current-password' } as const]
          : []),
        {
          ...{ id: 'new-password', label: t('account.newPassword') },
          ...({ hint: t('account.hint'), autoComplete: 'new-password' } as const),
        },
      ]}
      button={t('account.save')}
      missing={t('account.tooShort')}
      onSend={send}
      isPart={isChange}
    />
  );
}

/** Returns what is wrong with the name, the password or the link of a person. */
function findPersonError(outcome: Outcome<unknown>, t: Translate): CredentialError | undefined {
  if (outcome.kind === 'DONE') return undefined;
  if (outcome.kind !== 'REFUSED') return { text: t('error.unreachable') };
  const texts = new Map([
    ['WRONG_NAME_OR_PASSWORD', t('signIn.wrongPassword')],
    ['RATE_LIMITED', t('signIn.tooMany')],
    ['SIGN_IN_NEEDS_TLS', t('signIn.needsTls')],
    ['PASSWORD_TOO_SHORT', t('account.tooShort')],
    ['PASSWORD_LINK_ENDED', t('account.linkEnded')],
  ]);
  const text = texts.get(outcome.code ?? '');
  return text === undefined ? { text: outcome.text, lang: 'en' } : { text };
}

/** Returns why the sign-in at the provider failed that led here. */
function findProblem(t: Translate): string | undefined {
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
