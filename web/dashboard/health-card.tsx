import { Card } from '../charts/card.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { Health } from '../service/contract.ts';

const STATUS_LABELS = {
  UP: 'health.up',
  DOWN: 'health.down',
  OUT_OF_SERVICE: 'health.outOfService',
} as const satisfies Record<Health['status'], MessageKey>;
const COMPONENT_LABELS = {
  database: 'health.database',
  storage: 'health.storage',
  scheduler: 'health.scheduler',
} as const satisfies Record<string, MessageKey>;

/** The health of the service and of its components. `health` is null when the service cannot be reached. */
export function HealthCard({ health }: { health: Health | null | undefined }) {
  const { t } = useI18n();
  return (
    <Card id="health" title={t('health.title')} subtitle={t('board.now')} isWide>
      <dl class="row health">
        <div class="row">
          <dt>{t('health.service')}</dt>
          {health && <Status status={health.status} label={t(STATUS_LABELS[health.status])} />}
          {health === null && <Status status="DOWN" label={t('health.unreachable')} />}
        </div>
        {Object.entries(COMPONENT_LABELS).map(([name, label]) => {
          const status = health?.components?.[name]?.status;
          return (
            status && (
              <div key={name} class="row">
                <dt>{t(label)}</dt>
                <Status status={status} label={t(STATUS_LABELS[status])} />
              </div>
            )
          );
        })}
      </dl>
    </Card>
  );
}

function Status({ status, label }: { status: Health['status']; label: string }) {
  return (
    <dd>
      <span class="badge" data-status={status}>
        {label}
      </span>
    </dd>
  );
}
