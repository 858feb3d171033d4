import { useI18n } from '../i18n/i18n.tsx';
import type { Statistics } from '../service/statistics.ts';

/** The totals of all attempts in the range. */
export function Figures({ statistics: { summary } }: { statistics: Statistics }) {
  const { t, format } = useI18n();
  const { total, success, failed, expired } = summary;
  const percentOfAttempts = (percent: number) => (total === 0 ? '–' : format.percent(percent));
  return (
    <dl class="figures">
      <Figure
        name={t('figure.attempts')}
        value={format.number(total)}
        note={t('figure.notOpened', { count: failed })}
      />
      <Figure
        name={t('figure.successRate')}
        value={percentOfAttempts(summary.accessEfficiencyRatio)}
        note={t('figure.opened', { count: success })}
      />
      <Figure
        name={t('figure.expiryRate')}
        value={percentOfAttempts(summary.expirationAttritionRate)}
        note={t('figure.expired', { count: expired })}
      />
      <Figure name={t('figure.origins')} value={format.number(summary.uniqueOrigins)} />
    </dl>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div class="card figure">
      <dt>{name}</dt>
      <dd class="figure-value">{value}</dd>
      {note && <dd class="soft small">{note}</dd>}
    </div>
  );
}
