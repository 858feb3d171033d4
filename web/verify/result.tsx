import { useEffect, useRef } from 'preact/hooks';
import { CHECK, WARNING } from '../../src/common/icons.ts';
import type { ListedFile } from '../../src/core/use-cases/history/exported/exported-items.ts';
import {
  comparedUpTo,
  reasonNotToCheck,
  type Statement,
  type StatementCode,
} from '../../src/core/use-cases/history/exported/statements.ts';
import { toAnswerText } from '../history/answer-text.ts';
import type { Delivery } from '../history/delivery.ts';
import { PreviewNote, toCombinedText } from '../history/entry-notes.tsx';
import { FilesWithHashes } from '../history/files-with-hashes.tsx';
import { RecipientList, useRecipientTexts } from '../history/recipient-list.tsx';
import { DeliveryFacts, type Fact, TimeLine } from '../history/time-line.tsx';
import { foldRequests } from '../history/time-lines.ts';
import { useVerifyTexts } from '../history/verify-texts.ts';
import { type I18n, TimesWithOffset, useI18n, WordsOf } from '../i18n/i18n.tsx';
import type { ChangeEntry } from '../service/contract.ts';
import { Icon } from '../shell/icon.tsx';
import { nameOfFiles, wordsFor } from '../shell/link-facts.ts';
import { toReceivedText } from '../shell/opened-text.ts';
import type { CheckedFiles } from './check-files.ts';
import { statementText } from './statement-texts.ts';

/** The verdicts, with their tones. The lack of a fingerprint is a limit, no failure: the words differ, not the tone. */
const VERDICTS = {
  failed: 'bad',
  otherFingerprint: 'bad',
  fileDiffers: 'bad',
  passed: 'good',
  passedUpTo: 'good',
  consistent: 'good',
  unconfirmed: 'warn', // what the reader kept was not compared, or is older
  notExported: 'warn',
  unchecked: 'warn',
} as const;

/** The statements about the file that was chosen. The first two are findings. */
const OF_FILE: ReadonlySet<StatementCode> = new Set([
  ...(['OTHER_FILE', 'NO_FILE'] as const),
  ...(['SAME_FILE', 'ONE_OF_FILES', 'FORMER_FILE', 'SEVERAL_FILES', 'ZIP'] as const),
]);
const isOfFile = ({ code }: Statement): boolean => OF_FILE.has(code);

/** The id of the heading of what the history does not prove. */
const LIMITS = 'limits-title';

type Props = { check: CheckedFiles };

/** The result of a check: of a history that has no finding first what happened, then what was checked, and what that does not prove. */
export function Result({ check }: Props) {
  const { findings, proved, delivery, head, newestFile } = check;
  const { type, requestShortCode } = delivery.created?.details ?? {};
  const ofHistory = findings.shown.filter((each) => !isOfFile(each));
  const isWrong = ofHistory.length > 0;
  const file = [...findings.shown, ...proved].find(isOfFile);
  const [known, count = 0] = [comparedUpTo(proved), paramOf(proved, 'COMPLETE', 'count')];
  const isPartly = known > 0 && known < count;
  const isProved = known > 0 && !isPartly;
  const entered = paramOf(proved, 'KNOWN', 'number');
  const isEntered = isProved && entered !== undefined;
  const isShown = ({ code }: Statement): boolean =>
    code !== 'NOT_COMPARED' && (code !== 'FINGERPRINT' || !isEntered);
  const shown = proved.filter((each) => !isOfFile(each) && isShown(each));
  const uncovered = shown.filter(isUncovered);
  const unproved = proved.some(isUncovered) ? 'unconfirmed' : 'consistent';
  const ofEntries = isProved ? 'passed' : isPartly ? 'passedUpTo' : unproved;
  const verdict = isWrong
    ? (reasonNotToCheck({ ...findings, shown: ofHistory }) ?? failureOf(ofHistory))
    : file?.code === 'OTHER_FILE'
      ? 'fileDiffers'
      : ofEntries;
  return (
    <TimesWithOffset>
      <WordsOf kind={wordsFor({ type, requestCode: requestShortCode })}>
        <Verdict
          verdict={verdict}
          tone={verdict === 'passedUpTo' && uncovered.length > 0 ? 'warn' : VERDICTS[verdict]}
          known={{ number: known, at: entered === known ? paramOf(proved, 'KNOWN', 'at') : undefined }}
          delivery={isWrong ? undefined : delivery}
          savedAt={head?.at}
          statements={isWrong ? findings.shown : uncovered}
          hiddenCount={findings.count - findings.shown.length}
        />
        {!isWrong && (
          <>
            <History delivery={delivery} />
            <FileCheck
              statement={file}
              created={delivery.created}
              isSet={typeof newestFile?.partsSha256 === 'string'}
              files={head?.files ?? []}
            />
            <Checked statements={shown.filter((each) => !isUncovered(each))} />
            <Limits isCompared={known > 0} isPartly={isPartly} created={delivery.created} />
          </>
        )}
      </WordsOf>
    </TimesWithOffset>
  );
}

/** A whole history without the fingerprint of the reader can be older than that, so it is not called a rewritten one. */
const failureOf = (shown: readonly Statement[]) =>
  shown.every(({ code }) => code === 'UNKNOWN_FINGERPRINT') ? 'otherFingerprint' : 'failed';

/** The statements that what the reader kept does not cover this history. */
const UNCOVERED: ReadonlySet<StatementCode> = new Set([
  ...(['ENTERED_LATER', 'NOT_CONNECTED', 'NOTHING_COMPARED'] as const),
]);
const isUncovered = ({ code }: Statement): boolean => UNCOVERED.has(code);

function paramOf(statements: Statement[], code: StatementCode, name: string): number | undefined {
  const value = statements.find((each) => each.code === code)?.params[name];
  return typeof value === 'number' ? value : undefined;
}

/** Prepares the text of a statement. */
function useStatementText(): (statement: Statement) => string {
  const { format } = useI18n();
  const text = useVerifyTexts();
  return (statement) => statementText(statement, { text, format });
}

type VerdictProps = {
  verdict: keyof typeof VERDICTS;
  tone: 'good' | 'warn' | 'bad';
  /** The last entry up to which the history is the one that the reader knew, with its time if its fingerprint was entered. */
  known: { number: number; at: number | undefined };
  /** Undefined for a history whose entries are not proved. */
  delivery: Delivery | undefined;
  /** What the file says of that. */
  savedAt: string | undefined;
  statements: Statement[];
  hiddenCount: number;
};

/** The heading takes the focus when it appears, and is in view. */
function useFocusedHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView();
  }, []);
  return heading;
}

/**
 * Answers first whether the link was opened, which most readers of a saved history ask. If later entries are not covered, that they
 * are not comes before the answer, which can be theirs.
 */
function Verdict({ verdict, tone, known, delivery, savedAt, statements, hiddenCount }: VerdictProps) {
  const i18n = useI18n();
  const text = useVerifyTexts();
  const textOfStatement = useStatementText();
  const heading = useFocusedHeading();
  const isPartly = verdict === 'passedUpTo';
  const title = (
    <>
      <Icon path={tone === 'good' ? CHECK : WARNING} />
      {text(verdict, { number: String(known.number) })}
      {isPartly && known.at !== undefined && ` (${i18n.format.time(new Date(known.at))})`}
    </>
  );
  const attributes = { id: 'result-title', ref: heading, tabIndex: -1 };
  const answer = delivery && toAnswer(delivery, i18n);
  const saved = delivery && savedAt && (
    <p class="soft small">{text('savedAt', { at: i18n.format.time(new Date(savedAt)) })}</p>
  );
  return (
    <section
      class={`card column card-wide break verify-result verify-${tone}`}
      aria-labelledby="result-title"
    >
      {delivery && !isPartly ? (
        <>
          <h2 {...attributes}>{answer}</h2>
          {saved}
          <h3 class="row verify-verdict">{title}</h3>
        </>
      ) : (
        <h2 class="row verify-verdict" {...attributes}>
          {title}
        </h2>
      )}
      {isPartly && (
        <>
          <p>{text('notLater')}</p>
          <h3>{answer}</h3>
          {saved}
        </>
      )}
      {statements.length > 0 && (
        <ul>
          {statements.map((statement, index) => (
            <li key={index}>{textOfStatement(statement)}</li>
          ))}
          {hiddenCount > 0 && <li>{text('more', { count: hiddenCount })}</li>}
        </ul>
      )}
      {delivery && (
        <p class="small">
          <a href={`#${LIMITS}`}>{text('notProved')}</a>
        </p>
      )}
    </section>
  );
}

/** Returns what the page of the link says first, as far as its history proves it: not the name of who sent files to a request. */
function toAnswer({ created, openingCount, last, ...delivery }: Delivery, i18n: I18n): string {
  const { fetchCount, lastFetch, unsentCount } = delivery;
  const { type, text, fileCount, viewCount, requestShortCode, encrypted } = created?.details ?? {};
  const isFile = type === 'DOWNLOAD' && text !== true;
  const formatTime = (at: Date): string => i18n.t('answer.at', { time: i18n.format.shortDateTime(at) });
  const count = encrypted === true ? undefined : Number(fileCount ?? 1);
  const received =
    created && requestShortCode !== undefined
      ? `${toReceivedText({ count, at: created.at }, { ...i18n, formatTime })} `
      : '';
  const opened = toAnswerText(
    {
      viewCount: openingCount + fetchCount + Number(viewCount ?? 0), // with those before the link was imported
      lastOpenedAt: last?.at,
      newest: last,
      fetchCount,
      lastFetch,
      unsentCount: requestShortCode === undefined ? unsentCount : 0, // the views of what arrived are downloads
      isRequest: type === 'REQUEST',
      fileCount: isFile ? Number(fileCount ?? 1) : undefined,
    },
    i18n,
  );
  return received + opened;
}

/** With more entries than these, the list is closed: what the history does not prove must be seen too. */
const MAX_OPEN = 30;

function History({ delivery }: Pick<CheckedFiles, 'delivery'>) {
  const { t, format } = useI18n();
  const text = useVerifyTexts();
  const textOfRecipients = useRecipientTexts();
  const lines = foldRequests(delivery.latest);
  const combined = toCombinedText(lines, t);
  const details = delivery.created?.details ?? {};
  const detailOf = (name: string): string => (typeof details[name] === 'string' ? details[name] : '');
  const { sizeBytes, fileCount, requestShortCode } = details;
  const isSet = typeof fileCount === 'number';
  const name = nameOfFiles({ name: detailOf('fileName'), ...(isSet && { fileCount }) }, t);
  const files = isSet && t('files.count', { count: fileCount });
  const content: Fact[] = [
    [t('label'), requestShortCode === undefined && detailOf('label')], // that of received files is their sender
    [t('term.fileName'), [name, files].filter(Boolean).join(' · ')],
    [t('term.size'), typeof sizeBytes === 'number' && format.bytes(sizeBytes)],
    [t('request.message'), detailOf('requestMessage')],
    [t('record.recipient'), detailOf('recipient'), true],
  ];
  return (
    <section class="card column card-wide break" aria-labelledby="time-line-title">
      <h2 id="time-line-title">{text('timeline')}</h2>
      <DeliveryFacts delivery={delivery} before={content} />
      {delivery.recipients.length > 0 && (
        <>
          <h3>{textOfRecipients('title')}</h3>
          <RecipientList recipients={delivery.recipients} />
        </>
      )}
      {lines.length > MAX_OPEN ? (
        <details>
          <summary>{text('entries')}</summary>
          <TimeLine delivery={delivery} lines={lines} />
        </details>
      ) : (
        <TimeLine delivery={delivery} lines={lines} />
      )}
      <PreviewNote items={lines.map(({ entry }) => entry)} />
      {combined && <p class="soft small">{combined}</p>}
    </section>
  );
}

type FileProps = {
  statement: Statement | undefined;
  created: ChangeEntry | undefined;
  /** Whether the link has several files now, which the saved history may list. */
  isSet: boolean;
  files: readonly ListedFile[];
};

const TONES: { [Code in StatementCode]?: string } = {
  SAME_FILE: 'good',
  ONE_OF_FILES: 'good',
  OTHER_FILE: 'bad',
};

/** Opens the part of the form with the field for a file. */
function showCompared(): void {
  const field = document.getElementById('compared');
  const details = field?.closest('details');
  if (details) details.open = true;
  field?.focus();
}

/** The files of a link with several, and whether the chosen one is that of the link. */
function FileCheck({ statement, created, isSet, files }: FileProps) {
  const text = useVerifyTexts();
  const textOfStatement = useStatementText();
  const { type, text: isText } = created?.details ?? {};
  if (!statement && (type !== 'DOWNLOAD' || isText === true)) return null;
  const isComparable = !isSet || files.length > 0;
  const tone = statement ? (TONES[statement.code] ?? 'warn') : 'plain';
  return (
    <section class={`card column card-wide break verify-file verify-${tone}`} aria-labelledby="file-title">
      <h2 id="file-title">{text('fileTitle')}</h2>
      <p class="row">
        {statement && <Icon path={tone === 'good' ? CHECK : WARNING} />}
        {statement && textOfStatement(statement)}
        {!statement && isComparable && (
          <>
            <span>{text('noCompared')}</span>
            <button type="button" class="button" onClick={showCompared}>
              {text('file')}
            </button>
          </>
        )}
        {!statement && !isComparable && text('setOfFiles')}
      </p>
      {files.length > 0 && <FilesWithHashes files={files} />}
    </section>
  );
}

/** What the check found unchanged, and with what. Below what happened, which most readers ask. */
function Checked({ statements }: { statements: Statement[] }) {
  const text = useVerifyTexts();
  const textOfStatement = useStatementText();
  return (
    <section class="card column card-wide break verify-checked" aria-labelledby="checked-title">
      <h2 id="checked-title">{text('checked')}</h2>
      <ul>
        {statements.map((statement, index) => (
          <li key={index}>{textOfStatement(statement)}</li>
        ))}
      </ul>
    </section>
  );
}

type LimitsProps = {
  isCompared: boolean;
  /** Later entries are not covered. */
  isPartly: boolean;
  created: ChangeEntry | undefined;
};

/** Returns what no history of such a link proves. */
function limitsOf(created: ChangeEntry | undefined) {
  const { type, requestShortCode } = created?.details ?? {};
  if (type === 'REQUEST') return ['notSender', 'notWhich', 'notClock'] as const;
  if (requestShortCode !== undefined) return ['notSender', 'notDownloader', 'notClock'] as const;
  return ['notWho', 'notRead', 'notClock'] as const;
}

/** What the history does not prove, and what would. */
function Limits({ isCompared, isPartly, created }: LimitsProps) {
  const text = useVerifyTexts();
  return (
    <section class="card column card-wide" aria-labelledby={LIMITS}>
      <h2 id={LIMITS}>{text('notProved')}</h2>
      <ul>
        {!isCompared && <li>{text('notCompared')}</li>}
        {isPartly && <li>{text('notLater')}</li>}
        {limitsOf(created).map((limit) => (
          <li key={limit}>{text(limit)}</li>
        ))}
      </ul>
    </section>
  );
}
