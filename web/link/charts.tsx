import { useMemo } from 'preact/hooks';
import { AttemptsOverTime, Results } from '../charts/attempts.tsx';
import { Card } from '../charts/card.tsx';
import { ViewSources } from '../charts/sources.tsx';
import { TableHead } from '../charts/table.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { clockOffsetMs } from '../service/clock.ts';
import type { HistoryPage } from '../service/contract.ts';
import { type AddressCount, aggregateHistory } from './aggregate-history.ts';
import { AddressButton } from './entry-item.tsx';

const MAX_ADDRESSES = 10;

type Props = { history: HistoryPage; onChooseAddress(address: string): void };

/** The loaded attempts over time, by result and by address. */
export function Charts({ history: { items, next }, onChooseAddress }: Props) {
  const { t, format } = useI18n();
  const aggregated = useMemo(() => aggregateHistory(items, clockOffsetMs), [items]);
  if (!aggregated) return null;
  const span = { ...aggregated.span, zone: format.timeZone };
  return (
    <section class="board" aria-labelledby="attempts-title">
      <h2 id="attempts-title" class="visually-hidden">
        {t('figure.attempts')}
      </h2>
      {next !== null && <p class="soft small board-wide">{t('history.partial', { count: items.length })}</p>}
      <AttemptsOverTime periods={aggregated.periods} span={span} />
      <Results results={aggregated.results} span={span} />
      <Addresses addresses={aggregated.addresses} onChoose={onChooseAddress} />
      <ViewSources sources={aggregated.sources} span={span} />
    </section>
  );
}

type AddressesProps = { addresses: AddressCount[]; onChoose(address: string): void };

/** The addresses that opened the link most, and those that were refused. */
function Addresses({ addresses, onChoose }: AddressesProps) {
  const { t, format } = useI18n();
  const columns = [
    { name: 'address', heading: t('column.address') },
    { name: 'opened', heading: t('entry.opened') },
    { name: 'refused', heading: t('access.refused') },
  ];
  return (
    <Card
      id="addresses"
      title={t('history.addresses')}
      emptyText={addresses.length === 0 && t('board.noAttempts')}
      footer={
        addresses.length > MAX_ADDRESSES && (
          <p class="soft small">{t('history.moreAddresses', { count: addresses.length - MAX_ADDRESSES })}</p>
        )
      }
    >
      <table>
        <TableHead columns={columns} />
        <tbody>
          {addresses.slice(0, MAX_ADDRESSES).map(({ address, opened, refused }) => (
            <tr key={address}>
              <th scope="row">
                {address === null ? t('history.noAddress') : <AddressButton {...{ address, onChoose }} />}
              </th>
              <td>{format.number(opened)}</td>
              <td>{format.number(refused)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
