import { useI18n } from '../i18n/i18n.tsx';
import { requestPage } from '../service/api.ts';
import type { LinkDescription } from '../service/contract.ts';
import { historyPageUrl, type LinkReference, ofLink } from '../service/links.ts';
import { saveLinkToken } from '../service/saved-links.ts';
import { fileNameOf } from '../shell/link-facts.ts';
import { Time } from '../shell/time.tsx';
import { usePages } from '../shell/use-pages.ts';

const SHOWN_AT_ONCE = 50;

type Props = { link: LinkReference; description: LinkDescription };

/** The files that arrived with a file request, as links, loaded again with each submission. */
export function Arrived({ link, description }: Props) {
  const { t, format } = useI18n();
  const { list, loadMore } = usePages({
    key: JSON.stringify([link, description.viewCount]),
    fetchPage: (page) => requestPage('/api/links/{shortCode}/submissions', page, ofLink(link)),
    idOf: ({ shortCode }) => shortCode,
    size: SHOWN_AT_ONCE,
  });
  if (!list) return null;
  return (
    <section class="card column card-content" aria-labelledby="arrived-title">
      <h2 id="arrived-title">{t('request.arrived')}</h2>
      {list.items.length === 0 && <p class="soft">{t('request.nothing')}</p>}
      <ul class="column plain break arrived">
        {list.items.map(({ shortCode, label, note, file, createdAt, viewCount }) => (
          <li key={shortCode}>
            <a
              href={historyPageUrl(shortCode)}
              // The links of the files have the token of their request.
              onClick={() => link.token !== undefined && saveLinkToken(shortCode, link.token)}
            >
              {label ?? (file && fileNameOf(file, t)) ?? shortCode}
            </a>
            <span class="soft small">
              <Time at={createdAt} text={format.shortDateTime} />
              {file &&
                !file.encrypted &&
                ` · ${file.fileCount ? t('files.count', { count: file.fileCount }) : file.name}`}
              {file && ` · ${format.bytes(file.sizeBytes)}`}
              {viewCount === 0 && ` · ${t('request.unopened')}`}
            </span>
            {note && <span class="small note">{note}</span>}
          </li>
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
