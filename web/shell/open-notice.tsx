import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { getItem, setItem } from '../service/browser-storage.ts';
import { lazy } from './lazy.tsx';
import { useSession } from './session.tsx';

const STORAGE_KEY = 'postern.open-notice';

const LazyOpenDialog = lazy(async () => (await import('./open-dialog.tsx')).OpenDialog);

/** Says to visitors that anyone can create and revoke links, where that is so, and offers the way to accounts. */
export function OpenNotice() {
  const { t } = useI18n();
  const { settings, caller } = useSession();
  const [isDismissed, setDismissed] = useState(() => getItem(STORAGE_KEY) !== null);
  const [isOpen, setOpen] = useState(false);
  if (settings?.access.mode !== 'open' || caller || isDismissed) return null;
  const dismiss = (): void => {
    setItem(STORAGE_KEY, 'dismissed');
    setDismissed(true);
  };
  return (
    <>
      <p class="soft small open-notice">
        {t('open.notice')}{' '}
        <button type="button" class="button button-quiet" onClick={() => setOpen(true)}>
          {t('open.setUp')}
        </button>
        <button type="button" class="button button-quiet" onClick={dismiss}>
          {t('open.dismiss')}
        </button>
      </p>
      {isOpen && <LazyOpenDialog onClose={() => setOpen(false)} />}
    </>
  );
}
