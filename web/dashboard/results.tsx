import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { AccessResult } from '../service/statistics.ts';
import { PartsCard } from './parts-card.tsx';
import { spanText } from './span-text.ts';
import type { Snapshot } from './use-snapshot.ts';

const RESULTS = {
  SUCCESS: { label: 'access.success', colour: '--chart-success' },
  EXPIRED: { label: 'access.expired', colour: '--chart-expired' },
  VIEW_LIMIT_REACHED: { label: 'access.viewLimit', colour: '--chart-view-limit' },
  REVOKED: { label: 'access.revoked', colour: '--chart-revoked' },
  NOT_FOUND: { label: 'access.notFound', colour: '--chart-not-found' },
  PASSWORD_REQUIRED: { label: 'access.passwordRequired', colour: '--chart-password-required' },
  INVALID_PASSWORD: { label: 'access.invalidPassword', colour: '--chart-invalid-password' },
  UNEXPECTED_STATE: { label: 'access.unexpectedState', colour: '--chart-unexpected' },
} as const satisfies Record<AccessResult, { label: MessageKey; colour: string }>;

/** What attempts came to, as parts of all of them. */
export function Results({ statistics: { results, previewCount }, span }: Snapshot) {
  const { t, format } = useI18n();
  return (
    <PartsCard
      id="results"
      title={t('chart.results')}
      subtitle={spanText(span, format)}
      headings={{ name: 'result', part: t('column.result'), count: t('figure.attempts') }}
      parts={results.map(({ result, count }) => ({
        name: result,
        label: t(RESULTS[result].label),
        colour: RESULTS[result].colour,
        value: count,
      }))}
      empty={t('board.noAttempts')}
    >
      {previewCount > 0 && <p class="soft small">{t('chart.previews', { count: previewCount })}</p>}
    </PartsCard>
  );
}
