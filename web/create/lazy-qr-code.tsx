import { lazy } from '../edit/lazy.tsx';

/** A QR code to scan and to save. */
export const LazyQrCode = lazy(async () => (await import('./qr-code.tsx')).QrCode);
