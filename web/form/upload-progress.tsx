import { useI18n } from '../i18n/i18n.tsx';
import type { Progress } from '../service/progress.ts';

/** Controls of an upload: a small one cannot be paused. */
export type UploadControls = { cancel(): void; pause?(): void; resume?(): void };
type Props = UploadControls & { progress: Progress };

/** The progress of an upload, its speed, and the time left. */
export function UploadProgress({ progress, ...controls }: Props) {
  const { t, format } = useI18n();
  const { state, sentBytes, totalBytes, bytesPerSecond, secondsLeft } = progress;
  const percent = totalBytes === 0 ? 0 : (sentBytes / totalBytes) * 100;
  const isSent = totalBytes > 0 && sentBytes >= totalBytes;
  // Screen readers announce quarters only, so that the user can do other things meanwhile.
  const quarter = Math.floor(percent / 25) * 25;
  const sendingText = isSent ? t('upload.storing') : t('upload.sending');
  const text = { SENDING: sendingText, RETRYING: t('upload.retrying'), PAUSED: t('upload.paused') }[state];

  return (
    <div class="column upload" data-state={state}>
      <p class="upload-head">
        <strong role="status">{text}</strong>
        <span>{format.percent(Math.floor(percent))}</span>
      </p>
      <progress max={100} value={percent} aria-label={t('upload.sending')} />
      <p class="row soft small upload-facts">
        <span>{t('upload.sent', { sent: format.bytes(sentBytes), total: format.bytes(totalBytes) })}</span>
        {!isSent && bytesPerSecond !== null && <span>{format.bytesPerSecond(bytesPerSecond)}</span>}
        {!isSent && secondsLeft !== null && (
          <span>{t('upload.left', { time: format.duration(secondsLeft) })}</span>
        )}
      </p>
      <span class="visually-hidden" role="status">
        {quarter > 0 && format.percent(quarter)}
      </span>
      <div class="actions">
        {controls.pause && !isSent && (
          <button
            type="button"
            class="button"
            onClick={state === 'PAUSED' ? controls.resume : controls.pause}
          >
            {state === 'PAUSED' ? t('upload.resume') : t('upload.pause')}
          </button>
        )}
        <button type="button" class="button" onClick={controls.cancel}>
          {t('cancel')}
        </button>
      </div>
    </div>
  );
}
