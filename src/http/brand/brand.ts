import { hash } from 'node:crypto';
import { type BrandColors, deriveColors } from './brand-colors.ts';

/** A file of the brand that the service serves. Its path contains a digest of its content. */
export type BrandFile = { path: string; mediaType: string; bytes: Buffer | string };

/** The brand as the settings name it. The colour is a hex colour with six digits. */
export type BrandSettings = { name: string | null; logo: BrandImage | null; color: string | null };

type BrandImage = { bytes: Buffer; mediaType: string; extension: string };

/** The name, the logo and the colours that all pages show. */
export type Brand = {
  name: string;
  /** False for the brand of the product itself. */
  isCustom: boolean;
  logo: (BrandFile & { dataUrl: string }) | null;
  /** A style sheet that replaces the colours of `web/tokens.css`. */
  style: (BrandFile & { text: string }) | null;
  /** Differs between any two brands. */
  key: string;
};

const NAME = 'Postern';

export const OWN_BRAND: Brand = { name: NAME, isCustom: false, logo: null, style: null, key: '' };

/** Returns the brand of the settings. */
export function createBrand({ name, color, logo: image }: BrandSettings): Brand {
  const logo = image && toLogo(image);
  const style = color === null ? null : toStyle(color);
  const isCustom = name !== null || logo !== null || style !== null;
  if (!isCustom) return OWN_BRAND;
  return { name: name ?? NAME, isCustom, logo, style, key: [name, logo?.path, style?.path].join(' ') };
}

function toLogo({ bytes, mediaType, extension }: BrandImage): Brand['logo'] {
  const dataUrl = `data:${mediaType};base64,${bytes.toString('base64')}`;
  return { path: `brand/logo-${digestOf(bytes)}.${extension}`, mediaType, bytes, dataUrl };
}

function toStyle(color: string): Brand['style'] {
  // Readers who ask for more contrast get the colours of tokens.css.
  const text =
    `@media (prefers-contrast:no-preference){${toRule(deriveColors(color, 'light'))}}\n` +
    `@media (prefers-contrast:no-preference) and (prefers-color-scheme:dark){${toRule(deriveColors(color, 'dark'))}}\n`;
  return {
    path: `brand/style-${digestOf(text)}.css`,
    mediaType: 'text/css; charset=utf-8',
    bytes: text,
    text,
  };
}

function toRule({ accent, accentStrong, accentTint, onAccent }: BrandColors): string {
  return `:root{--accent:${accent};--accent-strong:${accentStrong};--accent-tint:${accentTint};--on-accent:${onAccent}}`;
}

function digestOf(content: Buffer | string): string {
  return hash('sha256', content, 'hex').slice(0, 16);
}
