import { useRef } from 'preact/hooks';
import { sharedUrlOf } from '../actions/shown-urls.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';

type Props = {
  description: LinkDescription;
  isMain?: boolean;
  /** The name of what is downloaded, where several buttons do it. */
  name?: string;
  onLoaded?: () => void;
};

/**
 * Downloads what arrived with a file request: several files as a ZIP. The page for visitors does it where a password or a key is
 * needed, and on another host than this page.
 */
export function DownloadButton({ description, isMain = false, name, onLoaded }: Props) {
  const { t } = useI18n();
  const isLoading = useRef(false);
  const { file, passwordProtected } = description;
  const url = sharedUrlOf(description);
  const isDirect = file && !file.encrypted && !passwordProtected && new URL(url).origin === location.origin;
  const load = async (fileName: string): Promise<void> => {
    if (isLoading.current) return; // each download is a view
    isLoading.current = true;
    if (await download(url, fileName)) onLoaded?.();
    isLoading.current = false;
  };
  return (
    <a
      class={isMain ? 'button button-main' : 'button'}
      href={url}
      aria-label={name && `${t('request.download')}: ${name}`}
      onClick={(event) => {
        if (!isDirect) return;
        event.preventDefault();
        void load(file.name);
      }}
    >
      {t('request.download')}
    </a>
  );
}

/** Opens a link and saves its file. Where the link does not open, the page for visitors says why, and false is returned. */
async function download(url: string, fileName: string): Promise<boolean> {
  const body = new URLSearchParams({ list: 'true' });
  const response = await fetch(url, { method: 'POST', body, headers: { accept: 'text/html' } }).catch(
    () => undefined,
  );
  if (!response?.redirected) {
    location.assign(url);
    return false;
  }
  const href = new URL(encodeURIComponent(fileName), response.url).href; // below the page of the files
  Object.assign(document.createElement('a'), { href, download: '' }).click();
  return true;
}
