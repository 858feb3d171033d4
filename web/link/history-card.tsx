import { useI18n } from '../i18n/i18n.tsx';
import { exportHistory, type HistoryFilter } from '../service/history.ts';
import type { LinkReference } from '../service/links.ts';
import { SaveButton } from '../shell/save-button.tsx';
import { EntryList } from './entry-list.tsx';
import { FilterForm } from './history-filter.tsx';
import type { Failure, LoadedHistory } from './use-history.ts';

type Props = {
  link: LinkReference;
  history: LoadedHistory;
  failure: Failure | undefined;
  isLoading: boolean;
  filter: HistoryFilter;
  onFilter(filter: HistoryFilter): void;
  onLoadMore(): void;
};

/** The entries of the history, newest first, with their filter. */
export function HistoryCard({ link, history, failure, isLoading, filter, onFilter, onLoadMore }: Props) {
  const { t } = useI18n();
  const isAddressWrong = failure?.kind === 'REFUSED' && failure.field === 'address';
  return (
    <section class="card history" aria-labelledby="history-title">
      <div class="board-card-head">
        <div>
          <h2 id="history-title">{t('history.title')}</h2>
          <p class="soft small">{t('history.utc')}</p>
        </div>
        <div class="actions">
          <SaveButton
            kind="CSV"
            label={`CSV: ${t('history.title')}`}
            fileName={`postern-${link.shortCode}`}
            createFile={() => exportHistory(link, filter, 'text/csv')}
          />
        </div>
      </div>
      <FilterForm
        filter={filter}
        addressError={isAddressWrong ? failure.text : undefined}
        onFilter={onFilter}
      />
      <EntryList
        key={history.generation}
        history={history}
        isLoading={isLoading}
        onLoadMore={onLoadMore}
        onChooseAddress={(address) => onFilter({ ...filter, address })}
      />
    </section>
  );
}
