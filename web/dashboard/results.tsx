import { useI18n } from '../i18n/i18n.tsx';
import type { Span, Statistics } from '../service/statistics.ts';
import { ACCESS_RESULT_LABELS } from '../shell/access-results.ts';
import { formatSpan } from './range.ts';
import { RingCard } from './ring-card.tsx';

/** The results of all attempts, as shares. Previews are not attempts and stand below. */
export function Results({ results, span }: { results: Statistics['results']; span: Span }) {
  const { t, format } = useI18n();
  const counts = new Map<string, number>(results.map(({ result, count }) => [result, count]));
  const previews = (counts.get('PREVIEW') ?? 0) + (counts.get('PREVIEW_INVALID_PASSWORD') ?? 0);
  return (
    <RingCard
      id="results"
      title={t('chart.results')}
      subtitle={formatSpan(span, format)}
      columns={[
        { name: 'result', heading: t('chart.results') },
        { name: 'count', heading: t('figure.attempts') },
      ]}
      slices={Object.entries(ACCESS_RESULT_LABELS).map(([name, { label, colour }]) => ({
        name,
        label: t(label),
        colour,
        value: counts.get(name) ?? 0,
      }))}
      emptyText={t('board.noAttempts')}
      footer={previews > 0 && <p class="soft small">{t('chart.previews', { count: previews })}</p>}
    />
  );
}
