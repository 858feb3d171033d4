import { useI18n } from '../i18n/i18n.tsx';
import type { Statistics } from '../service/statistics.ts';

/** The totals of all attempts in the range. */
export function Figures({ statistics: { summary, results } }: { statistics: Statistics }) {
  const { t, format } = useI18n();
  const { total, success, failed, expired } = summary;
  // A visitor who sees the password page has not failed yet.
  const passwordPages = results.find(({ result }) => result === 'PASSWORD_REQUIRED')?.count ?? 0;
  const percentOf = (whole: number, part: number) =>
    whole <= 0 ? '–' : format.percent((100 * part) / whole);
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
      />
      <Figure
        name={t('figure.successRate')}
        value={percentOf(total - passwordPages, success)}
        note={t('figure.opened', { count: success })}
      />
      <Figure
        name={t('figure.expiryRate')}
        value={percentOf(total, expired)}
        note={t('figure.expired', { count: expired })}
      />
      <Figure name={t('figure.origins')} value={format.number(summary.uniqueOrigins)} />
    </dl>
  );
}

function Figure({ name, value, note }: { name: string; value: string; note?: string }) {
  return (
    <div class="card figure">
      <dt class="soft">{name}</dt>
      <dd class="figure-value">{value}</dd>
      {note && <dd class="soft small">{note}</dd>}
    </div>
  );
}
