import { useEffect, useRef } from 'preact/hooks';
import { sharedUrlOf } from '../actions/shown-urls.ts';
import { RequestWords, TimesInUtc, useI18n } from '../i18n/i18n.tsx';
import type { FileOfSet, HistoryPage, LinkDescription } from '../service/contract.ts';
import { type Entry, fetchHistory, NO_FILTER, newestHashOf } from '../service/history.ts';
import { describeLink, historyPageUrl, type LinkReference } from '../service/links.ts';
import { serviceUrl } from '../service/requests.ts';
import { BrandMark } from '../shell/icon.tsx';
import { labelOfState } from '../shell/labels.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { Scroller } from '../shell/scroller.tsx';
import { usePages } from '../shell/use-pages.ts';
import { CoverageNotes, OtherLink, PreviewNote } from './entry-item.tsx';
import { toEntryTexts } from './entry-texts.ts';
import { type FileSet, toFileSet, useFiles } from './file-set.tsx';
import { LinkTerms } from './link-terms.tsx';
import { useLinkTitle } from './use-link.ts';

type Props = { link: LinkReference; onClose(): void };

/** More entries would fill more pages than anyone reads: the certificate refers to the export. */
const MAX_ENTRIES = 500;

/** A link and its newest entries, up to the fingerprint at that time. */
type CertifiedLink = { at: Date; description: LinkDescription; history: HistoryPage };

/** Loads a link with its newest entries, from one moment: later changes do not show. */
function useCertificate(link: LinkReference) {
  const described = useRef<Omit<CertifiedLink, 'history'>>(undefined);
  const { list, failure, isLoading, restart } = usePages({
    key: JSON.stringify(link),
    fetchPage: async (request) => {
      if (request.cursor === null) {
        const outcome = await describeLink(link);
        if (outcome.kind !== 'DONE') return outcome;
        described.current = { at: new Date(), description: outcome.value };
      }
      return fetchHistory(link, NO_FILTER, request);
    },
    idOf: ({ id }) => id,
    size: MAX_ENTRIES,
  });
  if (!list || isLoading || failure || !described.current) return { failure, restart };
  const { entryCount = list.entryCount, fingerprint = list.fingerprint } = described.current.description;
  const history = { ...list, entryCount, fingerprint, items: truncateAt(entryCount, list.items) };
  return { certified: { ...described.current, history }, restart };
}

/** Removes the entries after the end of the history, and the ends of downloads there. */
function truncateAt(entryCount: number, items: Entry[]): Entry[] {
  const isLater = ({ number }: { number: number }) => number > entryCount;
  return items
    .filter((item) => !isLater(item))
    .map((item) =>
      item.kind === 'ATTEMPT' ? { ...item, downloads: item.downloads.filter((end) => !isLater(end)) } : item,
    );
}

/** A sheet for a file: the link, its terms, its history, and how to check that the history was not changed. */
export function Certificate({ link, onClose }: Props) {
  const { t } = useI18n();
  const { certified, failure, restart } = useCertificate(link);
  const files = useFiles(link, certified?.description.file);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    scrollTo(0, 0);
    heading.current?.focus();
  }, []);
  return (
    <>
      <div class="actions">
        <button type="button" class="button button-main" disabled={!certified} onClick={() => print()}>
          {t('certificate.print')}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {t('certificate.close')}
        </button>
      </div>
      {failure && <LoadProblem failure={failure} onRetry={restart} />}
      <article class="card column break certificate" aria-labelledby="certificate-title">
        <p class="row certificate-brand">
          <BrandMark />
        </p>
        <h1 id="certificate-title" ref={heading} tabIndex={-1}>
          {t('certificate.title')}
        </h1>
        {certified && (
          <TimesInUtc>
            <RequestWords isOn={certified.description.type === 'REQUEST'}>
              <CertificateBody {...certified} files={files} />
            </RequestWords>
          </TimesInUtc>
        )}
      </article>
    </>
  );
}

function CertificateBody({ at, description, history, files }: CertifiedLink & { files: FileOfSet[] }) {
  const { t, format } = useI18n();
  const { items, next } = history;
  return (
    <>
      <p>
        <strong>{useLinkTitle(description)}</strong>
        <br />
        {sharedUrlOf(description)}
      </p>
      <p>
        {t('certificate.state', {
          time: format.time(at),
          status: t(labelOfState(description)),
        })}
      </p>
      <LinkTerms
        description={description}
        targetSha256={newestHashOf('targetSha256', items)}
        fileSha256={newestHashOf('fileSha256', items)}
      />
      {files.length > 0 && (
        <ul>
          {files.map(({ name, sha256 }) => (
            <li key={name}>
              {name}: <code>{sha256}</code>
            </li>
          ))}
        </ul>
      )}
      <h2>{t('history.title')}</h2>
      {next !== null && <p>{t('certificate.partial', { count: items.length })}</p>}
      <Scroller name="scroller" label={t('history.title')}>
        <EntryTable items={items} fileSet={toFileSet(files, history)} />
      </Scroller>
      <PreviewNote items={items} />
      <h2>{t('proof.title')}</h2>
      <Check description={description} history={history} />
    </>
  );
}

type CheckProps = { description: LinkDescription; history: HistoryPage };

/** The fingerprint, and how anyone checks the history with it. */
function Check({ description, history: { items, entryCount, fingerprint } }: CheckProps) {
  const { t } = useI18n();
  const { shortCode, type, file } = description;
  return (
    <>
      <p>
        {t('certificate.covers', { count: entryCount })}
        <CoverageNotes items={items} />
      </p>
      <p class="row fingerprint">
        <code>{fingerprint}</code>
      </p>
      <h2>{t('certificate.check')}</h2>
      <ol>
        <li>{t('certificate.export', { url: historyPageUrl(shortCode), button: t('proof.export') })}</li>
        <li>
          {t('certificate.verify', {
            url: serviceUrl('verify').href,
            command: `postern verify --export=postern-${shortCode}.ndjson`,
          })}
        </li>
        <li>{t('certificate.compare', { count: entryCount })}</li>
        {type === 'DOWNLOAD' && !file?.fileCount && !file?.text && <li>{t('certificate.file')}</li>}
      </ol>
      <p>{t('certificate.limits', { document: 'docs/history-format.md' })}</p>
    </>
  );
}

type TableProps = { items: Entry[]; fileSet: FileSet | undefined };

function EntryTable({ items, fileSet }: TableProps) {
  const i18n = useI18n();
  const { t, format } = i18n;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('column.number')}</th>
          <th scope="col">{t('column.time')}</th>
          <th scope="col">{t('column.entry')}</th>
          <th scope="col">{t('column.address')}</th>
          <th scope="col">{t('column.client')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((entry) => {
          const texts = toEntryTexts(entry, { ...i18n, fileSet });
          const { label, otherCode, time, address, client } = texts;
          return (
            <tr key={entry.id}>
              <td>{numbersOf(entry).map(format.number).join(', ')}</td>
              <td>{time}</td>
              <td>
                {label} <OtherLink code={otherCode} />
              </td>
              <td>{address ?? '–'}</td>
              <td>{client}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns the number of an entry in the history, and those of the ends of its downloads. */
function numbersOf(entry: Entry): number[] {
  const ends = entry.kind === 'ATTEMPT' ? entry.downloads : [];
  return [entry.number, ...ends.map(({ number }) => number)];
}
