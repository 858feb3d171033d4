import { LINK, SEARCH } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkPage } from '../service/contract.ts';
import { NothingYet } from '../shell/missing.tsx';
import { NoLinksYet } from '../shell/no-links-yet.tsx';
import { useListTexts } from './list-texts.ts';

type Props = {
  page: LinkPage;
  isFiltered: boolean;
  /** Only if the own links of a user were listed, who may also see those of others. */
  onShowAll: (() => void) | undefined;
  onClear(): void;
};

/** Stands in the place of an empty list. A search that examined many links in vain may find some further on. */
export function NoLinks({ page: { next }, isFiltered, onShowAll, onClear }: Props) {
  const { t } = useI18n();
  const texts = useListTexts();
  if (!isFiltered) return <NoLinksYet icon={LINK} hint={t('links.emptyHint')} onShowAll={onShowAll} />;
  return (
    <NothingYet icon={SEARCH} title={next === null ? t('links.none') : texts('links.unfinished')}>
      <button type="button" class="button" onClick={onClear}>
        {texts('links.clear')}
      </button>
    </NothingYet>
  );
}
