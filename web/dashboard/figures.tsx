import { useI18n } from '../i18n/i18n.tsx';
import type { Statistics } from '../service/statistics.ts';

/** What came of all attempts of the range, in four figures. */
export function Figures({ statistics: { summary } }: { statistics: Statistics }) {
  const { t, format } = useI18n();
  const { total, success, failed, expired, uniqueOrigins } = summary;
  return (
    <dl class="figures">
      <Figure
        name={t('figure.attempts')}
        value={format.number(total)}
        note={t('figure.refused', { count: failed })}
      />
      <Figure
        name={t('figure.successRate')}
        value={total === 0 ? '–' : format.percent(summary.accessEfficiencyRatio)}
        note={t('figure.opened', { count: success })}
      />
      <Figure
        name={t('figure.expiryRate')}
        value={total === 0 ? '–' : format.percent(summary.expirationAttritionRate)}
        note={t('figure.expired', { count: expired })}
      />
      <Figure
        name={t('figure.origins')}
        value={format.number(uniqueOrigins)}
        note={t('figure.originsHint')}
      />
    </dl>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div class="card figure">
      <dt>{name}</dt>
      <dd class="figure-value">{value}</dd>
      <dd class="soft small">{note}</dd>
    </div>
  );
}
