import { useI18n } from '../i18n/i18n.tsx';
import { BarCard } from './bar-card.tsx';
import { spanText } from './span-text.ts';
import type { Snapshot } from './use-snapshot.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Attempts by hour of the day. */
export function AttemptsByHour({ statistics, span }: Snapshot) {
  const { t, format } = useI18n();
  const counts = new Map(statistics.hours.map(({ hour, count }) => [hour, count]));
  const rows = HOURS.map((hour) => ({
    name: hour,
    label: format.hourOfDay(hour),
    counts: [counts.get(hour) ?? 0],
  }));
  const labels = rows.map(({ label }) => label);
  const attempts = t('figure.attempts');
  return (
    <BarCard
      id="hours"
      title={t('chart.hours')}
      subtitle={spanText(span, format)}
      table={{
        columns: [
          { name: 'hour', heading: t('column.hour') },
          { name: 'count', heading: attempts },
        ],
        rows,
      }}
      chart={{
        kind: 'bars',
        labels,
        ticks: labels.map((label, hour) => (hour % 3 === 0 ? label : null)),
        series: [{ label: attempts, colour: '--chart-plain', values: rows.flatMap(({ counts }) => counts) }],
      }}
    />
  );
}
