import { useI18n } from '../i18n/i18n.tsx';
import { ChartIcon } from '../shell/icons.tsx';
import type { Problem } from './use-snapshot.ts';

/** Why there is nothing newer, since when, and what is shown instead. */
export function ProblemNote({
  problem: { since, outcome },
  askedAt,
  onRetry,
}: {
  problem: Problem;
  askedAt: Date | undefined;
  onRetry(): void;
}) {
  const { t, format } = useI18n();
  const time = format.clock(since);
  return (
    <div class="problem-note" role="alert">
      <p>
        <strong>
          {outcome.kind === 'REFUSED'
            ? t('board.failing', { since: time, text: outcome.text })
            : t('board.away', { since: time })}
        </strong>{' '}
        {askedAt ? t('board.last', { time: format.clock(askedAt) }) : t('board.noFigures')}
      </p>
      <button type="button" class="button" onClick={onRetry}>
        {t('board.retry')}
      </button>
    </div>
  );
}

/** Nobody has used the service: what to do about it. */
export function NothingYet() {
  const { t } = useI18n();
  return (
    <section class="card nothing-yet">
      <ChartIcon />
      <h2>{t('board.empty')}</h2>
      <p class="soft">{t('board.emptyHint')}</p>
      <a class="button button-main" href="./">
        {t('nav.create')}
      </a>
    </section>
  );
}

/** The places of the figures, so that nothing moves when they come. */
export function NoFigures({ isAwaited }: { isAwaited: boolean }) {
  return (
    <div class="board no-figures" aria-busy={isAwaited} aria-hidden="true">
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
