import { useEffect, useRef } from 'preact/hooks';
import { sharedUrlOf } from '../actions/shown-urls.ts';
import { createDeliveryReader } from '../history/delivery.ts';
import { PreviewNote, toCombinedText } from '../history/entry-notes.tsx';
import { toFileSet, useFiles } from '../history/file-set.tsx';
import { FilesWithHashes } from '../history/files-with-hashes.tsx';
import { sumUpOpenings } from '../history/openings.ts';
import { OwnerContext } from '../history/owner-context.ts';
import {
  RecipientList,
  RecipientTexts,
  splitRecipients,
  useRecipientTexts,
} from '../history/recipient-list.tsx';
import type { RecipientSteps } from '../history/recipient-steps.ts';
import { DeliveryFacts, type Fact, TimeLine } from '../history/time-line.tsx';
import { foldRequests, selectLines } from '../history/time-lines.ts';
import { useVerifyTexts, VerifyTexts } from '../history/verify-texts.ts';
import { TimesWithOffset, useI18n, WordsOf } from '../i18n/i18n.tsx';
import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { FileOfSet, HistoryPage, LinkDescription } from '../service/contract.ts';
import { type Entry, fetchHistory, NO_FILTER, newestHashOf } from '../service/history.ts';
import {
  describeLink,
  editPageUrl,
  historyPageUrl,
  type LinkReference,
  mayChange,
  recordPageUrl,
  revokePageUrl,
} from '../service/links.ts';
import { BrandMark } from '../shell/icon.tsx';
import { countViews, labelOfState, passwordTextOf } from '../shell/labels.ts';
import { fileNameOf, opensForAnyone, wordsFor } from '../shell/link-facts.ts';
import { receivedWith } from '../shell/opened-text.ts';
import { usePages } from '../shell/use-pages.ts';
import { toSentences } from './answer.tsx';
import { CheckpointProof, type Found, useCheckpoint } from './checkpoint-proof.tsx';
import { type Access, LinkProblem } from './problems.tsx';
import type { en } from './record-texts/en.ts';
import { fetchSubmissions, type RecordedSubmission, RecordedSubmissions } from './recorded-submissions.tsx';
import { historyFileName, SaveHistory, verifyPageUrl } from './save-history.tsx';
import { useLinkTitle } from './use-link.ts';

const { LateTexts, useLateTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./record-texts/en.ts')).en,
  pt: async () => (await import('./record-texts/pt.ts')).pt,
  es: async () => (await import('./record-texts/es.ts')).es,
  de: async () => (await import('./record-texts/de.ts')).de,
  fr: async () => (await import('./record-texts/fr.ts')).fr,
});

/** The facts are of so many of the newest entries, and of the newest openings. */
const MAX_ENTRIES = 500;
/** So many entries and files fit on one sheet. The saved history has all. */
const MAX_LISTED = 12;
/** Recipients take the place of other entries than the creation, and some openings and requests. */
const MIN_LISTED = 3;
/** Characters that fit in one line of the sheet. */
const LINE_CHARACTERS = 80;
const MAX_FILES = 6;
const MAX_URL = 200;

/** A link and its newest entries, up to the fingerprint at that time. `submissions`: to a file request. */
type RecordedLink = {
  at: Date;
  description: LinkDescription;
  submissions: RecordedSubmission[];
  history: HistoryPage;
};

/** Loads a link with its newest entries, from one moment: later changes do not show. */
function useRecord(link: LinkReference) {
  const described = useRef<Omit<RecordedLink, 'history'>>(undefined);
  const { list, failure, isLoading, restart } = usePages({
    key: JSON.stringify(link),
    fetchPage: async (request) => {
      if (request.cursor === null) {
        let outcome = await describeLink(link);
        if (outcome.kind !== 'DONE') return outcome;
        let submissions: RecordedSubmission[] = [];
        if (outcome.value.type === 'REQUEST') {
          const arrived = await fetchSubmissions(link, request);
          if (arrived.kind !== 'DONE') return arrived;
          submissions = arrived.value;
          // Again, so that its fingerprint covers each of them.
          outcome = await describeLink(link);
          if (outcome.kind !== 'DONE') return outcome;
        }
        described.current = { at: new Date(), description: outcome.value, submissions };
      }
      const newest = await fetchHistory(link, NO_FILTER, request);
      if (newest.kind !== 'DONE' || newest.value.next === null) return newest;
      const openings = await fetchHistory(link, { ...NO_FILTER, results: ['SUCCESS'] }, request);
      return openings.kind === 'DONE'
        ? { ...newest, value: addOlder(newest.value, openings.value) }
        : openings;
    },
    idOf: ({ id }) => id,
    size: MAX_ENTRIES,
  });
  if (!list || isLoading || failure || !described.current) return { failure, restart };
  const { entryCount = list.entryCount, fingerprint = list.fingerprint } = described.current.description;
  const history = { ...list, entryCount, fingerprint, items: truncateAt(entryCount, list.items) };
  return { certified: { ...described.current, history }, restart };
}

/** Adds the entries of another page that are older than all of a page. */
function addOlder(page: HistoryPage, { items }: HistoryPage): HistoryPage {
  const oldest = page.items.at(-1)?.number ?? 0;
  return { ...page, items: [...page.items, ...items.filter(({ number }) => number < oldest)] };
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

/** A sheet that shows what was made available to whom, when it was opened, and how to check that the history was not changed. */
export function DeliveryRecord(props: Access) {
  return (
    <LateTexts>
      <VerifyTexts>
        <RecipientTexts>
          <Loaded {...props} />
        </RecipientTexts>
      </VerifyTexts>
    </LateTexts>
  );
}

function Loaded({ link, onAccess }: Access) {
  const text = useLateTexts();
  const { certified, failure, restart } = useRecord(link);
  const files = useFiles(link, certified?.description.file);
  const checkpoint = useCheckpoint(link, certified !== undefined);
  const labelOfSave = useSaveLabel();
  if (failure) return <LinkProblem {...{ link, onAccess, failure }} onRetry={restart} />;
  return (
    <>
      <div class="actions">
        <button type="button" class="button button-main" disabled={!certified} onClick={() => print()}>
          {text('print')}
        </button>
        {certified && <SaveHistory link={link} label={labelOfSave(certified.description)} />}
        <a class="button" href={historyPageUrl(link.shortCode)}>
          {text('close')}
        </a>
      </div>
      {checkpoint && certified && certified.history.entryCount > checkpoint.number && (
        <p class="record-hint">{text('checkpointLater')}</p>
      )}
      {certified && <OpenableNote {...certified} link={link} />}
      <p class="record-hint">
        {text(certified && certified.submissions.length > 0 ? 'giveOfRequest' : 'give')}
      </p>
      {certified && (
        <TimesWithOffset>
          <WordsOf kind={wordsFor(certified.description)}>
            <OwnerContext.Provider value={certified.description.owner}>
              <Sheet {...certified} {...{ link, files, checkpoint }} />
            </OwnerContext.Provider>
          </WordsOf>
        </TimesWithOffset>
      )}
    </>
  );
}

/** Warns that who gets the record gets an address that opens something, and leads to what ends that. */
function OpenableNote({
  link,
  description,
  submissions,
}: Pick<RecordedLink, 'description' | 'submissions'> & { link: LinkReference }) {
  const { t } = useI18n();
  const text = useLateTexts();
  const { type, shortCode } = description;
  const count = submissions.filter((each) => opensForAnyone(each.description)).length;
  if (count > 0)
    return <p class="problem-note record-hint">{text('openableSubmissions', { count, edit: t('edit') })}</p>;
  if (type === 'REQUEST' || !opensForAnyone(description)) return null;
  return (
    <div class="row spread problem-note record-hint">
      <p>{text(isOfReceived(description) ? 'openableFiles' : 'openable')}</p>
      {mayChange(link, description) && (
        <div class="actions">
          <a class="button" href={editPageUrl(shortCode)}>
            {text('restrict')}
          </a>
          <a class="button" href={revokePageUrl(shortCode)}>
            {t('revoke')}
          </a>
        </div>
      )}
    </div>
  );
}

/** Returns whether a record is of files that arrived: that of a file request, or of a submission. */
const isOfReceived = (description: LinkDescription): boolean => wordsFor(description) !== undefined;

/** Prepares the label of what saves the history of a link. The record of a file request saves several, so each is named. */
function useSaveLabel(): (description: LinkDescription) => string {
  const { t } = useI18n();
  const text = useLateTexts();
  const labels = { ofRequests: text('saveRequest'), ofReceived: text('saveSubmission') };
  return (description) => {
    const kind = wordsFor(description);
    return kind ? labels[kind] : t('proof.export');
  };
}

type SheetProps = RecordedLink & { link: LinkReference; files: FileOfSet[]; checkpoint: Found | null };

function Sheet({ at, description, submissions, history, link, files, checkpoint }: SheetProps) {
  const { t, format } = useI18n();
  const text = useLateTexts();
  const { shortCode, viewCount } = description;
  const isReceived = isOfReceived(description);
  const title = text(isReceived ? 'titleOfReceived' : 'title', { title: useLinkTitle(description) });
  useEffect(() => {
    // Browsers name a PDF after it.
    document.title = `${title} · ${shortCode}`;
  }, [title]);
  const { items, next } = history;
  const reader = createDeliveryReader(MAX_ENTRIES, description.verifiedRecipients);
  for (const item of items) reader.add(item);
  const delivery = reader.read();
  const { recipients } = delivery;
  const lines = selectLines(foldRequests(delivery.latest), countEntries(recipients));
  const textOfRecipients = useRecipientTexts();
  return (
    <article class="card column break record" aria-labelledby="record-title">
      <p class="row record-brand">
        <BrandMark />
      </p>
      <h1 id="record-title">{title}</h1>
      <p class="link-answer">{useAnswer(description, { history, submissions, files })}</p>
      <p>{sharedUrlOf(description)}</p>
      <p>
        {text('state', { time: format.time(at), status: t(labelOfState(description)) })} ·{' '}
        {t('times.zone', { zone: format.timeZone })}
      </p>
      <DeliveryFacts
        delivery={delivery}
        isPartial={next !== null}
        before={useContentFacts(description, next !== null)}
        after={useLimitFacts(description, items)}
      />
      <SetOfFiles files={files} max={isReceived ? files.length : MAX_FILES} />
      <RecordedSubmissions
        {...{ token: link.token, submissions }}
        submissionCount={viewCount}
        notes={{
          ...{ names: text('typedNames'), fingerprints: text('coversReceived') },
          save: text('saveSubmission'),
        }}
      />
      {recipients.length > 0 && (
        <>
          <h2>{textOfRecipients('title')}</h2>
          <RecipientList recipients={recipients} isShort />
        </>
      )}
      <h2>{t('history.title')}</h2>
      <TimeLine {...{ delivery, lines }} fileSet={toFileSet(files, history)} />
      <PreviewNote items={lines.map(({ entry }) => entry)} />
      <h2>{t('proof.title')}</h2>
      <Check {...{ description, submissions, history }} combined={toCombinedText(lines, t)} />
      {checkpoint && <CheckpointProof found={checkpoint} text={text} />}
    </article>
  );
}

/** Says what the page of the link says first. */
function useAnswer(
  description: LinkDescription,
  { history, submissions, files }: Pick<SheetProps, 'history' | 'submissions' | 'files'>,
): string {
  const i18n = useI18n();
  const counts = submissions.map((each) => receivedWith(each.description)?.count ?? Number.NaN); // of encrypted files
  const receivedCount =
    counts.length < description.viewCount ? 0 : counts.reduce((sum, each) => sum + each, 0);
  const openings = sumUpOpenings(history.items, description.type === 'REQUEST');
  return toSentences(description, { openings, files, receivedCount: receivedCount || undefined }, i18n).join(
    ' ',
  );
}

/** Returns how many entries fit beside recipients, whose list has a heading, two columns, and what an opening says. */
function countEntries(recipients: RecipientSteps[]): number {
  if (recipients.length === 0) return MAX_LISTED;
  const { listed, waiting } = splitRecipients(recipients, true);
  const characters = waiting.reduce((sum, { address }) => sum + address.length + 2, 0);
  const lines = Math.ceil(listed.length / 2) + Math.ceil(characters / LINE_CHARACTERS);
  return Math.max(MIN_LISTED, MAX_LISTED - lines - 3);
}

function useContentFacts(description: LinkDescription, isPartial: boolean): Fact[] {
  const { t, format } = useI18n();
  const text = useLateTexts();
  const { file, targetUrl, request, recipient, verifiedRecipients = [], owner, createdAt } = description;
  const isSent = !isOfReceived(description) && verifiedRecipients.length === 0; // those have a list

  return [
    [t('term.fileName'), file && fileNameOf(file, t)],
    [t('term.size'), file && !file.text && format.bytes(file.sizeBytes)],
    [t('edit.target'), targetUrl && shorten(targetUrl)],
    [t('request.message'), request?.message],
    recipient ? [t('record.recipient'), recipient] : [t('recipient'), isSent && text('notNamed')],
    [t('column.owner'), isPartial && (owner?.displayName ?? owner?.name)],
    [t('term.created'), isPartial && format.time(new Date(createdAt))],
  ];
}

const shorten = (url: string): string => (url.length > MAX_URL ? `${url.slice(0, MAX_URL)}…` : url);

function useLimitFacts(description: LinkDescription, items: Entry[]): Fact[] {
  const i18n = useI18n();
  const { t, format } = i18n;
  const { expiresAt, file } = description;
  const sha256 = file?.fileCount || file?.text ? null : (file?.sha256 ?? newestHashOf('fileSha256', items));
  return [
    [t('views'), countViews(description, i18n)],
    [t('expiry'), expiresAt === null ? t('expiry.never') : format.time(new Date(expiresAt))],
    [t('password'), passwordTextOf(description, t)],
    [t('term.targetSha256'), newestHashOf('targetSha256', items)],
    [t('term.fileSha256'), sha256],
  ];
}

/** The first files of a set with their checksums. The history covers those of all. */
function SetOfFiles({ files, max }: { files: FileOfSet[]; max: number }) {
  const { t } = useI18n();
  if (files.length === 0) return null;
  const more = files.length - max;
  return (
    <>
      <FilesWithHashes files={files.slice(0, max)} />
      {more > 0 && <p>+ {t('files.count', { count: more })}</p>}
    </>
  );
}

/** `combined`: explains rows with several entries. */
type CheckProps = Omit<RecordedLink, 'at'> & { combined: string };

/** The fingerprint, and how anyone checks the history with it. */
function Check({ description, submissions, history, combined }: CheckProps) {
  const text = useLateTexts();
  const labelOfSave = useSaveLabel();
  const field = useVerifyTexts();
  const { shortCode, type, file } = description;
  const { entryCount, fingerprint } = history;
  const verifyUrl = verifyPageUrl();
  const isComparable = type === 'DOWNLOAD' && !file?.fileCount && !file?.text;
  return (
    <>
      <p>
        {text('covers', { count: entryCount })} {combined}
      </p>
      <p class="row fingerprint">
        <code>{fingerprint}</code>
      </p>
      <h2>{text('check')}</h2>
      <ol>
        <li>
          {text('open')} <a href={`${verifyUrl}#${fingerprint}`}>{verifyUrl}</a>. {text('gone')}
        </li>
        <li>
          {text('have', {
            ...{ label: field('export'), file: historyFileName(shortCode) },
            ...{ button: labelOfSave(description), url: recordPageUrl(shortCode) },
          })}
        </li>
        <li>
          {text('verify', { group: field('compare'), label: field('fingerprint') })}{' '}
          {isComparable && `${text('file', { label: field('file') })} `}
          {text('start', { start: field('start') })}
        </li>
        {submissions.length > 0 && <li>{text('checkSubmissions', { button: text('saveSubmission') })}</li>}
      </ol>
      <p>{text('compare', { count: entryCount })}</p>
      <p>
        {text(isOfReceived(description) ? 'limitsOfReceived' : 'limits')}{' '}
        {text('expert', {
          command: 'postern verify --export=H --fingerprint=F',
          document: 'docs/history-format.md',
        })}
      </p>
    </>
  );
}
