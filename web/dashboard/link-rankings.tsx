import { LinkRanking, MAX_SHOWN } from '../charts/ranking.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { nameOfLink } from '../shell/link-facts.ts';
import { useDescriptions } from './use-descriptions.ts';
import type { Snapshot } from './use-snapshot.ts';

/** The links with the most views, and those with the most wrong passwords. */
export function LinkRankings({ statistics: { topLinks, exceptions = [] } }: Snapshot) {
  const { t } = useI18n();
  const named = useNames([...topLinks.slice(0, MAX_SHOWN), ...exceptions]);
  return (
    <>
      {topLinks.length > 0 && (
        <LinkRanking
          id="top-links"
          title={t('chart.topLinks')}
          column={{ name: 'accessCount', heading: t('column.views') }}
          links={topLinks.map(({ accessCount, ...link }) => ({ ...named(link), count: accessCount }))}
        />
      )}
      {exceptions.length > 0 && (
        <LinkRanking
          id="security-exceptions"
          title={t('chart.exceptions')}
          column={{ name: 'count', heading: t('figure.attempts') }}
          links={exceptions.map(named)}
        />
      )}
    </>
  );
}

type Ranked = { shortCode: string; label?: string; leadsTo?: string };

/** Returns a function that names a text or an encrypted file, of which a ranking has no name, as the lists of links do. */
function useNames(links: readonly Ranked[]) {
  const { t } = useI18n();
  const unnamed = links.filter(({ label, leadsTo }) => label === undefined && leadsTo === undefined);
  const known = useDescriptions([...new Set(unnamed.map(({ shortCode }) => shortCode))]);
  return <Link extends Ranked>(link: Link): Link => {
    const description = known.get(link.shortCode);
    return description?.file ? { ...link, leadsTo: nameOfLink(description, t) } : link;
  };
}
