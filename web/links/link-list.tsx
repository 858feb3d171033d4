import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LazyEditDialog } from '../edit/lazy-edit-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { LoadProblem } from '../link/problems.tsx';
import type { LinkDescription, ListedLink } from '../service/contract.ts';
import { countLinks, fetchLinks, type LinkFilter } from '../service/link-list.ts';
import { serviceUrl } from '../service/requests.ts';
import { loadLinkToken } from '../service/saved-links.ts';
import { useSession } from '../shell/session.tsx';
import { usePages } from '../shell/use-pages.ts';
import { isFiltered, NO_FILTER, parseFilter, toQuery } from './filter.ts';
import { FilterForm } from './filter-form.tsx';
import { LinkTable } from './link-table.tsx';
import { NoLinks } from './no-links.tsx';
import { RevokeLinksDialog } from './revoke-links-dialog.tsx';
import { SelectionBar, useSelection } from './selection.tsx';

const PAGE_SIZE = 50;

/** All links, with their filters, and what can be done with them. `bulkQuery` leads to the creation of many. */
export function LinkList({ bulkQuery }: { bulkQuery: string }) {
  const [filter, setFilter] = useFilter();
  const { list: page, failure, isLoading, restart, loadMore, replace } = useLinks(filter);
  const [edited, setEdited] = useState<ListedLink>();
  const [isRevoking, setRevoking] = useState(false);
  const [savedCode, setSavedCode] = useState<string>();
  const { table, focusFirstNew } = useFocusAfterMore(page?.items.length ?? 0, isLoading);
  const managed = useManagedCodes(page?.items);
  const mayManage = ({ shortCode }: ListedLink): boolean => managed.has(shortCode);
  const selection = useSelection(page?.items, mayManage);
  const selected = page?.items.filter(({ shortCode }) => selection.codes.includes(shortCode)) ?? [];

  return (
    <>
      <Head bulkQuery={bulkQuery} />
      <FilterForm filter={filter} onFilter={setFilter} />
      {failure && <LoadProblem failure={failure} onRetry={restart} />}
      <Count count={page?.items.length} savedCode={savedCode} isFailed={failure !== undefined} />
      {page && page.items.length > 0 && (
        <div ref={table} aria-busy={isLoading}>
          <LinkTable
            links={page.items}
            selection={managed.size > 0 ? selection : undefined}
            order={filter}
            onSort={(order) => setFilter({ ...filter, ...order })}
            mayEdit={mayManage}
            onEdit={setEdited}
            onChooseTag={(tag) => setFilter({ ...filter, tag })}
          />
        </div>
      )}
      {page?.items.length === 0 && !isLoading && !failure && (
        <NoLinks page={page} isFiltered={isFiltered(filter)} onClear={() => setFilter(NO_FILTER)} />
      )}
      {page && page.next !== null && (
        <MoreButton
          isLoading={isLoading}
          onClick={() => {
            focusFirstNew();
            loadMore();
          }}
        />
      )}
      {selection.codes.length > 0 && (
        <SelectionBar
          count={selection.codes.length}
          onRevoke={() => setRevoking(true)}
          onClear={selection.clear}
        />
      )}
      {edited && (
        <LazyEditDialog
          link={toReference(edited.shortCode)}
          onClose={() => setEdited(undefined)}
          onSaved={(link) => {
            replace(mergeDescription(edited, link));
            setSavedCode(link.shortCode);
          }}
        />
      )}
      {isRevoking && (
        <RevokeLinksDialog
          links={selected}
          onRevoked={(shortCodes) => {
            const revoked = selected.filter(({ shortCode }) => shortCodes.includes(shortCode));
            for (const link of revoked) replace({ ...link, status: 'REVOKED', state: 'REVOKED' });
          }}
          onClose={() => {
            setRevoking(false);
            selection.clear();
          }}
        />
      )}
    </>
  );
}

function Head({ bulkQuery }: { bulkQuery: string }) {
  const { t } = useI18n();
  const { may } = useSession();
  return (
    <div class="links-head">
      <h1>{t('links.title')}</h1>
      {may('create') && (
        <div class="actions">
          <a class="button" href={bulkQuery}>
            {t('bulk.title')}
          </a>
          <a class="button button-main" href={serviceUrl('').href}>
            {t('create.title')}
          </a>
        </div>
      )}
    </div>
  );
}

type CountProps = { count: number | undefined; savedCode: string | undefined; isFailed: boolean };

/** Says how many links are shown and how many there are, and which one was saved. */
function Count({ count, savedCode, isFailed }: CountProps) {
  const { t, format } = useI18n();
  const [total, setTotal] = useState<number>();
  useEffect(() => void countLinks().then(setTotal), []);
  const facts = [
    t('links.shown', { count: count ?? 0 }),
    total !== undefined && t('links.total', { count: total }),
    t('times.zone', { zone: format.timeZone }),
  ];
  return (
    <p class="soft small links-count" role="status">
      {savedCode !== undefined && `${t('edit.saved', { code: savedCode })} `}
      {count === undefined ? !isFailed && t('links.loading') : facts.filter(Boolean).join(' · ')}
    </p>
  );
}

function MoreButton({ isLoading, onClick }: { isLoading: boolean; onClick(): void }) {
  const { t } = useI18n();
  return (
    <button type="button" class="button links-more" aria-disabled={isLoading} onClick={onClick}>
      {t(isLoading ? 'links.loading' : 'links.more')}
    </button>
  );
}

/** Loads the links of a filter. `replace` shows a changed link in the place of the former one. */
function useLinks(filter: LinkFilter) {
  const { change, ...loaded } = usePages({
    key: toQuery(filter),
    fetchPage: (request) => fetchLinks(filter, request),
    idOf: ({ shortCode }) => shortCode,
    size: PAGE_SIZE,
  });
  const replace = (changed: ListedLink): void =>
    change((now) => ({
      ...now,
      items: now.items.map((item) => (item.shortCode === changed.shortCode ? changed : item)),
    }));
  return { ...loaded, replace };
}

/** Returns the links that the user may change and revoke: all, own ones, and those whose token this browser has. */
function useManagedCodes(links: ListedLink[] = []): ReadonlySet<string> {
  const { caller } = useSession();
  return useMemo(() => {
    const managesAll = caller?.scopes.includes('manage') ?? false;
    const managed = links.filter(
      ({ shortCode, creator }) =>
        managesAll ||
        (caller !== null && creator?.kind === caller.kind && creator.name === caller.name) ||
        loadLinkToken(shortCode) !== undefined,
    );
    return new Set(managed.map(({ shortCode }) => shortCode));
  }, [links, caller]);
}

function toReference(shortCode: string) {
  const token = loadLinkToken(shortCode);
  return { shortCode, ...(token !== undefined && { token }) };
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

/** Returns a link of the list with what its description says now. */
function mergeDescription(listed: ListedLink, link: LinkDescription): ListedLink {
  const { status, state, startsAt, expiresAt, maxViews, viewCount, passwordProtected, confirm } = link;
  return {
    ...listed,
    ...{ status, state, startsAt, expiresAt, maxViews, viewCount, passwordProtected, confirm },
    label: link.label ?? null,
    note: link.note ?? null,
    tags: link.tags ?? [],
    recipient: link.recipient ?? null,
    targetUrl: link.targetUrl ?? listed.targetUrl,
    lastOpenedAt: link.lastOpenedAt ?? listed.lastOpenedAt,
  };
}
