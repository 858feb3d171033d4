import { hash } from 'node:crypto';
import type { Config } from '../core/config/config.ts';
import type { BrandLogo } from '../core/config/properties/brand.ts';

/** A file of the brand that the service serves. Its path contains a digest of its content. */
export type BrandFile = { path: string; mediaType: string; bytes: Buffer | string };

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
export function createBrand({ name, color, logo: image }: Config['brand']): Brand {
  const logo = image && toLogo(image);
  const style = color === null ? null : toStyle(color);
  const isCustom = name !== null || logo !== null || style !== null;
  if (!isCustom) return OWN_BRAND;
  return { name: name ?? NAME, isCustom, logo, style, key: [name, logo?.path, style?.path].join(' ') };
}

function toLogo({ bytes, mediaType, extension }: BrandLogo): Brand['logo'] {
  const dataUrl = `data:${mediaType};base64,${bytes.toString('base64')}`;
  return { path: `brand/logo-${digestOf(bytes)}.${extension}`, mediaType, bytes, dataUrl };
}

function toStyle(color: string): Brand['style'] {
  // Readers who ask for more contrast get the colours of tokens.css.
  const text =
    `@media (prefers-contrast:no-preference){${toRule(deriveColors(color, 'light'))}}\n` +
    `@media screen and (prefers-contrast:no-preference) and (prefers-color-scheme:dark){${toRule(deriveColors(color, 'dark'))}}\n`;
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

/** The colours that follow from the colour of the brand, in one scheme. Each is a CSS hex colour. */
export type BrandColors = { accent: string; accentStrong: string; accentTint: string; onAccent: string };

type Rgb = readonly [red: number, green: number, blue: number];

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;
/** The share of the brand's colour in the background of a tile. */
const TINT = 0.1;

/** The backgrounds of `web/tokens.css` on which the colour is used for text, and how it becomes readable there. */
export const SCHEMES = {
  light: { paper: '#f6f4ef', card: '#fffefb', sunk: '#efece5', readable: '#000000', onAccent: '#ffffff' },
  dark: { paper: '#15171a', card: '#1d2024', sunk: '#121416', readable: '#ffffff', onAccent: '#121416' },
} as const;

/**
 * Derives the colours of one scheme. A colour that is not readable as text is mixed with black, in the dark scheme with
 * white, until it is; then the text of a button is readable on it, too.
 */
export function deriveColors(color: string, scheme: keyof typeof SCHEMES): BrandColors {
  const { paper, card, sunk, readable, onAccent } = SCHEMES[scheme];
  const accentTint = toHex(mix(toRgb(card), toRgb(color), TINT));
  const backgrounds = [paper, card, sunk, onAccent, accentTint].map(toRgb);
  const accent = makeReadable(toRgb(color), toRgb(readable), backgrounds);
  return {
    accent: toHex(accent),
    accentStrong: toHex(mix(accent, toRgb(readable), 0.25)),
    accentTint,
    onAccent,
  };
}

function makeReadable(color: Rgb, end: Rgb, backgrounds: readonly Rgb[]): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    // Rounded before it is checked, because the page uses the rounded colour.
    const mixed = toRgb(toHex(mix(color, end, share)));
    if (backgrounds.every((background) => contrastOf(mixed, background) >= MIN_CONTRAST)) return mixed;
  }
  return end;
}

/** Returns the contrast of two hex colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  return contrastOf(toRgb(one), toRgb(other));
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the relative luminance of a colour (WCAG 2.2). */
function luminanceOf(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number]; // three values, as the colour has
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix([red, green, blue]: Rgb, end: Rgb, share: number): Rgb {
  const part = (from: number, to: number): number => from + (to - from) * share;
  return [part(red, end[0]), part(green, end[1]), part(blue, end[2])];
}

function toRgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function toHex(color: Rgb): string {
  return `#${color.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}
