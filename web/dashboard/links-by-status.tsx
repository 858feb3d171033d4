import { RingCard } from '../charts/ring-card.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { LinkStatus } from '../service/contract.ts';
import type { Statistics } from '../service/statistics.ts';

/** Lists show the states of links in more detail: a link that is used up keeps its status until the next attempt. */
const LABELS = {
  ACTIVE: 'status.active',
  EXPIRED: 'chart.ended',
  REVOKED: 'status.revoked',
} as const satisfies Record<LinkStatus, MessageKey>;

/** The number of links in each status. */
export function LinksByStatus({ counts }: { counts: Statistics['linkCounts'] }) {
  const { t } = useI18n();
  const slice = (name: LinkStatus, colour: string, value: number) => ({
    name,
    label: t(LABELS[name]),
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
      footer={<p class="soft small">{t('chart.statusesNote', { ended: t('chart.ended') })}</p>}
    />
  );
}
