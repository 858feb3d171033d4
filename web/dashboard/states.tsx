import { CHART, PAUSE, PLAY } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { errorText } from '../shell/error-texts.ts';
import { Icon } from '../shell/icon.tsx';
import { NoLinksYet } from '../shell/no-links-yet.tsx';
import type { Problem, Snapshot } from './use-snapshot.ts';

type Props = { snapshot: Snapshot | undefined; isPaused: boolean; onPause(isPaused: boolean): void };

/** The time of the last update, and a button that pauses updates. */
export function Freshness({ snapshot, isPaused, onPause }: Props) {
  const { t, format } = useI18n();
  return (
    <div class="row freshness">
      {snapshot && (
        <p class="soft small">{t('board.updated', { time: format.clock(snapshot.requestedAt) })}</p>
      )}
      <button type="button" class="button button-quiet" onClick={() => onPause(!isPaused)}>
        <Icon path={isPaused ? PLAY : PAUSE} />
        {isPaused ? t('board.resume') : t('board.pause')}
      </button>
    </div>
  );
}

type ProblemProps = { problem: Problem; snapshot: Snapshot | undefined; onRetry(): void };

/** The reason why there is no new data, since when, and the age of the data shown. */
export function ProblemNote({ problem: { since, outcome }, snapshot, onRetry }: ProblemProps) {
  const i18n = useI18n();
  const { t, format } = i18n;
  const sinceTime = format.clock(since);
  return (
    <div class="row spread problem-note" role="alert">
      <p>
        <strong>
          {outcome.kind === 'REFUSED'
            ? t('board.failing', { since: sinceTime, text: errorText(outcome, i18n) })
            : t('board.unreachable', { since: sinceTime })}
        </strong>{' '}
        {snapshot ? t('board.stale', { time: format.clock(snapshot.requestedAt) }) : t('board.noData')}
      </p>
      <button type="button" class="button" onClick={onRetry}>
        {t('board.retry')}
      </button>
    </div>
  );
}

/** Shown while there are neither links nor attempts, of the user or of all. */
export function UnusedService({ onShowAll }: { onShowAll: (() => void) | undefined }) {
  const { t } = useI18n();
  return <NoLinksYet icon={CHART} hint={t('board.emptyHint')} onShowAll={onShowAll} />;
}

/** Placeholders of the figures, so that nothing moves when they arrive. */
export function Placeholders({ isLoading }: { isLoading: boolean }) {
  return (
    <div class="board no-figures" aria-busy={isLoading} aria-hidden="true">
      <div class="figures">
        <div class="card" />
        <div class="card" />
        <div class="card" />
        <div class="card" />
      </div>
      <div class="card board-wide" />
    </div>
  );
}
