import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { useSession } from './session.tsx';

/** The name of the key or the user, the way to the account, and a button that signs out. A proxy's user can sign out at the proxy only. */
export function SignedIn() {
  const { t } = useI18n();
  const { caller, signOut } = useSession();
  if (!caller) return null;
  const name = caller.displayName ?? caller.name;
  return (
    <p class="soft signed-in">
      <span class="visually-hidden">{t('signIn.as')} </span>
      <span class="small one-line signed-in-name" title={name}>
        {name}
      </span>
      <a class="button button-quiet" href={serviceUrl('account').href}>
        {t('account.menu')}
      </a>
      {(caller.kind === 'KEY' || caller.hasSession) && (
        <button type="button" class="button button-quiet" onClick={() => void signOut()}>
          {t('signIn.out')}
        </button>
      )}
    </p>
  );
}
