import { LINK, SEARCH } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkPage } from '../service/contract.ts';
import { serviceUrl } from '../service/requests.ts';
import { NothingYet } from '../shell/missing.tsx';
import { useSession } from '../shell/session.tsx';

type Props = {
  page: LinkPage;
  isFiltered: boolean;
  /** True if only links of the user were listed, who may also see others. */
  hasMore: boolean;
  onClear(): void;
};

/** Stands in the place of an empty list. A search that examined many links in vain may find some further on. */
export function NoLinks({ page: { next }, isFiltered, hasMore, onClear }: Props) {
  const { t } = useI18n();
  const { may } = useSession();
  if (isFiltered) {
    return (
      <NothingYet icon={SEARCH} title={t(next === null ? 'links.none' : 'links.unfinished')}>
        <button type="button" class="button" onClick={onClear}>
          {t('links.clear')}
        </button>
      </NothingYet>
    );
  }
  return (
    <NothingYet icon={LINK} title={t('board.empty')}>
      <p class="soft">
        {hasMore ? t('links.emptyMineHint', { view: t('board.links') }) : t('links.emptyHint')}
      </p>
      {may('create') && (
        <a class="button button-main" href={serviceUrl('').href}>
          {t('create.submit')}
        </a>
      )}
    </NothingYet>
  );
}
