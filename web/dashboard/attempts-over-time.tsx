import type { Format } from '../i18n/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { PeriodUnit, Span } from '../service/statistics.ts';
import { ChartCard } from './chart-card.tsx';
import { fillGaps } from './range.ts';
import { spanText } from './span-text.ts';
import type { Snapshot } from './use-snapshot.ts';

/** How many attempts there were in each hour or day of the range. */
export function AttemptsOverTime({ statistics, span }: Snapshot) {
  const { t, format } = useI18n();
  const periods = fillGaps(statistics.periods, span);
  const nameOf = (start: string) => writePeriod(format, span.unit, new Date(start));
  return (
    <ChartCard
      id="over-time"
      title={t('chart.overTime')}
      subtitle={spanText(span, format)}
      isWide
      table={{
        columns: [
          { name: 'start', heading: t('column.from') },
          { name: 'total', heading: t('figure.attempts') },
          { name: 'success', heading: t('access.success') },
          { name: 'failed', heading: t('access.refused') },
        ],
        rows: periods.map(({ start, total, success, failed }) => [
          { raw: start, shown: nameOf(start) },
          ...[total, success, failed].map((raw) => ({ raw, shown: format.number(raw) })),
        ]),
      }}
      drawing={{
        kind: 'bars',
        labels: periods.map(({ start }) => nameOf(start)),
        ticks: periods.map(({ start }) => tickOf(format, span, new Date(start))),
        series: [
          {
            label: t('access.success'),
            colour: '--chart-success',
            values: periods.map(({ success }) => success),
          },
          {
            label: t('access.refused'),
            colour: '--chart-refused',
            values: periods.map(({ failed }) => failed),
          },
        ],
      }}
    />
  );
}

function writePeriod(format: Format, unit: PeriodUnit, start: Date): string {
  return unit === 'hour' ? format.utcHour(start) : format.utcDay(start);
}

/** Hours are named where there is one day of them, else days, at their beginning. */
function tickOf(format: Format, { start, end, unit }: Span, at: Date): string | null {
  const hours = (end.getTime() - start.getTime()) / 3_600_000;
  if (unit === 'hour' && hours <= 24) return format.hourOfDay(at.getUTCHours());
  return at.getUTCHours() === 0 ? format.utcDay(at) : null;
}
