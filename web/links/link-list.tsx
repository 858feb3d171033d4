import { useEffect, useRef, useState } from 'preact/hooks';
import { LazyEditDialog } from '../actions/edit/lazy-edit-dialog.tsx';
import { LazyOwnerDialog, LazyTeamDialog } from '../actions/lazy-holder-dialogs.tsx';
import { LazyKeyNote } from '../actions/lazy-key-note.tsx';
import { QrDialog } from '../actions/qr-dialog.tsx';
import { useRights } from '../actions/rights.ts';
import { sharedUrlOf } from '../actions/shown-urls.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { pause, resume, type ToPatch } from '../service/change-links.ts';
import type { LinkDescription } from '../service/contract.ts';
import { countLinks, fetchLinks, type LinkFilter } from '../service/link-list.ts';
import { toReference } from '../service/saved-links.ts';
import { lazy } from '../shell/lazy.tsx';
import { LoadProblem } from '../shell/load-problem.tsx';
import { useSession } from '../shell/session.tsx';
import { usePages } from '../shell/use-pages.ts';
import { isFiltered, parseFilter, toQuery, toShown, withoutFilter } from './filter.ts';
import { FilterForm, type Suggestions } from './filter-form.tsx';
import { LinkTable } from './link-table.tsx';
import { LinksHead } from './links-head.tsx';
import { useListTexts } from './list-texts.ts';
import { NoLinks } from './no-links.tsx';
import { RevokeLinksDialog } from './revoke-links-dialog.tsx';
import { useRowMenu } from './row-menu.ts';
import { type BulkAction, SelectionBar, useSelection } from './selection.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { ReportNotice, useChanges } from './use-changes.tsx';
import { Views } from './views.tsx';

const PAGE_SIZE = 50;

const LazyExtendDialog = lazy(async () => (await import('./bulk-dialogs.tsx')).ExtendDialog);
const LazyTagDialog = lazy(async () => (await import('./bulk-dialogs.tsx')).TagDialog);

/** The dialog above the list, about one link or several. */
type Opened = {
  action: 'EDIT' | 'QR' | 'EXTEND' | 'TAG' | 'OWNER' | 'TEAM' | 'REVOKE';
  links: LinkDescription[];
};

/** The links that the user may see, with their filters, and what can be done with them. `bulkQuery` leads to the creation of many. */
export function LinkList({ bulkQuery }: { bulkQuery: string }) {
  const { caller } = useSession();
  const [filter, setFilter] = useFilter();
  const shown = toShown(filter, caller);
  const links = useLinks(shown);
  const actions = useActions(links);
  const refine = (part: Partial<LinkFilter>): void => setFilter({ ...filter, ...part });
  return (
    <>
      <LinksHead bulkQuery={bulkQuery}>
        <Views shown={shown} onChoose={refine} />
      </LinksHead>
      <FilterForm
        filter={filter}
        hasOwners={shown.show !== 'mine'}
        suggestions={toSuggestions(links.list?.items)}
        onFilter={setFilter}
      />
      {links.failure && <LoadProblem failure={links.failure} onRetry={links.restart} />}
      <Count
        count={links.list?.items.length}
        hasTotal={shown.show === 'all' && shown.team === ''}
        isFailed={links.failure !== undefined}
      />
      <Listed
        {...{ links, actions, filter, shown, refine }}
        onClear={() => setFilter(withoutFilter(filter))}
      />
      <Shortcuts onEdit={actions.editAt} />
      <div class="list-foot">
        <ReportNotice report={actions.report} />
        <Selected {...actions} />
      </div>
      {actions.opened && <OpenedDialog {...actions.opened} {...actions} />}
    </>
  );
}

type Links = ReturnType<typeof useLinks>;
type Actions = ReturnType<typeof useActions>;

type ListedProps = {
  links: Links;
  actions: Actions;
  filter: LinkFilter;
  shown: LinkFilter;
  refine(part: Partial<LinkFilter>): void;
  onClear(): void;
};

/** The table of the links that are loaded, and the button for more; or why there are none. */
function Listed({ links, actions, filter, shown, refine, onClear }: ListedProps) {
  const { may } = useSession();
  const { list: page, failure, isLoading, loadMore } = links;
  const { table, focusFirstNew } = useFocusAfterMore(page?.items.length ?? 0, isLoading);
  const showMore = (): void => {
    focusFirstNew();
    loadMore();
  };
  if (!page) return null;
  return (
    <>
      {page.items.length > 0 && (
        <div ref={table} aria-busy={isLoading}>
          <LinkTable
            links={page.items}
            selection={actions.isAnySelectable ? actions.selection : undefined}
            hasOwners={shown.show !== 'mine'}
            order={filter}
            onSort={refine}
            menuOf={actions.menuOf}
            onChooseTag={(tag) => refine({ tag })}
          />
        </div>
      )}
      {page.items.length === 0 && !isLoading && !failure && (
        <NoLinks
          page={page}
          isFiltered={isFiltered(filter)}
          onShowAll={
            shown.show === 'mine' && may('read') ? () => refine({ show: 'all', team: '' }) : undefined
          }
          onClear={onClear}
        />
      )}
      {page.next !== null && <MoreButton isLoading={isLoading} onClick={showMore} />}
    </>
  );
}

/** The bar of the links that are selected, if any. */
function Selected({ selected, isFor, selection, choose }: Actions) {
  if (selected.length === 0) return null;
  return (
    <SelectionBar
      links={selected}
      isOffered={(action) => selected.some(isFor[action])}
      onChoose={choose}
      onClear={selection.clear}
    />
  );
}

/** Prepares the actions on the links of a list: on those that are selected, or on one by its menu. */
function useActions({ list, change }: Links) {
  const { t } = useI18n();
  const [opened, setOpened] = useState<Opened>();
  const items = list?.items;
  const rights = useRights(items);
  const mayManage = (link: LinkDescription): boolean => rights(link).mayManage;
  const selection = useSelection(items, mayManage);
  const selected = items?.filter(({ shortCode }) => selection.codes.includes(shortCode)) ?? [];
  const showChanged = (link: LinkDescription): void =>
    change(link.shortCode, (listed) => mergeDescription(listed, link));
  const changes = useChanges(showChanged);
  const open = (action: Opened['action'], links: LinkDescription[]): void => setOpened({ action, links });
  const run = (links: LinkDescription[], toPatch: ToPatch): void =>
    void changes.run(
      links.map(({ shortCode }) => shortCode),
      toPatch,
    );
  const isFor = bulkRules(rights);
  const choose = (action: BulkAction): void => {
    if (action === 'PAUSE' || action === 'RESUME') run(selected, action === 'PAUSE' ? pause : resume);
    else open(action, selected.filter(isFor[action]));
  };
  return {
    ...{ opened, selection, selected, isFor, choose },
    report: changes.report,
    isAnySelectable: items?.some(mayManage) ?? false,
    menuOf: useRowMenu({ rightsOf: rights, open, run, say: changes.say }),
    editAt: (index: number): void => {
      const link = items?.[index];
      if (link && selection.canSelect(link)) open('EDIT', [link]);
    },
    onClose: () => setOpened(undefined),
    onSaved: (link: LinkDescription): void => {
      showChanged(link);
      changes.say(t('edit.saved', { code: link.shortCode }));
    },
    onRun: run,
    onRevoked: (shortCodes: string[]): void => {
      for (const shortCode of shortCodes)
        change(shortCode, (link) => ({ ...link, status: 'REVOKED', state: 'REVOKED' }));
    },
  };
}

/** Returns for which links each action on several is meant. */
function bulkRules(
  rights: ReturnType<typeof useRights>,
): Record<BulkAction, (link: LinkDescription) => boolean> {
  return {
    PAUSE: (link) => pause(link) !== null,
    RESUME: ({ state }) => state === 'PAUSED',
    EXTEND: () => true,
    TAG: () => true,
    OWNER: (link) => rights(link).mayHandOver,
    TEAM: (link) => rights(link).mayShare,
    REVOKE: () => true,
  };
}

function toSuggestions(links: LinkDescription[] = []): Suggestions {
  const distinct = (texts: (string | null | undefined)[]) =>
    [...new Set(texts)].filter((text) => typeof text === 'string').sort();
  return {
    tag: distinct(links.flatMap(({ tags = [] }) => tags)),
    owner: distinct(links.map(({ owner }) => owner?.name)),
  };
}

type OpenedProps = Opened & {
  onClose(): void;
  onSaved(link: LinkDescription): void;
  onRun(links: LinkDescription[], toPatch: ToPatch): void;
  onRevoked(shortCodes: string[]): void;
};

/** The dialog of an action. */
function OpenedDialog({ action, links, onClose, onSaved, onRun, onRevoked }: OpenedProps) {
  const [link] = links;
  if (!link) return null;
  const choose = (toPatch: ToPatch): void => {
    onClose();
    onRun(links, toPatch);
  };
  const bulk = { count: links.length, onChoose: choose, onClose };
  switch (action) {
    case 'EDIT':
      return <LazyEditDialog link={toReference(link.shortCode)} onClose={onClose} onSaved={onSaved} />;
    case 'QR':
      return (
        <QrDialog
          url={sharedUrlOf(link)}
          shortCode={link.shortCode}
          note={link.file?.encrypted && <LazyKeyNote arrivedAt={link.requestCode && sharedUrlOf(link)} />}
          onClose={onClose}
        />
      );
    case 'EXTEND':
      return <LazyExtendDialog {...bulk} />;
    case 'TAG':
      return <LazyTagDialog {...bulk} />;
    case 'OWNER':
      return <LazyOwnerDialog {...bulk} />;
    case 'TEAM':
      return <LazyTeamDialog {...bulk} team={link.team ?? null} />;
    case 'REVOKE':
      return (
        <RevokeLinksDialog
          links={links}
          onRevoked={onRevoked}
          onPause={() => choose(pause)}
          onClose={onClose}
        />
      );
  }
}

type CountProps = { count: number | undefined; hasTotal: boolean; isFailed: boolean };

/** Says how many links are shown and, of all links, how many there are. */
function Count({ count, hasTotal, isFailed }: CountProps) {
  const { t, format } = useI18n();
  const texts = useListTexts();
  const [total, setTotal] = useState<number>();
  // Only those who may see all links may have their number.
  useEffect(() => {
    if (hasTotal) void countLinks().then(setTotal);
  }, [hasTotal]);
  const facts = [
    texts('links.shown', { count: count ?? 0 }),
    hasTotal && total !== undefined && texts('links.total', { count: total }),
    t('times.zone', { zone: format.timeZone }),
  ];
  return (
    <p class="soft small" role="status">
      {count === undefined ? !isFailed && texts('links.loading') : facts.filter(Boolean).join(' · ')}
    </p>
  );
}

function MoreButton({ isLoading, onClick }: { isLoading: boolean; onClick(): void }) {
  const texts = useListTexts();
  return (
    <button type="button" class="button links-more" aria-disabled={isLoading} onClick={onClick}>
      {texts(isLoading ? 'links.loading' : 'links.more')}
    </button>
  );
}

/** Loads the links of a filter. `change` changes one that is shown. */
function useLinks(filter: LinkFilter) {
  const { change: changeList, ...loaded } = usePages({
    key: toQuery(filter),
    fetchPage: (request) => fetchLinks(filter, request),
    idOf: ({ shortCode }) => shortCode,
    size: PAGE_SIZE,
  });
  const change = (shortCode: string, toChanged: (link: LinkDescription) => LinkDescription): void =>
    changeList((now) => ({
      ...now,
      items: now.items.map((item) => (item.shortCode === shortCode ? toChanged(item) : item)),
    }));
  return { ...loaded, change };
}

/** Returns the filter of the page's address, and keeps the address up to date, so that it can be bookmarked. */
function useFilter() {
  const [filter, setFilter] = useState<LinkFilter>(() => parseFilter(location.search));
  useEffect(() => {
    history.replaceState(null, '', location.pathname + toQuery(filter) + location.hash);
  }, [filter]);
  return [filter, setFilter] as const;
}

/** Moves the focus to the first of the links that the button has loaded, which moves away or disappears. */
function useFocusAfterMore(count: number, isLoading: boolean) {
  const table = useRef<HTMLDivElement>(null);
  const firstNew = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (isLoading || firstNew.current === undefined) return;
    const row = table.current?.querySelectorAll('tbody tr')[firstNew.current];
    row?.querySelector<HTMLElement>('th a')?.focus();
    firstNew.current = undefined;
  }, [isLoading]);
  const focusFirstNew = (): void => {
    firstNew.current = count;
  };
  return { table, focusFirstNew };
}

/** Returns a link of the list with what its description says now. Who has given a link away gets no more of it. */
function mergeDescription(listed: LinkDescription, link: LinkDescription): LinkDescription {
  if (link.owner === undefined) return { ...listed, owner: { kind: 'USER', name: null }, team: null };
  return { ...listed, ...link };
}
