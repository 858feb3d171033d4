import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { toPath } from '../service/api.ts';
import { loadKey } from '../service/api-key.ts';
import type { LinkReference } from '../service/links.ts';
import { send } from '../service/requests.ts';
import { isLinkToken, saveLinkToken } from '../service/saved-links.ts';
import { CredentialForm } from '../shell/credential-form.tsx';
import { lazy } from '../shell/lazy.tsx';
import { Missing } from '../shell/missing.tsx';
import type { PersonSignIn } from '../shell/person-sign-in.tsx';
import { useSession } from '../shell/session.tsx';
import { checkAndSave } from '../shell/sign-in.tsx';

type Props = {
  link: LinkReference;
  /** The page has credentials, and they do not allow to read the history. */
  isInsufficient: boolean;
  onAccess(token: string | undefined): void;
};

const LazyPersonSignIn = lazy<Parameters<typeof PersonSignIn>[0]>(
  async () => (await import('../shell/person-sign-in.tsx')).PersonSignIn,
);

/**
 * Offers the sign-in of people where there are some, or asks for the link's token or an API key. A browser that made the link
 * is not asked. A person who signed in reads whom to ask.
 */
export function LinkAccess({ link: { shortCode, token }, isInsufficient, onAccess }: Props) {
  const { t } = useI18n();
  const { caller, state, settings } = useSession();
  const { hasPeople = false, hasProvider = false } = settings?.access ?? {};
  const canSignIn = caller === null && (hasPeople || hasProvider);
  const [wantsToken, setWantsToken] = useState(false);

  const attempt = useAttempt(shortCode, onAccess);
  const why = t('linkAccess.why', { code: shortCode });
  if (canSignIn && !wantsToken)
    return (
      <LazyPersonSignIn
        hasEnded={state === 'ENDED'}
        why={why}
        otherLabel={t('linkAccess.withToken')}
        onWantKey={() => setWantsToken(true)}
      />
    );
  const isOfOthers = isInsufficient && token === undefined && caller?.kind === 'USER';
  if (isOfOthers && !wantsToken)
    return (
      <Missing
        title={t('linkAccess.notYours')}
        text={t('linkAccess.askOwner', { permission: t('may.read') })}
      >
        <button type="button" class="button button-quiet" onClick={() => setWantsToken(true)}>
          {t('linkAccess.withToken')}
        </button>
      </Missing>
    );
  const refusal = token === undefined ? t('scope.history') : t('linkAccess.wrongToken');
  return (
    <CredentialForm
      title={t('linkAccess.title')}
      fields={[{ id: 'api-key', label: t('linkAccess.label'), hint: t('signIn.hint') }]}
      button={t('linkAccess.submit')}
      missing={t('linkAccess.missing')}
      onSend={({ 'api-key': entered = '' }) => attempt(entered)}
    >
      <p>
        {why} {t('linkAccess.source')}
      </p>
      <p class="soft">{t('linkAccess.enter')}</p>
      {isInsufficient && (
        <p class="form-error" role="alert">
          {refusal}
        </p>
      )}
      {canSignIn && (
        <button type="button" class="button button-quiet" onClick={() => setWantsToken(false)}>
          {t('signIn.withName')}
        </button>
      )}
    </CredentialForm>
  );
}

/** Returns a function that tries a token of the link or an API key, and returns what is wrong with it. */
function useAttempt(shortCode: string, onAccess: Props['onAccess']) {
  const i18n = useI18n();
  const { t } = i18n;
  const { reload } = useSession();

  async function tryToken(entered: string): Promise<string | undefined> {
    // Not repeated without the token, as requests with a saved one are.
    const outcome = await send(toPath('/api/links/{shortCode}', { path: { shortCode } }), loadKey(), {
      token: entered,
    });
    if (outcome.kind === 'REFUSED') return t('linkAccess.wrongToken');
    if (outcome.kind !== 'DONE') return t('error.unreachable');
    saveLinkToken(shortCode, entered);
    onAccess(entered);
    return undefined;
  }

  async function tryKey(key: string): Promise<string | undefined> {
    const error = await checkAndSave(key, i18n);
    if (error) return error;
    saveLinkToken(shortCode, null);
    await reload();
    onAccess(undefined);
    return undefined;
  }

  return (entered: string) => (isLinkToken(entered) ? tryToken(entered) : tryKey(entered));
}
