import { useI18n } from '../i18n/i18n.tsx';
import type { LinkCounts } from '../service/statistics.ts';
import { PartsCard } from './parts-card.tsx';

/** How many links there are in each state. */
export function LinksByState({ counts: { active, expired, revoked } }: { counts: LinkCounts }) {
  const { t } = useI18n();
  return (
    <PartsCard
      id="links"
      title={t('chart.states')}
      subtitle={t('board.now')}
      headings={{ name: 'status', part: t('column.state'), count: t('column.links') }}
      parts={[
        { name: 'ACTIVE', label: t('status.active'), colour: '--chart-success', value: active },
        { name: 'EXPIRED', label: t('status.expired'), colour: '--chart-expired', value: expired },
        { name: 'REVOKED', label: t('status.revoked'), colour: '--chart-revoked', value: revoked },
      ]}
      empty={t('board.noLinks')}
    />
  );
}
