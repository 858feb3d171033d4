import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { mount } from '../shell/mount.tsx';
import { Page } from '../shell/page.tsx';
import { AttemptsByHour } from './attempts-by-hour.tsx';
import { AttemptsOverTime } from './attempts-over-time.tsx';
import { Figures } from './figures.tsx';
import { Freshness } from './freshness.tsx';
import { HealthCard } from './health-card.tsx';
import { LinksByState } from './links-by-state.tsx';
import { rangeFrom, toQuery } from './range.ts';
import { RangeChoice } from './range-choice.tsx';
import { MostWrongPasswords, TopLinks } from './ranking.tsx';
import { Results } from './results.tsx';
import { NoFigures, NothingYet, ProblemNote } from './states.tsx';
import { type Snapshot, useSnapshot } from './use-snapshot.ts';

/** The page of whoever watches. */
function DashboardPage() {
  const { t } = useI18n();
  const [range, setRange] = useState(() => rangeFrom(location.search, new Date()));
  const [isPaused, setPaused] = useState(false);
  const { snapshot, problem, health, refresh } = useSnapshot(range, isPaused);
  useEffect(() => history.replaceState(null, '', toQuery(range)), [range]);

  return (
    <Page name="dashboard">
      <div class="board-head">
        <h1>{t('board.title')}</h1>
        <Freshness snapshot={snapshot} isPaused={isPaused} onPause={setPaused} />
      </div>
      {problem && <ProblemNote problem={problem} askedAt={snapshot?.askedAt} onRetry={refresh} />}
      {snapshot && isUnused(snapshot) ? (
        <NothingYet />
      ) : (
        <>
          <RangeChoice range={range} onChoose={setRange} />
          {snapshot ? <Attempts snapshot={snapshot} /> : <NoFigures isAwaited={problem === undefined} />}
        </>
      )}
      <section class="board" aria-labelledby="all-links-title">
        <h2 id="all-links-title">{t('board.links')}</h2>
        {snapshot && !isUnused(snapshot) && <Links snapshot={snapshot} />}
        <HealthCard health={health} />
      </section>
    </Page>
  );
}

function Attempts({ snapshot }: { snapshot: Snapshot }) {
  const { t } = useI18n();
  return (
    <section class="board" aria-labelledby="attempts-title">
      <h2 id="attempts-title" class="visually-hidden">
        {t('figure.attempts')}
      </h2>
      <Figures {...snapshot} />
      <AttemptsOverTime {...snapshot} />
      <Results {...snapshot} />
      <AttemptsByHour {...snapshot} />
    </section>
  );
}

function Links({ snapshot: { statistics } }: { snapshot: Snapshot }) {
  return (
    <>
      <TopLinks links={statistics.topLinks} />
      <div class="board-column">
        <LinksByState counts={statistics.linkCounts} />
        <MostWrongPasswords exceptions={statistics.exceptions} />
      </div>
    </>
  );
}

/** Nobody has made a link yet, nor tried one. */
function isUnused({ statistics: { linkCounts, summary } }: Snapshot): boolean {
  const { active, expired, revoked } = linkCounts;
  return active + expired + revoked + summary.total === 0;
}

mount(DashboardPage);
