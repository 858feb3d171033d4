import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { countLinks } from '../service/link-list.ts';
import { serviceUrl } from '../service/requests.ts';
import { NothingYet } from './missing.tsx';
import { useSession } from './session.tsx';

type Props = {
  icon: string;
  hint: string;
  /** Shows the links of all; absent where these were listed, or may not be. */
  onShowAll?: (() => void) | undefined;
};

/** Stands in the place of links of which there are none, with the way to those of others and to a first one. */
export function NoLinksYet({ icon, hint, onShowAll }: Props) {
  const { t } = useI18n();
  const { may, serves } = useSession();
  const others = useCount(onShowAll !== undefined);
  return (
    <NothingYet icon={icon} title={t(others > 0 ? 'links.noneOwn' : 'board.empty')}>
      <p class="soft">{others > 0 ? t('links.others', { count: others }) : hint}</p>
      <div class="actions">
        {others > 0 && (
          <button type="button" class="button" onClick={onShowAll}>
            {t('board.links')}
          </button>
        )}
        {may('create') && serves('create') && (
          <a class="button button-main" href={serviceUrl('').href}>
            {t('create.submit')}
          </a>
        )}
      </div>
    </NothingYet>
  );
}

/** Returns the number of all links: 0 until it is known, and where it is not wanted or cannot be had. */
function useCount(isWanted: boolean): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (isWanted) void countLinks().then((known = 0) => setCount(known));
  }, [isWanted]);
  return count;
}
