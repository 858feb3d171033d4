import { useI18n } from '../i18n/i18n.tsx';
import type { Sources, Span } from '../service/statistics.ts';
import { formatSpan } from './range.ts';
import { Ranking } from './ranking.tsx';

/** `none`: the text for views without a name. */
const CARDS = {
  referrers: { title: 'chart.referrers', none: 'source.direct' },
  browsers: { title: 'chart.browsers', none: 'source.unknown' },
  systems: { title: 'chart.systems', none: 'source.unknown' },
} as const;

/** The pages that views came from, and the browsers and systems that opened links, if any. */
export function ViewSources({ sources, span }: { sources: Sources; span: Span }) {
  const { t, format } = useI18n();
  const rank = (kind: keyof typeof CARDS) => {
    const title = t(CARDS[kind].title);
    return (
      <Ranking
        id={kind}
        title={title}
        subtitle={formatSpan(span, format)}
        columns={[
          { name: kind, heading: title },
          { name: 'count', heading: t('column.views') },
        ]}
        items={sources[kind].map(({ name, count }) => ({
          ...{ name: name ?? '', label: name ?? t(CARDS[kind].none), count },
        }))}
      />
    );
  };
  if (sources.views === 0) return null;
  return (
    <div class="board-wide board-row">
      {rank('referrers')}
      {rank('browsers')}
      {rank('systems')}
    </div>
  );
}
