import { useEffect, useState } from 'preact/hooks';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import { isHeaderText, saveKey } from '../service/api-key.ts';
import type { Scope, Settings } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';
import { fetchSettings } from '../service/requests.ts';
import { CredentialForm } from './credential-form.tsx';
import { failureText } from './error-texts.ts';
import { KeyCommand } from './key-command.tsx';
import { useSession } from './session.tsx';
import { useDocumentTitle } from './use-document-title.ts';

type Props = {
  hasEnded: boolean;
  /** The scope that the page needs. */
  scope?: Scope;
};

/** The form with which a user signs in: with an API key, or where there are people with name and password. */
export function SignIn({ hasEnded, scope }: Props) {
  const i18n = useI18n();
  const { t } = i18n;
  const { settings, reload } = useSession();
  const { hasPeople = false, hasProvider = false } = settings?.access ?? {};
  const [wantsKey, setWantsKey] = useState(false);
  useDocumentTitle(t('signIn'));
  const [loaded, setLoaded] = useState<typeof import('./person-sign-in.tsx')>();
  const isForKey = wantsKey || !(hasPeople || hasProvider);
  useEffect(() => {
    // Most loads of a page are signed in, and need no form.
    if (!isForKey) import('./person-sign-in.tsx').then(setLoaded, () => setWantsKey(true));
  }, [isForKey]);
  if (!isForKey)
    return loaded ? <loaded.PersonSignIn hasEnded={hasEnded} onWantKey={() => setWantsKey(true)} /> : null;
  const signInWithKey = async ({ 'api-key': key = '' }): Promise<string | undefined> => {
    const error = await checkAndSave(key, i18n);
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
      {...(wantsKey && { alternative: { label: t('signIn.withName'), onChoose: () => setWantsKey(false) } })}
      footer={
        settings?.access.mode === 'open' ? <KeyCommand text={t('signIn.command')} /> : t('signIn.source')
      }
    >
      {scope && <p>{t('signIn.scope', { scope })}</p>}
      {hasEnded && !wantsKey && (
        <p class="form-error" role="alert">
          {t('signIn.ended')}
        </p>
      )}
    </CredentialForm>
  );
}

/** Saves a key that works. Returns what is wrong with another. */
export async function checkAndSave(key: string, i18n: I18n): Promise<string | undefined> {
  const { t } = i18n;
  if (!isHeaderText(key)) return t('signIn.wrong');
  const error = findError(await fetchSettings(key), i18n);
  if (!error && !saveKey(key)) return t('signIn.notStored');
  return error;
}

function findError(outcome: Outcome<Settings>, i18n: I18n): string | undefined {
  const { t } = i18n;
  if (outcome.kind === 'DONE') {
    return outcome.value.access.caller?.kind === 'KEY' ? undefined : t('signIn.wrong');
  }
  return outcome.kind === 'REFUSED' && outcome.status === 401
    ? t('signIn.wrong')
    : failureText(outcome, i18n);
}
