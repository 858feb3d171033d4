import { keep, recall } from '../service/browser-storage.ts';
import { isRecord, parse } from '../service/outcome.ts';

/** A link that was made in this browser, as far as this browser alone knows it; the service tells the rest. */
export type SavedLink = {
  shortCode: string;
  accessUrl: string;
  /** What it was made of: the URL, or the file's name. The service tells neither to anybody who asks. */
  title: string;
  type: 'REDIRECT' | 'DOWNLOAD';
};

const KEPT_AS = 'postern.links';
/** A browser keeps 5 MB at least; the oldest are let go first. */
const MOST_LINKS = 500;

/** The links of this browser, the newest first. */
export function loadSavedLinks(): SavedLink[] {
  const kept = parse(recall(KEPT_AS) ?? '[]');
  return Array.isArray(kept) ? kept.filter(isSavedLink) : [];
}

/** Another tab may have made or removed links since: what is kept is read anew for each change. */
export function saveLink(link: SavedLink): SavedLink[] {
  return keepAll([link, ...loadSavedLinks()].slice(0, MOST_LINKS));
}

export function deleteSavedLink(shortCode: string): SavedLink[] {
  return keepAll(loadSavedLinks().filter((link) => link.shortCode !== shortCode));
}

function keepAll(links: SavedLink[]): SavedLink[] {
  keep(KEPT_AS, JSON.stringify(links));
  return links;
}

/** Runs when another tab of this browser has made or removed a link; gives what ends that. */
export function onSavedLinksChange(changed: () => void): () => void {
  const look = ({ key }: StorageEvent): void => {
    if (key === KEPT_AS || key === null) changed();
  };
  addEventListener('storage', look);
  return () => removeEventListener('storage', look);
}

/** What lies there may be of another version, or of another program. */
function isSavedLink(value: unknown): value is SavedLink {
  return (
    isRecord(value) &&
    typeof value['shortCode'] === 'string' &&
    isWebAddress(value['accessUrl']) &&
    typeof value['title'] === 'string' &&
    (value['type'] === 'REDIRECT' || value['type'] === 'DOWNLOAD')
  );
}

function isWebAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value);
}
