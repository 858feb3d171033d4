import { DAY_MS } from '../../src/links/time-units.ts';
import type { Format } from '../i18n/format.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { Span } from '../service/statistics.ts';
import { BarCard } from './bar-card.tsx';
import { fillGaps, type Period } from './range.ts';

/** Attempts in each hour or day of the range. */
export function AttemptsOverTime({ periods, span }: { periods: Period[]; span: Span }) {
  const { t, format } = useI18n();
  const formatPeriod = span.unit === 'hour' ? format.utcHour : format.utcDay;
  const isSplit = periods.some(({ passwordRequests }) => passwordRequests !== undefined);
  const hasRequests = periods.some(({ passwordRequests = 0 }) => passwordRequests > 0);
  const requestColumn = {
    name: 'passwordRequests',
    heading: t('access.passwordRequired'),
    colour: '--chart-password-required',
  };
  const columns = [
    { name: 'start', heading: t('column.start') },
    { name: 'total', heading: t('figure.attempts') },
    { name: 'success', heading: t('access.success'), colour: '--chart-success' },
    {
      name: 'failed',
      heading: t(isSplit ? 'access.refused' : 'access.notOpened'),
      colour: '--chart-refused',
    },
    ...(hasRequests ? [requestColumn] : []),
  ];
  const rows = fillGaps(periods, span).map(({ start, total, success, failed, passwordRequests = 0 }) => ({
    name: start,
    label: formatPeriod(new Date(start)),
    tick: toTick(format, span, new Date(start)),
    counts: [total, success, failed, ...(hasRequests ? [passwordRequests] : [])],
  }));
  return <BarCard id="over-time" title={t('chart.overTime')} span={span} isWide table={{ columns, rows }} />;
}

/** Labels the hours of a single day, otherwise the first hour of each day. */
function toTick(format: Format, { start, end, unit }: Span, at: Date): string | null {
  const isOneDay = end.getTime() - start.getTime() <= DAY_MS;
  if (unit === 'hour' && isOneDay) return format.hourOfDay(at.getUTCHours());
  return at.getUTCHours() === 0 ? format.utcDay(at) : null;
}
