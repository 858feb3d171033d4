import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { AccessResult } from '../service/contract.ts';
import { formatSpan } from './range.ts';
import { RingCard } from './ring-card.tsx';
import type { Snapshot } from './use-snapshot.ts';

/** The results in the order in which they are shown. */
const RESULTS = {
  SUCCESS: { label: 'access.success', colour: '--chart-success' },
  EXPIRED: { label: 'access.expired', colour: '--chart-expired' },
  VIEW_LIMIT_REACHED: { label: 'access.viewLimit', colour: '--chart-view-limit' },
  REVOKED: { label: 'access.revoked', colour: '--chart-revoked' },
  NOT_FOUND: { label: 'access.notFound', colour: '--chart-not-found' },
  PASSWORD_REQUIRED: { label: 'access.passwordRequired', colour: '--chart-password-required' },
  INVALID_PASSWORD: { label: 'access.invalidPassword', colour: '--chart-invalid-password' },
  UNEXPECTED_STATE: { label: 'access.unexpectedState', colour: '--chart-unexpected' },
  RATE_LIMITED: { label: 'access.rateLimited', colour: '--chart-rate-limited' },
} as const satisfies Record<AccessResult, { label: MessageKey; colour: string }>;

/** The results of all attempts, as shares. Previews are not attempts and stand below. */
export function Results({ statistics: { results }, span }: Snapshot) {
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
      slices={Object.entries(RESULTS).map(([name, { label, colour }]) => ({
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
