import { useEffect } from 'preact/hooks';
import { useFiles } from '../history/file-set.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { requestPage } from '../service/api.ts';
import type { LinkDescription } from '../service/contract.ts';
import { historyPageUrl, type LinkReference, ofLink } from '../service/links.ts';
import { saveLinkToken } from '../service/saved-links.ts';
import { labelOf } from '../shell/link-facts.ts';
import { receivedWith } from '../shell/opened-text.ts';
import { Time } from '../shell/time.tsx';
import { usePages } from '../shell/use-pages.ts';
import { DownloadButton } from './download-button.tsx';
import { LazyDownloadNote } from './lazy-received.tsx';

const SHOWN_AT_ONCE = 50;

/** Names of files of one submission; its own page has all. */
const MAX_NAMES = 5;

type Props = {
  link: LinkReference;
  description: LinkDescription;
  /** Gets the number of files that arrived; undefined while it is not known. */
  onCount(count: number | undefined): void;
};

/** The files that arrived with a file request, as links, loaded again with each submission. */
export function Arrived({ link, description, onCount }: Props) {
  const { t } = useI18n();
  const { list, loadMore, change } = usePages({
    key: JSON.stringify([link, description.viewCount]),
    fetchPage: (page) => requestPage('/api/links/{shortCode}/submissions', page, ofLink(link)),
    idOf: ({ shortCode }) => shortCode,
    size: SHOWN_AT_ONCE,
  });
  useEffect(() => onCount(list?.next === null ? countFiles(list.items) : undefined), [list]);
  if (!list) return null;
  const countView = ({ shortCode }: LinkDescription): void =>
    change((shown) => ({
      ...shown,
      items: shown.items.map((item) =>
        item.shortCode === shortCode
          ? { ...item, viewCount: item.viewCount + 1, lastOpenedAt: new Date().toISOString() }
          : item,
      ),
    }));
  return (
    <section class="column" aria-labelledby="arrived-title">
      <h2 id="arrived-title">{t('request.arrived')}</h2>
      {list.items.length === 0 ? <p class="soft">{t('request.nothing')}</p> : <LazyDownloadNote />}
      <ul class="column plain break arrived">
        {list.items.map((item) => (
          <Submission key={item.shortCode} item={item} token={link.token} onLoaded={() => countView(item)} />
        ))}
      </ul>
      {list.next !== null && (
        <button type="button" class="button" onClick={() => void loadMore()}>
          {t('history.more')}
        </button>
      )}
    </section>
  );
}

/** Counts the files of submissions. That of an encrypted one is not known. */
function countFiles(items: LinkDescription[]): number | undefined {
  const counts = items.map((item) => receivedWith(item)?.count);
  return counts.reduce(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}

type SubmissionProps = { item: LinkDescription; token: string | undefined; onLoaded(): void };

/** What arrived at once. `token`: of the request, which its links have, too. */
function Submission({ item, token, onLoaded }: SubmissionProps) {
  const { t, ofReceived, format } = useI18n();
  const { shortCode, note, file, state, createdAt, viewCount, lastOpenedAt } = item;
  const name = labelOf(item, t) ?? shortCode;
  const files = useFiles({ shortCode, ...(token !== undefined && { token }) }, file);
  const names = files.slice(0, MAX_NAMES).map((each) => each.name);
  if (files.length > names.length) names.push(`+${format.number(files.length - names.length)}`);
  return (
    <li>
      <div>
        <a
          href={historyPageUrl(shortCode)}
          onClick={() => token !== undefined && saveLinkToken(shortCode, token)}
        >
          {name}
        </a>
        <span class="soft small">
          <Time at={createdAt} text={format.shortDateTime} />
          {file && ` · ${format.bytes(file.sizeBytes)}`}
          {viewCount === 0 && ` · ${t('request.notDownloaded')}`}
          {viewCount > 0 && lastOpenedAt && (
            <>
              {` · ${ofReceived('entry.opened')} `}
              <Time at={lastOpenedAt} text={format.shortDateTime} />
            </>
          )}
        </span>
        {names.length > 0 && <span class="small">{names.join(', ')}</span>}
        {note && <span class="small note">{note}</span>}
      </div>
      {state === 'ACTIVE' && <DownloadButton description={item} name={name} onLoaded={onLoaded} />}
    </li>
  );
}
