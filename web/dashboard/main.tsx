import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { MINUTE_MS } from '../../src/core/model/time-units.ts';
import { AttemptsByHour, AttemptsOverTime, Results } from '../charts/attempts.tsx';
import { delayOf, parseRange, type Range, toQuery } from '../charts/range.ts';
import { ViewSources } from '../charts/sources.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { type Whose, whoseFirst } from '../service/whose.ts';
import { Choice } from '../shell/choice.tsx';
import { lazy } from '../shell/lazy.tsx';
import { Missing } from '../shell/missing.tsx';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';
import { Figures } from './figures.tsx';
import { HealthCard } from './health-card.tsx';
import { LinkRankings } from './link-rankings.tsx';
import { LinksByStatus } from './links-by-status.tsx';
import { RangeChoice, UnitChoice } from './range-choice.tsx';
import { Freshness, Placeholders, ProblemNote, UnusedService } from './states.tsx';
import { type Snapshot, useSnapshot } from './use-snapshot.ts';

const Latest = lazy(async () => (await import('./latest.tsx')).Latest);

/** The page that shows the statistics. */
function DashboardPage() {
  const { t } = useI18n();
  const { may, caller } = useSession();
  const shown: Whose[] = [
    ...(caller && may('create') ? (['mine'] as const) : []),
    ...(may('read') ? (['all'] as const) : []),
  ];
  if (shown.length === 0) return <Missing title={t('board.title')} text={t('scope.read')} />;
  return <Dashboard choices={shown} />;
}

/** Reads from the page's URL whose links are shown: as in the list of links, unless the reader chooses others. */
function parseWhose(choices: readonly Whose[], first: Whose): Whose {
  const wanted = new URLSearchParams(location.search).get('links') ?? first;
  return choices.find((each) => each === wanted) ?? choices[0] ?? first;
}

const WHOSE_LABELS = { mine: 'board.mine', all: 'board.links' } as const;

function Dashboard({ choices }: { choices: Whose[] }) {
  const { t } = useI18n();
  const { caller, may } = useSession();
  const first = whoseFirst(caller);
  const [whose, setWhose] = useState(() => parseWhose(choices, first));
  const [range, setRange] = useState(() => parseRange(location.search, new Date()));
  const [isPaused, setPaused] = useState(false);
  // The health is that of the service, which administrators can mend.
  const { snapshot, problem, health, refresh } = useSnapshot(whose, range, {
    isPaused,
    hasHealth: may('admin'),
  });
  const isEmpty = snapshot && isUnused(snapshot);
  const query = toQuery(range, whose === first ? undefined : whose);
  useEffect(() => history.replaceState(null, '', query), [query]);

  return (
    <>
      <div class="row spread board-head">
        <h1>{t('board.title')}</h1>
        <Freshness snapshot={snapshot} isPaused={isPaused} onPause={setPaused} />
      </div>
      {problem && <ProblemNote problem={problem} snapshot={snapshot} onRetry={refresh} />}
      {isEmpty ? (
        <UnusedService
          onShowAll={snapshot.whose === 'mine' && choices.includes('all') ? () => setWhose('all') : undefined}
        />
      ) : (
        <>
          <RangeChoice range={range} onChoose={setRange} whose={t(WHOSE_LABELS[whose])}>
            {choices.length > 1 ? (
              <WhoseChoice choices={choices} whose={whose} onChoose={setWhose} />
            ) : (
              <p class="soft">{t(WHOSE_LABELS[whose])}</p>
            )}
          </RangeChoice>
          {snapshot ? (
            <Attempts snapshot={snapshot} range={range} onChoose={setRange} />
          ) : (
            <Placeholders isLoading={problem === undefined} />
          )}
        </>
      )}
      {snapshot && !isEmpty && (
        <Group title={t(WHOSE_LABELS[snapshot.whose])}>
          <Links {...snapshot} />
        </Group>
      )}
      {(!snapshot || isEmpty) && <h2 class="visually-hidden">{t(WHOSE_LABELS[whose])}</h2>}
      {may('admin') && <HealthCard health={health} />}
    </>
  );
}

type WhoseProps = { choices: Whose[]; whose: Whose; onChoose(whose: Whose): void };

function WhoseChoice({ choices, whose, onChoose }: WhoseProps) {
  const { t } = useI18n();
  return (
    <Choice
      legend={t('board.whose')}
      name="whose"
      values={choices}
      value={whose}
      labelOf={(each) => t(WHOSE_LABELS[each])}
      onChoose={onChoose}
    />
  );
}

type AttemptsProps = { snapshot: Snapshot; range: Range; onChoose(range: Range): void };

function Attempts({ snapshot, ...choice }: AttemptsProps) {
  const { t, format } = useI18n();
  return (
    <section class="board" aria-labelledby="attempts-title">
      <h2 id="attempts-title" class="visually-hidden">
        {t('figure.attempts')}
      </h2>
      <Figures {...snapshot} />
      <p class="soft small board-wide">
        {t('board.counted')} {t('board.zone', { zone: format.timeZone })}
      </p>
      <ListOfDays {...snapshot} />
      {snapshot.statistics.latest.length > 0 && <Latest {...snapshot} />}
      {snapshot.statistics.summary.total === 0 ? (
        <p class="card card-empty soft board-wide">{t('board.noAttempts')}</p>
      ) : (
        <Group title={t('board.charts')}>
          <UnitChoice {...choice} />
          <Charts {...snapshot} />
        </Group>
      )}
    </section>
  );
}

/** Leads to the list of links. It has whole days and every kind of link: no filter of it gives the numbers above. */
function ListOfDays({ whose, span: { start, end }, statistics: { sent } }: Snapshot) {
  const { t } = useI18n();
  const { caller, serves } = useSession();
  if (sent.total + sent.received === 0 || !caller || !serves('links')) return null;
  const [from, to] = [start, new Date(end.getTime() - 1)].map((at) => at.toISOString().slice(0, 10));
  const query = `show=${whose}&from=${from}&to=${to}&sort=opened&order=asc`;
  return (
    <a class="small board-wide" href={serviceUrl(`links?${query}`).href}>
      {t('board.list')}
    </a>
  );
}

/** Cards under a title that opens and closes them. On a phone they are closed at first: the figures come before them. */
function Group({ title, children }: { title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(() => !matchMedia('(width <= 40rem)').matches);
  return (
    <details class="board-wide" open={isOpen} onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary class="group-title">
        <h2>{title}</h2>
      </summary>
      {isOpen && <div class="board">{children}</div>}
    </details>
  );
}

function Charts(snapshot: Snapshot) {
  const { t } = useI18n();
  const { statistics, span, whose } = snapshot;
  const minutesLater = delayOf(span) / MINUTE_MS;
  const { isTruncated, views: count } = statistics.sources;
  return (
    <>
      {isTruncated && (
        <p class="soft small board-wide">
          {t(whose === 'mine' ? 'board.truncatedMine' : 'board.truncated', { count })}
        </p>
      )}
      {minutesLater > 0 && (
        <p class="soft small board-wide">{t('board.wholeHours', { count: minutesLater })}</p>
      )}
      <AttemptsOverTime periods={statistics.periods} span={span} />
      <Results results={statistics.results} span={span} origins={statistics.summary.uniqueOrigins} />
      <AttemptsByHour {...snapshot} />
      <ViewSources sources={statistics.sources} span={span} />
    </>
  );
}

function Links(snapshot: Snapshot) {
  return (
    <div class="board-wide board-row">
      <LinkRankings {...snapshot} />
      <LinksByStatus counts={snapshot.statistics.linkCounts} />
    </div>
  );
}

/** Returns true when there is neither a link nor an attempt in the range. */
function isUnused({ statistics: { linkCounts, summary } }: Snapshot): boolean {
  const { active, expired, revoked } = linkCounts;
  return active + expired + revoked + summary.total === 0;
}

mount('dashboard', DashboardPage);
