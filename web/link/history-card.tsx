import { useI18n } from '../i18n/i18n.tsx';
import { exportHistory, type HistoryFilter, isFiltered } from '../service/history.ts';
import type { LinkReference } from '../service/links.ts';
import { SaveButton } from '../shell/save-button.tsx';
import { EntryList } from './entry-list.tsx';
import type { LoadedHistory } from './use-history.ts';

type Props = {
  link: LinkReference;
  history: LoadedHistory;
  isLoading: boolean;
  filter: HistoryFilter;
  onFilter(filter: HistoryFilter): void;
  onLoadMore(): void;
};

/** The entries of the history, newest first. */
export function HistoryCard({ link, history, isLoading, filter, onFilter, onLoadMore }: Props) {
  const { t } = useI18n();
  return (
    <section class="card history" aria-labelledby="history-title">
      <div class="board-card-head">
        <h2 id="history-title">{t('history.title')}</h2>
        <div class="actions">
          <SaveButton
            kind="CSV"
            label={`CSV: ${t('history.title')}`}
            fileName={`postern-${link.shortCode}`}
            createFile={() => exportHistory(link, filter, 'text/csv')}
          />
        </div>
      </div>
      {isFiltered(filter) && <p class="soft small">{t('history.csvFiltered')}</p>}
      <EntryList
        key={history.generation}
        history={history}
        isFiltered={isFiltered(filter)}
        isLoading={isLoading}
        onLoadMore={onLoadMore}
        onChooseAddress={(address) => onFilter({ ...filter, address })}
      />
    </section>
  );
}
