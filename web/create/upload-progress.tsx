import { useI18n } from '../i18n/i18n.tsx';
import type { Progress } from '../service/progress.ts';

/** The progress of an upload, its speed, and the time left. */
export function UploadProgress({ progress, onCancel }: { progress: Progress; onCancel(): void }) {
  const { t, format } = useI18n();
  const { sentBytes, totalBytes, bytesPerSecond, secondsLeft } = progress;
  const percent = totalBytes === 0 ? 0 : (sentBytes / totalBytes) * 100;
  const isSent = totalBytes > 0 && sentBytes >= totalBytes;
  // Screen readers announce quarters only, so that the user can do other things meanwhile.
  const quarter = Math.floor(percent / 25) * 25;

  return (
    <div class="upload">
      <p class="upload-head">
        <strong>{isSent ? t('upload.storing') : t('upload.sending')}</strong>
        <span>{format.percent(Math.floor(percent))}</span>
      </p>
      <progress max={100} value={percent} aria-label={t('upload.sending')} />
      <p class="upload-facts soft">
        <span>{t('upload.sent', { sent: format.bytes(sentBytes), total: format.bytes(totalBytes) })}</span>
        {!isSent && bytesPerSecond !== null && <span>{format.bytesPerSecond(bytesPerSecond)}</span>}
        {!isSent && secondsLeft !== null && (
          <span>{t('upload.left', { time: format.duration(secondsLeft) })}</span>
        )}
      </p>
      <span class="visually-hidden" role="status">
        {quarter > 0 && format.percent(quarter)}
      </span>
      <button type="button" class="button" onClick={onCancel}>
        {t('cancel')}
      </button>
    </div>
  );
}
