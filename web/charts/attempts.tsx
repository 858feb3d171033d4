import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import type { Format } from '../i18n/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { AccessResult, Period } from '../service/contract.ts';
import { REFUSALS } from '../service/results.ts';
import type { Span, Statistics } from '../service/statistics.ts';
import { ACCESS_RESULT_LABELS, colourOfResult } from '../shell/labels.ts';
import { BarCard } from './bar-card.tsx';
import { delayOf, fillGaps, formatSpan } from './range.ts';
import { RingCard } from './ring-card.tsx';

/** Attempts in each hour or day of the range. */
export function AttemptsOverTime({ periods, span }: { periods: Period[]; span: Span }) {
  const { t, format } = useI18n();
  const { zone = 'UTC' } = span;
  const formatPeriod = span.unit === 'hour' ? format.utcHour : format.utcDay;
  const hasRequests = periods.some(({ passwordRequests }) => passwordRequests > 0);
  const requestColumn = {
    name: 'passwordRequests',
    heading: t('access.requested'),
    colour: '--chart-password-required',
  };
  const columns = [
    { name: 'start', heading: t('column.start', { zone }) },
    { name: 'total', heading: t('figure.attempts') },
    { name: 'success', heading: t('access.success'), colour: '--chart-success' },
    { name: 'failed', heading: t('access.refused'), colour: '--chart-refused' },
    ...(hasRequests ? [requestColumn] : []),
  ];
  const delayMs = span.unit === 'hour' ? delayOf(span) : 0;
  const rows = fillGaps(periods, span).map(({ start, total, success, failed, passwordRequests }) => {
    const at = new Date(Date.parse(start) + delayMs);
    return {
      name: zone === 'UTC' ? start : at.toISOString().slice(0, 16),
      label: formatPeriod(at),
      tick: toTick(format, span, at),
      counts: [total, success, failed, ...(hasRequests ? [passwordRequests] : [])],
    };
  });
  return <BarCard id="over-time" title={t('chart.overTime')} span={span} isWide table={{ columns, rows }} />;
}

/** Labels the hours of a single day, otherwise the first hour of each day. */
function toTick(format: Format, { start, end, unit }: Span, at: Date): string | null {
  const isOneDay = end.getTime() - start.getTime() <= DAY_MS;
  if (unit === 'hour' && isOneDay) return format.hourOfDay((at.getTime() % DAY_MS) / HOUR_MS);
  return at.getUTCHours() === 0 ? format.utcDay(at) : null;
}

/** Attempts by hour of the day. */
export function AttemptsByHour({ statistics, span }: { statistics: Statistics; span: Span }) {
  const { t, format } = useI18n();
  const { zone = 'UTC' } = span;
  const counts = new Map(statistics.hours.map(({ hour, count }) => [hour, count]));
  const columns = [
    { name: 'hour', heading: t('column.hour', { zone }) },
    { name: 'count', heading: t('figure.attempts'), colour: '--chart-plain' },
  ];
  const rows = Array.from({ length: 24 }, (_, hour) => {
    const label = format.hourOfDay(hour + delayOf(span) / HOUR_MS);
    return { name: hour, label, tick: hour % 3 === 0 ? label : null, counts: [counts.get(hour) ?? 0] };
  });
  return <BarCard id="hours" title={t('chart.hours')} span={span} table={{ columns, rows }} />;
}

type ResultsProps = {
  results: Statistics['results'];
  span: Span;
  /** The number of client addresses. */
  origins?: number;
};

/** The results of all attempts, as shares, with the reasons of refusals. Previews are not attempts and stand below. */
export function Results({ results, span, origins }: ResultsProps) {
  const { t, format } = useI18n();
  const counts = new Map<string, number>(results.map(({ result, count }) => [result, count]));
  const previews = (counts.get('PREVIEW') ?? 0) + (counts.get('PREVIEW_INVALID_PASSWORD') ?? 0);
  const sliceOf = (name: AccessResult) => ({
    ...{ name, label: t(ACCESS_RESULT_LABELS[name]), colour: colourOfResult(name) },
    value: counts.get(name) ?? 0,
  });
  const reasons = REFUSALS.map(sliceOf).sort((a, b) => b.value - a.value);
  const refused = {
    ...{ name: 'REFUSED', label: t('access.refused'), colour: '--chart-refused', parts: reasons },
    value: reasons.reduce((sum, { value }) => sum + value, 0),
  };
  const facts = [
    origins !== undefined && `${t('figure.origins')}: ${format.number(origins)}`,
    previews > 0 && t('chart.previews', { count: previews }),
  ].filter(Boolean);
  return (
    <RingCard
      id="results"
      title={t('chart.results')}
      subtitle={formatSpan(span, format)}
      columns={[
        { name: 'result', heading: t('chart.results') },
        { name: 'count', heading: t('figure.attempts') },
      ]}
      slices={[sliceOf('SUCCESS'), refused, sliceOf('PASSWORD_REQUIRED'), sliceOf('RECIPIENT_REQUIRED')]}
      emptyText={t('board.noAttempts')}
      footer={facts.length > 0 && <p class="soft small">{facts.join(' · ')}</p>}
    />
  );
}
