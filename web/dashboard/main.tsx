import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { Missing } from '../shell/missing.tsx';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';
import { AttemptsByHour, AttemptsOverTime, Results } from './attempts.tsx';
import { Figures } from './figures.tsx';
import { HealthCard } from './health-card.tsx';
import { LinksByStatus } from './links-by-status.tsx';
import { parseRange, toQuery } from './range.ts';
import { RangeChoice } from './range-choice.tsx';
import { Ranking } from './ranking.tsx';
import { Freshness, Placeholders, ProblemNote, UnusedService } from './states.tsx';
import { type Snapshot, useSnapshot } from './use-snapshot.ts';

/** The page that shows the statistics. */
function DashboardPage() {
  const { t } = useI18n();
  const { may } = useSession();
  return may('read') ? <Dashboard /> : <Missing title={t('board.title')} text={t('scope.read')} />;
}

function Dashboard() {
  const { t } = useI18n();
  const [range, setRange] = useState(() => parseRange(location.search, new Date()));
  const [isPaused, setPaused] = useState(false);
  const { snapshot, problem, health, refresh } = useSnapshot(range, isPaused);
  const isEmpty = snapshot !== undefined && isUnused(snapshot);
  useEffect(() => history.replaceState(null, '', toQuery(range)), [range]);

  return (
    <>
      <div class="board-head">
        <h1>{t('board.title')}</h1>
        <Freshness snapshot={snapshot} isPaused={isPaused} onPause={setPaused} />
      </div>
      {problem && <ProblemNote problem={problem} snapshot={snapshot} onRetry={refresh} />}
      {isEmpty ? (
        <UnusedService />
      ) : (
        <>
          <RangeChoice range={range} onChoose={setRange} />
          {snapshot ? <Attempts {...snapshot} /> : <Placeholders isLoading={problem === undefined} />}
        </>
      )}
      <section class="board" aria-labelledby="all-links-title">
        <h2 id="all-links-title" class={isEmpty ? 'visually-hidden' : undefined}>
          {t('board.links')}
        </h2>
        {snapshot && !isEmpty && <Links {...snapshot} />}
        <HealthCard health={health} />
      </section>
    </>
  );
}

function Attempts(snapshot: Snapshot) {
  const { t } = useI18n();
  const { statistics, span } = snapshot;
  return (
    <section class="board" aria-labelledby="attempts-title">
      <h2 id="attempts-title" class="visually-hidden">
        {t('figure.attempts')}
      </h2>
      <Figures {...snapshot} />
      <AttemptsOverTime periods={statistics.periods} span={span} />
      <Results results={statistics.results} span={span} />
      <AttemptsByHour {...snapshot} />
    </section>
  );
}

function Links({ statistics: { topLinks, linkCounts, exceptions } }: Snapshot) {
  const { t } = useI18n();
  return (
    <>
      <Ranking
        id="top-links"
        title={t('chart.topLinks')}
        column={{ name: 'accessCount', heading: t('column.views') }}
        links={topLinks.map(({ shortCode, accessCount }) => ({ shortCode, count: accessCount }))}
        emptyText={t('board.noViews')}
      />
      <div class="board-column">
        <LinksByStatus counts={linkCounts} />
        <Ranking
          id="security-exceptions"
          title={t('chart.exceptions')}
          column={{ name: 'count', heading: t('figure.attempts') }}
          links={exceptions}
          emptyText={t('board.noExceptions')}
        />
      </div>
    </>
  );
}

/** True when there is neither a link nor an attempt. */
function isUnused({ statistics: { linkCounts, summary } }: Snapshot): boolean {
  const { active, expired, revoked } = linkCounts;
  return active + expired + revoked + summary.total === 0;
}

mount('dashboard', DashboardPage);
