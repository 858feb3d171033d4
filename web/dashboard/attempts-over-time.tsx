import type { Format } from '../i18n/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { Span } from '../service/statistics.ts';
import { DAY_MS } from '../service/time-units.ts';
import { BarCard } from './bar-card.tsx';
import { fillGaps } from './range.ts';
import { spanText } from './span-text.ts';
import type { Snapshot } from './use-snapshot.ts';

/** Attempts in each hour or day of the range. */
export function AttemptsOverTime({ statistics, span }: Snapshot) {
  const { t, format } = useI18n();
  const formatPeriod = span.unit === 'hour' ? format.utcHour : format.utcDay;
  const periods = fillGaps(statistics.periods, span).map((period) => {
    const start = new Date(period.start);
    return { ...period, label: formatPeriod(start), tick: toTick(format, span, start) };
  });
  const [success, refused] = [t('access.success'), t('access.refused')];
  return (
    <BarCard
      id="over-time"
      title={t('chart.overTime')}
      subtitle={spanText(span, format)}
      isWide
      table={{
        columns: [
          { name: 'start', heading: t('column.start') },
          { name: 'total', heading: t('figure.attempts') },
          { name: 'success', heading: success },
          { name: 'failed', heading: refused },
        ],
        rows: periods.map(({ start, label, total, success, failed }) => ({
          name: start,
          label,
          counts: [total, success, failed],
        })),
      }}
      chart={{
        kind: 'bars',
        labels: periods.map(({ label }) => label),
        ticks: periods.map(({ tick }) => tick),
        series: [
          { label: success, colour: '--chart-success', values: periods.map(({ success }) => success) },
          { label: refused, colour: '--chart-refused', values: periods.map(({ failed }) => failed) },
        ],
      }}
    />
  );
}

/** Labels the hours of a single day, otherwise the first hour of each day. */
function toTick(format: Format, { start, end, unit }: Span, at: Date): string | null {
  const isOneDay = end.getTime() - start.getTime() <= DAY_MS;
  if (unit === 'hour' && isOneDay) return format.hourOfDay(at.getUTCHours());
  return at.getUTCHours() === 0 ? format.utcDay(at) : null;
}
