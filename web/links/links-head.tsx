import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { useSession } from '../shell/session.tsx';

type Props = {
  /** Leads to the creation of many links. */
  bulkQuery: string;
  children?: ComponentChildren;
};

/** The heading of the page, and the ways to new links. */
export function LinksHead({ bulkQuery, children }: Props) {
  const { t } = useI18n();
  const { may } = useSession();
  return (
    <div class="row spread head links-head">
      <h1>{t('links.title')}</h1>
      {children}
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
