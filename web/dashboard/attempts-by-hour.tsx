import { useI18n } from '../i18n/i18n.tsx';
import { ChartCard } from './chart-card.tsx';
import { spanText } from './span-text.ts';
import type { Snapshot } from './use-snapshot.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** At what hour of the day attempts are made. */
export function AttemptsByHour({ statistics, span }: Snapshot) {
  const { t, format } = useI18n();
  const counts = new Map(statistics.hours.map(({ hour, count }) => [hour, count]));
  const values = HOURS.map((hour) => counts.get(hour) ?? 0);
  const labels = HOURS.map((hour) => format.hourOfDay(hour));
  return (
    <ChartCard
      id="hours"
      title={t('chart.hours')}
      subtitle={spanText(span, format)}
      table={{
        columns: [
          { name: 'hour', heading: t('column.hour') },
          { name: 'count', heading: t('figure.attempts') },
        ],
        rows: HOURS.map((hour) => [
          { raw: hour, shown: labels[hour] ?? '' },
          { raw: values[hour] ?? 0, shown: format.number(values[hour] ?? 0) },
        ]),
      }}
      drawing={{
        kind: 'bars',
        labels,
        ticks: labels.map((label, hour) => (hour % 3 === 0 ? label : null)),
        series: [{ label: t('figure.attempts'), colour: '--chart-plain', values }],
      }}
    />
  );
}
