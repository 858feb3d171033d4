import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { type PasswordLinkOwner, setPassword, signIn } from '../service/account.ts';
import { saveKey } from '../service/api-key.ts';
import { brandName } from '../service/brand.ts';
import type { Outcome } from '../service/outcome.ts';
import { forgetPage, rememberPage } from '../service/provider-check.ts';
import { fetchSettings, serviceUrl } from '../service/requests.ts';
import { CredentialForm } from './credential-form.tsx';
import { failureText } from './error-texts.ts';
import { useSession } from './session.tsx';

type Props = {
  hasEnded: boolean;
  /** The reason for the sign-in, where the heading of the page does not say it. */
  why?: string;
  /** The other credentials that the page takes; an API key by default. */
  otherLabel?: string;
  onWantKey(): void;
};

/** The form with which a person signs in. */
export function PersonSignIn({ hasEnded, why, otherLabel, onWantKey }: Props) {
  const i18n = useI18n();
  const { t } = i18n;
  const { settings, reload } = useSession();
  const [staySignedIn, setStaySignedIn] = useState(false);
  const send = async ({ name = '', secret = '' }) => {
    const outcome = await signIn({ name, password: secret, staySignedIn });
    if (outcome.kind !== 'DONE') {
      const text = failureText(outcome, i18n);
      const isEmail = isWrongPassword(outcome) && name.includes('@');
      return isEmail ? { text: `${text} ${t('signIn.notEmail')}`, field: 'name' } : text;
    }
    const settings = await fetchSettings(null);
    // The browser has not kept the cookie.
    if (settings.kind === 'DONE' && !settings.value.access.caller) return t('signIn.needsTls');
    saveKey(null); // one of this tab would come before the session
    forgetPage();
    await reload();
    return undefined;
  };
  const problem = hasEnded ? t('signIn.ended') : findProblem(t);
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
        <label class="check">
          <input type="checkbox" checked={staySignedIn} onChange={() => setStaySignedIn(!staySignedIn)} />
          {t('signIn.stay')}
        </label>
      }
      alternative={{ label: otherLabel ?? t('signIn.withKey'), onChoose: onWantKey }}
    >
      {why !== undefined && <p>{why}</p>}
      {problem !== undefined && (
        <p class="form-error" role="alert">
          {problem}
        </p>
      )}
      {settings?.access.hasProvider && (
        <a class="button" href={serviceUrl(atProvider).href} onClick={rememberPage}>
          {t('signIn.provider')}
        </a>
      )}
    </CredentialForm>
  );
}

type NewPasswordProps = {
  token?: string;
  /** The person whose password a link sets. */
  owner?: PasswordLinkOwner;
  onDone(): void | Promise<void>;
};

/** The form for a new password, which needs the present one, or the secret of a link. */
export function NewPassword({ token, owner, onDone }: NewPasswordProps) {
  const i18n = useI18n();
  const { t } = i18n;
  const isChange = token === undefined;
  const send = async ({ present = '', 'new-password': newPassword = '' }) => {
    const outcome = await setPassword(isChange ? { password: present, newPassword } : { token, newPassword });
    if (outcome.kind === 'DONE') {
      await onDone();
      return undefined;
    }
    return isWrongPassword(outcome)
      ? { text: t('account.wrong'), field: 'present' }
      : { text: failureText(outcome, i18n), field: 'new-password' };
  };
  return (
    <CredentialForm
      title={t(isChange ? 'account.changePassword' : 'account.setPassword')}
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
    >
      {!isChange && <p>{t('account.setIntro', { service: brandName(), address: serviceUrl('').href })}</p>}
      {owner && (
        <p>
          {t('signIn.name')}:{' '}
          <strong>{owner.displayName.toLowerCase() === owner.name ? owner.displayName : owner.name}</strong>
          {owner.email !== null && <span class="second-line">{owner.email}</span>}
        </p>
      )}
    </CredentialForm>
  );
}

function isWrongPassword(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'REFUSED' && outcome.code === 'WRONG_NAME_OR_PASSWORD';
}

/** Returns why the sign-in at the provider failed that led here. */
function findProblem(t: Translate): string | undefined {
  const problem = new URLSearchParams(location.search).get('problem');
  if (problem === null) return undefined;
  const texts = new Map([
    ['groups', t('signIn.groups')],
    ['limited', t('signIn.tooMany')],
    ['tls', t('signIn.needsTls')],
  ]);
  return texts.get(problem) ?? t('signIn.failed');
}

/** Returns the name of the page to which a sign-in elsewhere leads back. */
function pageName(): string {
  const wanted = new URLSearchParams(location.search).get('to') ?? location.pathname;
  return /\b(links|dashboard|docs|account|people)\b/.exec(wanted)?.[1] ?? 'create';
}
