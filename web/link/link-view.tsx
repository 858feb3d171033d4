import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type FileSet, FileSetContext, toFileSet, useFiles } from '../history/file-set.tsx';
import { OwnerContext } from '../history/owner-context.ts';
import { useI18n, WordsOf } from '../i18n/i18n.tsx';
import { toPath } from '../service/api.ts';
import type { HistoryPage, LinkDescription } from '../service/contract.ts';
import { type HistoryFilter, isFiltered, NO_FILTER } from '../service/history.ts';
import { type LinkReference, ofLink } from '../service/links.ts';
import { isRecord } from '../service/outcome.ts';
import { lazy } from '../shell/lazy.tsx';
import { wordsFor } from '../shell/link-facts.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import { useLive } from '../shell/use-live.ts';
import type { Arrived as ArrivedList } from './arrived.tsx';
import type { Charts } from './charts.tsx';
import { HistoryCard } from './history-card.tsx';
import type { FilterForm } from './history-filter.tsx';
import { LinkCard } from './link-card.tsx';
import { type Access, isWithheld, LinkProblem } from './problems.tsx';
import { Proof } from './proof.tsx';
import type { Recipients as RecipientList } from './recipients.tsx';
import { useDescription } from './use-description.ts';
import { useHistory, useTabTitle } from './use-link.ts';

/** Both are closed where the history is short. */
const LazyFilterForm = lazy<Parameters<typeof FilterForm>[0]>(
  async () => (await import('./history-filter.tsx')).FilterForm,
);
const LazyCharts = lazy<Parameters<typeof Charts>[0] & { onClose?(): void }>(
  async () => (await import('./charts.tsx')).Charts,
);
const Arrived = lazy<Parameters<typeof ArrivedList>[0]>(async () => (await import('./arrived.tsx')).Arrived);
const Recipients = lazy<Parameters<typeof RecipientList>[0]>(
  async () => (await import('./recipients.tsx')).Recipients,
);

/** A link and its history, or the reason why they cannot be shown. */
export function LinkView({ link, onAccess }: Access) {
  const [filter, setFilter] = useState<HistoryFilter>(NO_FILTER);
  const loaded = useHistory(link, filter);
  const { list: history, failure } = loaded;
  const { description, refresh } = useDescription(link);
  useTabTitle(link.shortCode, description);
  useLive({
    path: toPath('/api/links/{shortCode}/history', { ...ofLink(link), query: { limit: 1 } }),
    token: link.token,
    refresh: async () => void (await Promise.all([loaded.refresh(), refresh()])),
    isShown: (data) => isRecord(data) && data['fingerprint'] === history?.fingerprint,
    isPaused: history === undefined,
  });
  const restart = (): void => {
    loaded.restart();
    void refresh();
  };
  if (failure && (isWithheld(failure) || !history || !description)) {
    return <LinkProblem {...{ link, onAccess, failure }} onRetry={restart} />;
  }
  if (!history || !description) return <Loading />;
  return <Shown {...{ link, description, loaded, history, filter, restart }} onFilter={setFilter} />;
}

type Loaded = ReturnType<typeof useHistory>;
type ShownProps = {
  link: LinkReference;
  description: LinkDescription;
  loaded: Loaded;
  history: NonNullable<Loaded['list']>;
  filter: HistoryFilter;
  restart(): void;
  onFilter(filter: HistoryFilter): void;
};

/** The link and its history. */
function Shown({ link, description, loaded, history, filter, restart, onFilter }: ShownProps) {
  const { failure } = loaded;
  const files = useFiles(link, description.file);
  const [fileSet, setFileSet] = useState<FileSet>();
  const [receivedCount, setReceivedCount] = useState<number>();
  useEffect(() => {
    // A filtered history may lack the entry of a replacement.
    if (!isFiltered(filter)) setFileSet(toFileSet(files, history));
  }, [files, history]);
  const isRequest = description.type === 'REQUEST';
  const isFieldError = failure?.kind === 'REFUSED' && failure.field === 'address';
  return (
    <WordsOf kind={wordsFor(description)}>
      <LinkCard
        {...{ link, description, files, receivedCount }}
        history={isFiltered(filter) ? undefined : history}
        onChanged={restart}
      >
        {isRequest && <Arrived {...{ link, description }} onCount={setReceivedCount} />}
      </LinkCard>
      {!isFiltered(filter) && hasRecipients(description, history) && (
        <Recipients addresses={description.verifiedRecipients} history={history} />
      )}
      {failure && !isFieldError && <LoadProblem failure={failure} onRetry={restart} />}
      <OwnerContext.Provider value={description.owner}>
        <FileSetContext.Provider value={fileSet}>
          <HistoryCard
            {...{ link, history, filter, onFilter }}
            // With the button that downloads received files stands that.
            saysUnnamed={!isRequest && description.requestCode === undefined}
            generation={loaded.generation}
            isLoading={loaded.isLoading}
            onLoadMore={loaded.loadMore}
          />
        </FileSetContext.Provider>
      </OwnerContext.Provider>
      <Analysis isFiltered={isFiltered(filter)} entryCount={history.entryCount}>
        <LazyFilterForm
          filter={filter}
          addressError={isFieldError ? failure.text : undefined}
          onFilter={onFilter}
        />
        <LazyCharts history={history} onChooseAddress={(address) => onFilter({ ...filter, address })} />
      </Analysis>
      <Proof {...{ description, history }} isFiltered={isFiltered(filter)} />
    </WordsOf>
  );
}

/** Returns whether a link names recipients, or named some in entries that are loaded. */
function hasRecipients({ verifiedRecipients }: LinkDescription, { items }: HistoryPage): boolean {
  return (
    (verifiedRecipients?.length ?? 0) > 0 ||
    items.some((entry) =>
      entry.kind === 'ATTEMPT'
        ? entry.recipientAddress !== undefined
        : entry.details['verifiedRecipients'] !== undefined,
    )
  );
}

type AnalysisProps = { isFiltered: boolean; entryCount: number; children: ComponentChildren };

/** The filter and the charts: closed where the list alone is read faster. */
function Analysis({ isFiltered, entryCount, children }: AnalysisProps) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(entryCount >= ENTRIES_WORTH_CHARTS);
  useEffect(() => {
    if (isFiltered) setOpen(true);
  }, [isFiltered]);
  return (
    <details class="analysis" open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary class="card">{t('analysis.title')}</summary>
      {isOpen && children}
    </details>
  );
}

/** With fewer entries, the charts are closed at first. */
const ENTRIES_WORTH_CHARTS = 20;

function Loading() {
  const { t } = useI18n();
  return (
    <p class="soft" role="status">
      {t('history.loading')}
    </p>
  );
}
