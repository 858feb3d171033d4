import { useI18n } from '../i18n/i18n.tsx';
import { lazy } from '../shell/lazy.tsx';
import { Missing } from '../shell/missing.tsx';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';
import { LinkList } from './link-list.tsx';
import { LinksOfBrowser } from './links-of-browser.tsx';
import { ListTexts } from './list-texts.ts';

/** Not a fragment: only a load of another page lets the browser ask before results are lost. */
const BULK_QUERY = '?csv';

const LazyBulkView = lazy(async () => (await import('./bulk/bulk-view.tsx')).BulkView);

/** The page of all links, and of the creation of many at once. */
function LinksPage() {
  const { t } = useI18n();
  const { settings, caller, may } = useSession();
  if (location.search === BULK_QUERY) {
    return may('create') ? <LazyBulkView /> : <Missing title={t('bulk.title')} text={t('scope.create')} />;
  }
  // The list needs a key even where everybody may create links. Without settings, the list says what is wrong.
  if (settings && !caller) {
    return (
      <ListTexts>
        <LinksOfBrowser bulkQuery={BULK_QUERY} />
      </ListTexts>
    );
  }
  if (caller && !caller.scopes.some((scope) => scope === 'create' || scope === 'read')) {
    return <Missing title={t('links.title')} text={t('scope.list')} />;
  }
  // Another key starts anew: it may not see what the former one did.
  return (
    <ListTexts>
      <LinkList key={caller?.name} bulkQuery={BULK_QUERY} />
    </ListTexts>
  );
}

mount('links', LinksPage);
