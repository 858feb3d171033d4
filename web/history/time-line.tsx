import { Fragment, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import type { AttemptEntry } from '../service/contract.ts';
import { type Entry, numbersOf } from '../service/history.ts';
import { type Term, Terms } from '../shell/terms.tsx';
import { type Owner, toSenderText } from './author-texts.ts';
import type { Delivery } from './delivery.ts';
import { OtherLink } from './entry-notes.tsx';
import { toClientText, toEntryTexts } from './entry-texts.ts';
import type { FileSet } from './file-set.tsx';
import { OwnerContext } from './owner-context.ts';
import { findGap, type Line } from './time-lines.ts';
import { useVerifyTexts } from './verify-texts.ts';

export type Fact = readonly [
  name: string,
  value: string | VNode | false | null | undefined,
  /** Of a row of its own, however short the value is. */
  isWide?: boolean,
];
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
  const owner = useContext(OwnerContext);
  const text = useVerifyTexts();
  const { created, openingCount, first, last, completedAt } = delivery;
  const [sender, saved] = [owner, undefined].map((each) => created && toSenderText(created, t, each));
  const time = (at: string): string => format.time(new Date(at));
  const hasOtherViews = Number(created?.details['viewCount'] ?? 0) > 0; // before the link was imported
  const isReceived = typeof created?.details['requestShortCode'] === 'string';
  const isFile = created?.details['type'] === 'DOWNLOAD' && created.details['text'] !== true;
  const opening = ({ at, recipientAddress, ipAddress, userAgent }: AttemptEntry): string =>
    [time(at), recipientAddress, ipAddress, toClientText(userAgent, t)].filter(Boolean).join(' · ');
  const openings: Fact[] = [
    [
      t('record.firstOpened'),
      !isPartial && (first ? opening(first) : !hasOtherViews && t('answer.none')),
      first !== undefined,
    ],
    [t('column.lastOpened'), (openingCount > 1 || isPartial) && last && opening(last), true],
    [
      t('record.completed'),
      openingCount > 0 && isFile && (completedAt ? time(completedAt) : t('term.no')),
      true,
    ],
  ];
  const facts: Fact[] = [
    ...before,
    [
      t('record.by'),
      sender && saved && sender !== saved ? text('savedName', { sender, saved }) : sender,
      isReceived, // that label is long
    ],
    [
      t(isReceived ? 'record.received' : 'record.available'),
      created && time(created.at),
      !isReceived && openingCount > 0, // the openings after it have long values: so none moves before it
    ],
    // Downloads of what arrived, mostly by its owner, prove nothing about the sender.
    ...(isReceived ? [] : openings),
    ...after,
  ];
  return <Terms terms={facts.filter((fact): fact is Term => Boolean(fact[1]))} />;
}

type Props = {
  delivery: Pick<Delivery, 'lastNumber'>;
  /** Those that are shown, oldest first. */
  lines: Line[];
  fileSet?: FileSet | undefined;
};

/** The entries of a history in words, oldest first. */
export function TimeLine({ delivery: { lastNumber }, lines, fileSet }: Props) {
  const { t } = useI18n();
  const gap = findGap(lines, lastNumber);
  const note = <li class="soft small time-line-gap">{t('record.between')}</li>;
  return (
    <ol class="plain time-line">
      {lines.map((line, index) => (
        <Fragment key={line.entry.id}>
          {index === gap && note}
          <Event {...line} fileSet={fileSet} />
        </Fragment>
      ))}
      {lines.length === gap && note}
    </ol>
  );
}

function Event({ entry, repeats, steps = [], fileSet }: Line & { fileSet?: FileSet | undefined }) {
  const i18n = useI18n();
  const { format } = i18n;
  const owner = useContext(OwnerContext);
  const { label, otherCode } = toEntryTexts(entry, { ...i18n, fileSet });
  const last = repeats.at(-1);
  const numbers = [...steps, entry].flatMap(numbersOf).map(format.number).join(', ');
  return (
    <li>
      <span class="soft">{last ? `${numbers} … ${format.number(last.number)}` : numbers}</span>
      <span>
        {[entry, ...(last ? [last] : [])].map(({ id, at }) => (
          <time key={id} dateTime={at}>
            {format.time(new Date(at))}
          </time>
        ))}
      </span>
      <span class="time-line-event">
        {label} <OtherLink code={otherCode} />
        {last && `× ${format.number(repeats.length + 1)}`}
      </span>
      <span class="soft">{toVisitorText([entry, ...repeats], { ...i18n, owner })}</span>
    </li>
  );
}

/** Returns who made entries: their IP addresses, and the program if it was one. */
function toVisitorText(entries: Entry[], options: I18n & { owner: Owner }): string {
  const texts = entries.map((entry) => toEntryTexts(entry, options));
  const [first, second, ...more] = new Set(texts.map(({ address }) => address).filter(Boolean));
  const clients = [...new Set(texts.map(({ client }) => client))];
  const addresses = [first, second, more.length > 0 && '…'].filter(Boolean).join(', ');
  return [addresses, clients.length === 1 && clients[0]].filter(Boolean).join(' · ');
}
