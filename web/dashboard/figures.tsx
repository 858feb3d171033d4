import { useI18n } from '../i18n/i18n.tsx';
import type { Translate } from '../i18n/translate.ts';
import { REFUSALS } from '../service/results.ts';
import type { Totals } from '../service/statistics.ts';
import { ACCESS_RESULT_LABELS } from '../shell/labels.ts';
import type { Snapshot } from './use-snapshot.ts';

/** The reasons of refusals that are named, with the rest in one number; the chart of results has all. */
const MAX_REASONS = 3;

/** What became of the links of the range, and how that has changed since the period before. */
export function Figures({ statistics }: Snapshot) {
  const { t, ofRequests, format } = useI18n();
  const { sent, before } = statistics;
  const changeOf = (countIn: (totals: Totals) => number): string | undefined => {
    if (!before) return undefined;
    const [now, former] = [countIn(statistics), countIn(before)];
    if (now === former) return now === 0 ? undefined : t('figure.same');
    if (former === 0) return t('figure.noneBefore');
    return t('figure.change', { change: format.change(now - former) });
  };
  const ended = sent.endedUnopened - sent.requests.endedUnopened;
  const hasRequests = sent.requests.total + sent.received + (before?.sent.received ?? 0) > 0;
  return (
    <dl class="figures">
      <Figure
        name={t('figure.sent')}
        value={countSent(statistics)}
        note={sent.isTruncated && t('figure.truncated', { count: 20_000 })}
        change={changeOf(countSent)}
      />
      <Figure name={t('figure.opened')} value={countOpened(statistics)} change={changeOf(countOpened)} />
      <Figure
        name={t('figure.unopened')}
        value={countUnopened(statistics)}
        note={ended > 0 && t('figure.ended', { count: ended })}
        change={changeOf(countUnopened)}
      />
      {hasRequests && (
        <Figure
          name={ofRequests('views')}
          value={sent.received}
          note={t('figure.requests', { count: sent.requests.total })}
          change={changeOf((totals) => totals.sent.received)}
        />
      )}
      <Figure
        name={t('figure.refused')}
        value={countRefused(statistics)}
        note={toReasonTexts(statistics, t)
          .map(([name, count]) => `${name}: ${format.number(count)}`)
          .join(' · ')}
        change={changeOf(countRefused)}
      />
    </dl>
  );
}

/** Counts the links that lead visitors to something. A file request sends nothing, and has a number of its own. */
function countSent({ sent }: Totals): number {
  return sent.total - sent.requests.total;
}

function countOpened({ sent }: Totals): number {
  return sent.opened - sent.requests.opened;
}

function countUnopened(totals: Totals): number {
  return countSent(totals) - countOpened(totals);
}

/** Returns the most frequent reasons of refusals with their counts, and the count of the others, which together are all. */
function toReasonTexts(totals: Totals, t: Translate): [name: string, count: number][] {
  const reasons = findReasons(totals);
  const named = reasons.slice(0, reasons.length > MAX_REASONS ? MAX_REASONS - 1 : MAX_REASONS);
  const others = countRefused(totals) - named.reduce((sum, { count }) => sum + count, 0);
  return [
    ...named.map(({ result, count }): [string, number] => [t(ACCESS_RESULT_LABELS[result]), count]),
    ...(others > 0 ? [[t('figure.otherReasons'), others] as [string, number]] : []),
  ];
}

/** Returns the refused attempts by their reason, the most frequent first. */
function findReasons({ results }: Totals) {
  return REFUSALS.map((result) => ({
    result,
    count: results.find((each) => each.result === result)?.count ?? 0,
  }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

function countRefused(totals: Totals): number {
  return findReasons(totals).reduce((sum, { count }) => sum + count, 0);
}

type FigureProps = {
  name: string;
  value: number;
  note?: string | false;
  change: string | undefined;
};

function Figure({ name, value, note, change }: FigureProps) {
  const { format } = useI18n();
  return (
    <div class="card figure">
      <dt class="soft">{name}</dt>
      <dd class="figure-value">{format.number(value)}</dd>
      {note && <dd class="soft small">{note}</dd>}
      {change && <dd class="soft small figure-change">{change}</dd>}
    </div>
  );
}
