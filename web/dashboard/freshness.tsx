import { PAUSE, PLAY } from '../../src/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from '../shell/icon.tsx';
import type { Snapshot } from './use-snapshot.ts';

type Props = { snapshot: Snapshot | undefined; isPaused: boolean; onPause(isPaused: boolean): void };

/** The time of the last update, and a button that pauses updates. */
export function Freshness({ snapshot, isPaused, onPause }: Props) {
  const { t, format } = useI18n();
  return (
    <div class="freshness">
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
