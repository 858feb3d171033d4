import { useEffect, useRef } from 'preact/hooks';
import { SHIELD, WARNING } from '../../src/common/icons.ts';
import {
  reasonNotToCheck,
  type Statement,
  type StatementCode,
} from '../../src/core/use-cases/history/exported/statements.ts';
import { PreviewNote } from '../history/entry-notes.tsx';
import { DeliveryFacts, type Fact, TimeLine } from '../history/time-line.tsx';
import { RequestWords, TimesInUtc, useI18n } from '../i18n/i18n.tsx';
import type { ChangeEntry } from '../service/contract.ts';
import { Icon } from '../shell/icon.tsx';
import { type CheckedFiles, MAX_SHOWN } from './check-files.ts';
import { statementText } from './statement-texts.ts';
import { useVerifyTexts } from './verify-texts.ts';

const TITLES = {
  bad: 'failed',
  good: 'passed',
  warn: 'consistent',
  partly: 'passedUpTo',
  otherFile: 'fileDiffers',
  notExported: 'notExported',
  unchecked: 'unchecked',
} as const;

/** The statements about the file that was chosen. The first two are findings. */
const OF_FILE: ReadonlySet<StatementCode> = new Set([
  ...(['OTHER_FILE', 'NO_FILE'] as const),
  ...(['SAME_FILE', 'FORMER_FILE', 'SEVERAL_FILES'] as const),
]);
const isOfFile = ({ code }: Statement): boolean => OF_FILE.has(code);

type Props = { check: CheckedFiles; isCompared: boolean };

/** The result of a check: of a history that has no finding also what happened, and what that does not prove. */
export function Result({ check, isCompared }: Props) {
  const { findings, proved, delivery } = check;
  const ofHistory = findings.shown.filter((each) => !isOfFile(each));
  const isWrong = ofHistory.length > 0;
  const file = [...findings.shown, ...proved].find(isOfFile);
  const hasOtherFile = file?.code === 'OTHER_FILE';
  const reason = reasonNotToCheck({ ...findings, shown: ofHistory });
  const [known = 0, count = 0] = [paramOf(proved, 'KNOWN', 'number'), paramOf(proved, 'COMPLETE', 'count')];
  const isPartly = known > 0 && known < count;
  const isProved = isCompared && !isPartly;
  const isShown = ({ code }: Statement): boolean => code !== 'FINGERPRINT' || !isProved; // it was entered
  const tone = reason ? 'warn' : isWrong || hasOtherFile ? 'bad' : isProved ? 'good' : 'warn';
  const found = hasOtherFile && !isWrong ? 'otherFile' : tone === 'warn' && isPartly ? 'partly' : tone;
  return (
    <>
      <Verdict
        tone={tone}
        title={reason ?? found}
        known={known}
        statements={isWrong ? findings.shown : proved.filter((each) => !isOfFile(each) && isShown(each))}
        hiddenCount={findings.count - findings.shown.length}
      />
      {!isWrong && (
        <TimesInUtc>
          <RequestWords isOn={delivery.created?.details['type'] === 'REQUEST'}>
            <History delivery={delivery} />
          </RequestWords>
          <FileCheck statement={file} created={delivery.created} />
          <Limits laterThan={isPartly ? known : undefined} />
        </TimesInUtc>
      )}
    </>
  );
}

function paramOf(statements: Statement[], code: StatementCode, name: string): number | undefined {
  const value = statements.find((each) => each.code === code)?.params[name];
  return typeof value === 'number' ? value : undefined;
}

/** Prepares the text of a statement. */
function useStatementText(): (statement: Statement) => string {
  const { t, format } = useI18n();
  const text = useVerifyTexts();
  return (statement) => statementText(statement, { text, button: t('proof.export'), format });
}

type Tone = 'good' | 'warn' | 'bad';
type VerdictProps = {
  tone: Tone;
  title: keyof typeof TITLES;
  /** The number of the entry whose fingerprint was known. */
  known: number;
  statements: Statement[];
  hiddenCount: number;
};

function Verdict({ tone, title, known, statements, hiddenCount }: VerdictProps) {
  const text = useVerifyTexts();
  const textOfStatement = useStatementText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView();
  }, []);
  return (
    <section
      class={`card column card-wide break verify-result verify-${tone}`}
      aria-labelledby="result-title"
    >
      <h2 id="result-title" class="row" ref={heading} tabIndex={-1}>
        <Icon path={tone === 'good' ? SHIELD : WARNING} />
        {text(TITLES[title], { number: String(known) })}
      </h2>
      <ul>
        {statements.map((statement, index) => (
          <li key={index}>{textOfStatement(statement)}</li>
        ))}
        {hiddenCount > 0 && <li>{text('more', { count: hiddenCount })}</li>}
      </ul>
    </section>
  );
}

/** With more entries than these, the list is closed: what the history does not prove must be seen too. */
const MAX_OPEN = 30;

function History({ delivery }: Pick<CheckedFiles, 'delivery'>) {
  const { t, format } = useI18n();
  const text = useVerifyTexts();
  const details = delivery.created?.details ?? {};
  const detailOf = (name: string): string => (typeof details[name] === 'string' ? details[name] : '');
  const { sizeBytes } = details;
  const content: Fact[] = [
    [t('label'), detailOf('label')],
    [t('term.fileName'), detailOf('fileName')],
    [t('term.size'), typeof sizeBytes === 'number' && format.bytes(sizeBytes)],
    [t('request.message'), detailOf('requestMessage')],
    [t('recipient'), detailOf('recipient')],
  ];
  return (
    <section class="card column card-wide break" aria-labelledby="time-line-title">
      <h2 id="time-line-title">{text('timeline')}</h2>
      <DeliveryFacts delivery={delivery} before={content} />
      {delivery.latest.length > MAX_OPEN ? (
        <details>
          <summary>{text('entries')}</summary>
          <TimeLine delivery={delivery} max={MAX_SHOWN} />
        </details>
      ) : (
        <TimeLine delivery={delivery} max={MAX_SHOWN} />
      )}
      <PreviewNote items={delivery.latest} />
    </section>
  );
}

type FileProps = { statement: Statement | undefined; created: ChangeEntry | undefined };

const TONES: { [Code in StatementCode]?: Tone } = { SAME_FILE: 'good', OTHER_FILE: 'bad' };

/** Whether the chosen file is that of the link. */
function FileCheck({ statement, created }: FileProps) {
  const text = useVerifyTexts();
  const textOfStatement = useStatementText();
  const { type, text: isText, fileCount } = created?.details ?? {};
  if (!statement && (type !== 'DOWNLOAD' || isText === true)) return null;
  const tone = (statement && TONES[statement.code]) ?? 'warn';
  return (
    <section class={`card column card-wide break verify-file verify-${tone}`} aria-labelledby="file-title">
      <h2 id="file-title">{text('fileTitle')}</h2>
      <p class={statement && 'row'}>
        {statement && <Icon path={tone === 'good' ? SHIELD : WARNING} />}
        {statement ? textOfStatement(statement) : text(fileCount === undefined ? 'noCompared' : 'setOfFiles')}
      </p>
    </section>
  );
}

/** @param props.laterThan the entry of the known fingerprint, if there are later ones */
function Limits({ laterThan }: { laterThan: number | undefined }) {
  const { format } = useI18n();
  const text = useVerifyTexts();
  return (
    <section class="card column card-wide" aria-labelledby="limits-title">
      <h2 id="limits-title">{text('notProved')}</h2>
      <ul>
        {laterThan !== undefined && <li>{text('notLater', { number: format.number(laterThan) })}</li>}
        <li>{text('notWho')}</li>
        <li>{text('notRead')}</li>
        <li>{text('notClock')}</li>
      </ul>
    </section>
  );
}
