import { loadSavedLinks } from '../create/saved-links.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';

/** Returns the label, the file name, or the target that only the browser knows that made the link, else the kind of the link. */
export function useLinkTitle({ shortCode, type, file, label }: LinkDescription): string {
  const { t } = useI18n();
  const saved = loadSavedLinks().find((link) => link.shortCode === shortCode);
  return label ?? saved?.title ?? file?.name ?? t(type === 'DOWNLOAD' ? 'link.file' : 'link.url');
}
