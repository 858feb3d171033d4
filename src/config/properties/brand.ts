import { type BrandLogo, parseBrandLogo } from '../brand-logo.ts';
import { parseBrandColor, parseBrandName } from '../brand-parsers.ts';
import { define } from '../property.ts';

/** The brand that the pages show. */
export const BRAND_PROPERTIES = {
  brandName: define<string | null>({
    name: 'app.brand.name',
    fallback: null,
    shown: '(unset)',
    parse: parseBrandName,
    meaning:
      'name that all pages show in place of Postern, of at most 40 characters; also the sender of mails if app.mail.from has no name',
    optional: true,
  }),
  brandLogo: define<BrandLogo | null>({
    name: 'app.brand.logo',
    fallback: null,
    shown: '(unset)',
    parse: parseBrandLogo,
    meaning:
      'path of an image of at most 64KB that all pages show in place of the icon, as PNG, SVG, JPEG or WebP; read at the start',
    optional: true,
  }),
  brandColor: define<string | null>({
    name: 'app.brand.color',
    fallback: null,
    shown: '(unset)',
    parse: parseBrandColor,
    meaning:
      'colour of buttons and links, a CSS hex colour such as #0b5394; it is darkened, on dark backgrounds lightened, until text in it is readable (4.5:1)',
    optional: true,
  }),
};
