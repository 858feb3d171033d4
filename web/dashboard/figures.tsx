import { useI18n } from '../i18n/i18n.tsx';
import type { Statistics, Totals } from '../service/statistics.ts';

/** The totals of all attempts in the range, and how they have changed since the period before. */
export function Figures({ statistics }: { statistics: Statistics }) {
  const { t, format } = useI18n();
  const { summary, decided, passwordPages, successRate, expiryRate } = toFigures(statistics);
  const { total, success, failed, expired, uniqueOrigins } = summary;
  const before = statistics.before && toFigures(statistics.before);
  const percent = (rate: number | null) => (rate === null ? '–' : format.percent(rate));
  const changeOf = (now: number, former: number | undefined): string | undefined => {
    if (former === undefined || (former === 0 && now === 0)) return undefined;
    if (former === 0) return t('figure.noneBefore');
    return t('figure.change', { change: format.change((100 * (now - former)) / former, 'percent') });
  };
  const pointsOf = (now: number | null, former: number | null | undefined): string | undefined =>
    typeof former === 'number' && now !== null
      ? t('figure.points', { change: format.change(now - former, 'number') })
      : undefined;
  const shareOf = (count: number) => t('countOf', { count, max: format.number(decided) });
  const notes = [
    t('figure.notOpened', { count: Math.max(0, failed - passwordPages) }),
    passwordPages > 0 && `${t('access.passwordRequired')}: ${format.number(passwordPages)}`,
  ];
  return (
    <dl class="figures">
      <Figure
        name={t('figure.attempts')}
        value={format.number(total)}
        note={notes.filter(Boolean).join(' · ')}
        change={changeOf(total, before?.summary.total)}
      />
      <Figure
        name={t('figure.successRate')}
        value={percent(successRate)}
        note={shareOf(success)}
        change={pointsOf(successRate, before?.successRate)}
      />
      <Figure
        name={t('figure.expiryRate')}
        value={percent(expiryRate)}
        note={shareOf(expired)}
        change={pointsOf(expiryRate, before?.expiryRate)}
      />
      <Figure
        name={t('figure.origins')}
        value={format.number(uniqueOrigins)}
        change={changeOf(uniqueOrigins, before?.summary.uniqueOrigins)}
      />
    </dl>
  );
}

/** Rates are in percent of the attempts without password pages: a visitor who sees one has not failed yet. */
function toFigures({ summary, results }: Totals) {
  const passwordPages = results.find(({ result }) => result === 'PASSWORD_REQUIRED')?.count ?? 0;
  const decided = summary.total - passwordPages;
  const rateOf = (part: number) => (decided <= 0 ? null : (100 * part) / decided);
  const [successRate, expiryRate] = [rateOf(summary.success), rateOf(summary.expired)];
  return { summary, decided, passwordPages, successRate, expiryRate };
}

type FigureProps = { name: string; value: string; note?: string; change: string | undefined };

function Figure({ name, value, note, change }: FigureProps) {
  return (
    <div class="card figure">
      <dt class="soft">{name}</dt>
      <dd class="figure-value">{value}</dd>
      {note && <dd class="soft small">{note}</dd>}
      {change && <dd class="soft small figure-change">{change}</dd>}
    </div>
  );
}
