import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { Component, Health, HealthStatus } from '../service/health.ts';
import { Card } from './card.tsx';

const STATUS_LABELS = {
  UP: 'health.up',
  DOWN: 'health.down',
  OUT_OF_SERVICE: 'health.outOfService',
} as const satisfies Record<HealthStatus, MessageKey>;
const COMPONENT_LABELS = {
  database: 'health.database',
  storage: 'health.storage',
  scheduler: 'health.scheduler',
} as const satisfies Record<Component, MessageKey>;
const COMPONENTS = ['database', 'storage', 'scheduler'] as const satisfies Component[];

/** Whether the service can do its work, and what of it cannot. */
export function HealthCard({ health }: { health: Health | null | undefined }) {
  const { t } = useI18n();
  return (
    <Card id="health" title={t('health.title')} subtitle={t('board.now')} isWide>
      <dl class="health">
        <div>
          <dt>{t('health.service')}</dt>
          <dd>
            {health && <Status status={health.status} />}
            {health === null && (
              <span class="badge" data-status="DOWN">
                {t('health.unreachable')}
              </span>
            )}
          </dd>
        </div>
        {COMPONENTS.map((component) => {
          const told = health?.components?.[component];
          return (
            told && (
              <div key={component}>
                <dt>{t(COMPONENT_LABELS[component])}</dt>
                <dd>
                  <Status status={told.status} />
                </dd>
              </div>
            )
          );
        })}
      </dl>
    </Card>
  );
}

function Status({ status }: { status: HealthStatus }) {
  const { t } = useI18n();
  return (
    <span class="badge" data-status={status}>
      {t(STATUS_LABELS[status])}
    </span>
  );
}
