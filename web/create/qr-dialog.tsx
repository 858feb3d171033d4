import { useI18n } from '../i18n/i18n.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { LazyQrCode } from './lazy-qr-code.tsx';

type Props = { url: string; shortCode: string; onClose(): void };

/** The QR code of a link, to scan and to save. */
export function QrDialog({ url, shortCode, onClose }: Props) {
  const { t } = useI18n();
  return (
    <Dialog title={t('qr.title')} onClose={onClose}>
      <LazyQrCode text={url} fileName={`postern-${shortCode}`} />
      <div class="actions dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('dialog.close')}
        </button>
      </div>
    </Dialog>
  );
}
