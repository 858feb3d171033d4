import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PreviewNote, toCombinedText } from '../history/entry-notes.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { HistoryPage } from '../service/contract.ts';
import {
  type Entry,
  exportHistory,
  groupRepeats,
  type HistoryFilter,
  isFiltered,
  NO_FILTER,
  SHOWN_AT_ONCE,
} from '../service/history.ts';
import type { LinkReference } from '../service/links.ts';
import { SaveButton } from '../shell/save-button.tsx';
import { EntryItem } from './entry-item.tsx';

type Props = {
  link: LinkReference;
  history: HistoryPage;
  /** True to say that openings have no names, where they may be those of the reader. */
  saysUnnamed: boolean;
  /** Another list has another number. */
  generation: number;
  isLoading: boolean;
  filter: HistoryFilter;
  onFilter(filter: HistoryFilter): void;
  onLoadMore(): void;
};

/** The entries of the history, newest first. */
export function HistoryCard({ link, history, generation, isLoading, filter, ...others }: Props) {
  const { saysUnnamed, onFilter, onLoadMore } = others;
  const { t } = useI18n();
  return (
    <section class="card column card-content history" aria-labelledby="history-title">
      <div class="row spread board-card-head">
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
      {isFiltered(filter) && (
        <p class="soft small">
          {t('history.csvFiltered')}{' '}
          <button type="button" class="button button-quiet" onClick={() => onFilter(NO_FILTER)}>
            {t('filter.clear')}
          </button>
        </p>
      )}
      <EntryList
        key={generation}
        {...{ history, saysUnnamed }}
        isFiltered={isFiltered(filter)}
        isLoading={isLoading}
        onLoadMore={onLoadMore}
        onChooseAddress={(address) => onFilter({ ...filter, address })}
      />
    </section>
  );
}

type ListProps = {
  saysUnnamed: boolean;
  history: HistoryPage;
  isFiltered: boolean;
  isLoading: boolean;
  onLoadMore(): void;
  onChooseAddress(address: string): void;
};

const isUnnamed = (entry: Entry): boolean =>
  entry.kind === 'ATTEMPT' && entry.result === 'SUCCESS' && entry.recipientAddress === undefined;

/** The timeline. New entries appear at its top, unless the reader is further down: then a button shows them. */
function EntryList({ history, saysUnnamed, isFiltered, isLoading, ...on }: ListProps) {
  const { t, ofRequests } = useI18n();
  const { items, next } = history;
  const list = useRef<HTMLOListElement>(null);
  const [visibleCount, setVisibleCount] = useState(SHOWN_AT_ONCE);
  const { heldBack, added, showHeldBack } = useNewEntries(items[0]?.id, list, (id) =>
    items.findIndex((item) => item.id === id),
  );
  const shown = items.slice(heldBack, heldBack + visibleCount);
  const groups = groupRepeats(shown, t === ofRequests);
  const hasMore = heldBack + visibleCount < items.length || next !== null;
  const showMore = (): void => {
    setVisibleCount(visibleCount + SHOWN_AT_ONCE);
    if (heldBack + visibleCount + SHOWN_AT_ONCE > items.length) on.onLoadMore();
  };
  const stateText = (): string => {
    if (items.length === 0 && next !== null) return t('history.unfinished');
    if (items.length === 0 && isFiltered) return t('history.none');
    return toCombinedText(groups, t) || t('history.shown', { count: groups.length });
  };
  return (
    <>
      <p class="soft small" role="status">
        {added > 0 && `${t('history.new', { count: added })} `}
        {stateText()}
      </p>
      {saysUnnamed && shown.some(isUnnamed) && <p class="soft small">{t('entry.unnamed')}</p>}
      <PreviewNote items={groups.map(({ entry }) => entry)} />
      {heldBack > 0 && (
        <button type="button" class="button button-main new-entries" onClick={showHeldBack}>
          {t('history.showNew', { count: heldBack })}
        </button>
      )}
      <ol ref={list} class="plain entries" aria-busy={isLoading}>
        {groups.map((group) => (
          <EntryItem
            // The oldest: repeats that come later join the item, whose details stay open.
            key={(group.repeats.at(-1) ?? group.entry).id}
            {...group}
            onChooseAddress={on.onChooseAddress}
          />
        ))}
      </ol>
      {hasMore && (
        <button type="button" class="button" disabled={isLoading && items.length === 0} onClick={showMore}>
          {t('history.more')}
        </button>
      )}
    </>
  );
}

/** Counts the entries that came after the list was shown: those held back, and those added by the last refresh. */
function useNewEntries(
  newestId: string | undefined,
  list: { current: HTMLElement | null },
  indexOf: (id: string) => number,
) {
  const [topId, setTopId] = useState(newestId);
  const [added, setAdded] = useState(0);
  const heldBack = topId === undefined ? 0 : Math.max(0, indexOf(topId));
  useLayoutEffect(() => {
    if (newestId === topId) return;
    if (topId !== undefined && isReadingBelow(list.current)) return;
    setAdded(topId === undefined ? 0 : heldBack);
    setTopId(newestId);
  }, [newestId]);
  const showHeldBack = (): void => {
    setAdded(heldBack);
    setTopId(newestId);
    list.current?.scrollIntoView();
  };
  return { heldBack, added, showHeldBack };
}

/** Returns true when the reader has scrolled past the top of the list, or has the focus in it. */
function isReadingBelow(list: HTMLElement | null): boolean {
  return list !== null && (list.getBoundingClientRect().top < 0 || list.contains(document.activeElement));
}
