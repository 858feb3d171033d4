import type { VNode } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import type { AttemptEntry } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';
import { Terms } from '../shell/terms.tsx';
import { toSenderText } from './author-texts.ts';
import type { Delivery } from './delivery.ts';
import { numbersOf, OtherLink } from './entry-notes.tsx';
import { toClientText, toEntryTexts } from './entry-texts.ts';
import type { FileSet } from './file-set.tsx';

export type Fact = readonly [name: string, value: string | VNode | false | null | undefined];
type FactsProps = {
  delivery: Delivery;
  /** True where older entries were not read: the first opening may be among them. */
  isPartial?: boolean;
  before?: Fact[];
  after?: Fact[];
};

/** What was made available to whom and by whom, and when it was opened and sent completely. */
export function DeliveryFacts({ delivery, isPartial = false, before = [], after = [] }: FactsProps) {
  const i18n = useI18n();
  const { t, format } = i18n;
  const { created, openingCount, first, last, completedAt } = delivery;
  const time = (at: string): string => format.time(new Date(at));
  const hasOtherViews = Number(created?.details['viewCount'] ?? 0) > 0; // before the link was imported
  const isFile = created?.details['type'] === 'DOWNLOAD' && created.details['text'] !== true;
  const opening = ({ at, ipAddress, userAgent }: AttemptEntry): string =>
    [time(at), ipAddress, toClientText(userAgent, t)].filter(Boolean).join(' · ');
  const facts: Fact[] = [
    ...before,
    [t('record.by'), created && toSenderText(created, t)],
    [t('record.available'), created && time(created.at)],
    [t('record.firstOpened'), !isPartial && (first ? opening(first) : !hasOtherViews && t('answer.none'))],
    [t('column.lastOpened'), (openingCount > 1 || isPartial) && last && opening(last)],
    [t('record.completed'), openingCount > 0 && isFile && (completedAt ? time(completedAt) : t('term.no'))],
    ...after,
  ];
  return <Terms terms={facts.filter((fact): fact is [string, string | VNode] => Boolean(fact[1]))} />;
}

type Props = {
  delivery: Delivery;
  /** Shows the creation and the latest of more entries. */
  max: number;
  fileSet?: FileSet | undefined;
};

/** The entries of a history in words, oldest first. */
export function TimeLine({ delivery: { created, latest }, max, fileSet }: Props) {
  const { t } = useI18n();
  const isWhole = latest.length <= max && latest[0]?.number === 1;
  const shown = isWhole ? latest : latest.slice(created ? 1 - max : -max).filter((each) => each !== created);
  return (
    <ol class="plain time-line">
      {!isWhole && created && <Event entry={created} />}
      {!isWhole && <li class="soft small time-line-gap">{t('record.between')}</li>}
      {shown.map((entry) => (
        <Event key={entry.id} entry={entry} fileSet={fileSet} />
      ))}
    </ol>
  );
}

function Event({ entry, fileSet }: { entry: Entry; fileSet?: FileSet | undefined }) {
  const i18n = useI18n();
  const { label, otherCode, time, address, client } = toEntryTexts(entry, { ...i18n, fileSet });
  return (
    <li>
      <span class="soft">{numbersOf(entry).map(i18n.format.number).join(', ')}</span>
      <time dateTime={entry.at}>{time}</time>
      <span class="time-line-event">
        {label} <OtherLink code={otherCode} />
      </span>
      <span class="soft">{[address, client].filter(Boolean).join(' · ')}</span>
    </li>
  );
}
