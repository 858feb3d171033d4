import type { ComponentChildren } from 'preact';
import { useI18n } from '../i18n/i18n.tsx';
import { ConfirmDialog } from '../shell/dialog.tsx';
import { LazyQrCode } from './lazy-qr-code.tsx';

type Props = { url: string; shortCode: string; note: ComponentChildren; onClose(): void };

/** The QR code of a link, to scan and to save. */
export function QrDialog({ url, shortCode, note, onClose }: Props) {
  const { t } = useI18n();
  return (
    <ConfirmDialog title={t('qr.title')} keep={t('dialog.close')} onConfirm={onClose} onClose={onClose}>
      {note}
      <LazyQrCode text={url} fileName={`postern-${shortCode}`} />
    </ConfirmDialog>
  );
}
