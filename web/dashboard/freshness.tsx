import { useI18n } from '../i18n/i18n.tsx';
import { PauseIcon, PlayIcon } from '../shell/icons.tsx';
import type { Snapshot } from './use-snapshot.ts';

/** Of when the figures are, and whether newer ones come by themselves. */
export function Freshness({
  snapshot,
  isPaused,
  onPause,
}: {
  snapshot: Snapshot | undefined;
  isPaused: boolean;
  onPause(isPaused: boolean): void;
}) {
  const { t, format } = useI18n();
  return (
    <div class="freshness">
      {snapshot && (
        <p class="soft small">
          {t('board.asOf', { time: format.clock(snapshot.askedAt) })}
          {' · '}
          {t('board.utc')}
        </p>
      )}
      <button type="button" class="button button-quiet" onClick={() => onPause(!isPaused)}>
        {isPaused ? <PlayIcon /> : <PauseIcon />}
        {isPaused ? t('board.resume') : t('board.pause')}
      </button>
    </div>
  );
}
