import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { isHeaderText, saveKey } from '../service/api-key.ts';
import type { Settings } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';
import { fetchSettings } from '../service/settings.ts';
import { useSession } from './session.tsx';

/** An error at the field. `lang` is set on the API's texts. */
type KeyError = { text: string; lang?: 'en' };

/** The form with which a user signs in with an API key. */
export function SignIn({ hasEnded }: { hasEnded: boolean }) {
  const { t } = useI18n();
  const { reload } = useSession();
  const [key, setKey] = useState('');
  const [error, setError] = useState<KeyError>();
  const [isPending, setPending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [error]);

  async function signIn(): Promise<void> {
    setPending(true);
    const error = await checkAndSave(key.trim(), t);
    if (error) setError(error);
    else await reload();
    setPending(false);
  }

  return (
    <form
      class="card sign-in"
      noValidate
      aria-labelledby="sign-in-title"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) void signIn();
      }}
    >
      <h1 id="sign-in-title">{t('signIn')}</h1>
      {hasEnded && (
        <p class="form-error" role="alert">
          {t('signIn.ended')}
        </p>
      )}
      <div>
        <label for="api-key">{t('signIn.key')}</label>
        <input
          ref={field}
          id="api-key"
          type="password"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          value={key}
          onInput={({ currentTarget: { value } }) => setKey(value)}
          aria-invalid={error ? true : undefined}
          aria-describedby="api-key-hint api-key-error"
        />
        <p class="field-error" id="api-key-error" role="alert" lang={error?.lang}>
          {error?.text}
        </p>
        <p class="soft small" id="api-key-hint">
          {t('signIn.hint')}
        </p>
      </div>
      <button type="submit" class="button button-main">
        {t('signIn')}
      </button>
      <p class="soft small">{t('signIn.source')}</p>
    </form>
  );
}

/** Saves a key that works. Returns what is wrong with another. */
async function checkAndSave(key: string, t: Translate): Promise<KeyError | undefined> {
  if (key === '') return { text: t('signIn.missing') };
  if (!isHeaderText(key)) return { text: t('signIn.wrong') };
  const error = findError(await fetchSettings(key), t);
  if (!error && !saveKey(key)) return { text: t('signIn.notStored') };
  return error;
}

function findError(outcome: Outcome<Settings>, t: Translate): KeyError | undefined {
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
      <span class="signed-in-name" title={caller.name}>
        {caller.name}
      </span>
      {caller.kind === 'KEY' && (
        <button type="button" class="button button-quiet" onClick={signOut}>
          {t('signIn.out')}
        </button>
      )}
    </p>
  );
}
