import { useI18n } from '../i18n/i18n.tsx';
import { BarCard } from './bar-card.tsx';
import type { Snapshot } from './use-snapshot.ts';

/** Attempts by hour of the day. */
export function AttemptsByHour({ statistics, span }: Snapshot) {
  const { t, format } = useI18n();
  const counts = new Map(statistics.hours.map(({ hour, count }) => [hour, count]));
  const columns = [
    { name: 'hour', heading: t('column.hour') },
    { name: 'count', heading: t('figure.attempts'), colour: '--chart-plain' },
  ];
  const rows = Array.from({ length: 24 }, (_, hour) => {
    const label = format.hourOfDay(hour);
    return { name: hour, label, tick: hour % 3 === 0 ? label : null, counts: [counts.get(hour) ?? 0] };
  });
  return <BarCard id="hours" title={t('chart.hours')} span={span} table={{ columns, rows }} />;
}
