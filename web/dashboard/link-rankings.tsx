import { useEffect, useState } from 'preact/hooks';
import { LinkRanking, MAX_SHOWN } from '../charts/ranking.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { Whose } from '../service/whose.ts';
import { useSession } from '../shell/session.tsx';
import type { Snapshot } from './use-snapshot.ts';

/** The links with the most views, without file requests, and those with the most wrong passwords. */
export function LinkRankings({ statistics, whose }: Snapshot) {
  const { t } = useI18n();
  const { exceptions = [] } = statistics;
  const topLinks = statistics.topLinks.filter(({ type }) => type !== 'REQUEST');
  const named = useNames([...topLinks.slice(0, MAX_SHOWN), ...exceptions], whose);
  return (
    <>
      {topLinks.length > 0 && (
        <LinkRanking
          id="top-links"
          title={t('chart.topLinks')}
          column={{ name: 'accessCount', heading: t('column.views') }}
          links={topLinks.map(({ accessCount, type: _, ...link }) => ({
            ...named(link),
            count: accessCount,
          }))}
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

/** Returns a function that names a text, an encrypted file or received files, of which a ranking has no name, as the lists of links do. */
function useNames(links: readonly Ranked[], whose: Whose) {
  const i18n = useI18n();
  const { serves, caller } = useSession();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const unnamed = links.filter(({ label, leadsTo }) => label === undefined && leadsTo === undefined);
  const mayKnow = serves('link') && (whose === 'mine' || caller?.scopes.includes('manage'));
  const codes = mayKnow ? [...new Set(unnamed.map(({ shortCode }) => shortCode))] : [];
  useEffect(() => {
    // Most rankings have all names.
    if (codes.length > 0)
      void import('./file-names.ts')
        .then(({ readFileNames }) => readFileNames(codes, i18n))
        .then(setNames, () => {}); // the codes stay
  }, [codes.join(), i18n]);
  return <Link extends Ranked>(link: Link): Link => {
    const name = names.get(link.shortCode);
    return name === undefined ? link : { ...link, leadsTo: name };
  };
}
