import { lazy } from '../shell/lazy.tsx';

type Props = { text: string; fileName: string; onClose?(): void };

/** A QR code to scan and to save. */
export const LazyQrCode = lazy<Props>(async () => (await import('./qr-code.tsx')).QrCode);
