import { RingCard } from '../charts/ring-card.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkStatus } from '../service/contract.ts';
import type { Statistics } from '../service/statistics.ts';
import { LINK_STATUS_LABELS } from '../shell/labels.ts';

/** The number of links in each status. */
export function LinksByStatus({ counts }: { counts: Statistics['linkCounts'] }) {
  const { t } = useI18n();
  const slice = (name: LinkStatus, colour: string, value: number) => ({
    name,
    label: t(LINK_STATUS_LABELS[name]),
    colour,
    value,
  });
  return (
    <RingCard
      id="links"
      title={t('chart.statuses')}
      subtitle={t('board.now')}
      columns={[
        { name: 'status', heading: t('column.status') },
        { name: 'count', heading: t('column.links') },
      ]}
      slices={[
        slice('ACTIVE', '--chart-success', counts.active),
        slice('EXPIRED', '--chart-expired', counts.expired),
        slice('REVOKED', '--chart-revoked', counts.revoked),
      ]}
      emptyText={t('board.noLinks')}
      footer={<p class="soft small">{t('chart.statusesNote')}</p>}
    />
  );
}
