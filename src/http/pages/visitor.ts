import { type Language, TEXTS, type Texts } from './texts/texts.ts';

/** Whom a page is for: the language that is spoken to them, and how they write numbers and times. */
export type Visitor = { language: Language; locale: string; texts: Texts };

const LANGUAGES = Object.keys(TEXTS) as Language[]; // its own keys, which it is never given others than
const ELSE: Language = 'en';

/** So many wishes are looked at: nobody speaks more, and the header may be long. */
const MAX_WISHES = 20;
/** A language, maybe with a region. Extensions could ask for other digits and calendars than the texts have. */
const TAG = /^([a-z]{2})(?:-([a-z]{2}))?(?:-.*)?$/i;

/** The visitor as `Accept-Language` tells (RFC 9110, 12.5.4): the language they like best of those there are. */
export function visitorOf(acceptLanguage: string | undefined): Visitor {
  for (const { language, region } of wishesOf(acceptLanguage ?? '')) {
    const spoken = LANGUAGES.find((each) => each === language);
    if (spoken)
      return { language: spoken, locale: region ? `${spoken}-${region}` : spoken, texts: TEXTS[spoken] };
  }
  return { language: ELSE, locale: ELSE, texts: TEXTS[ELSE] };
}

function wishesOf(header: string) {
  return header
    .split(',', MAX_WISHES)
    .map((wish) => {
      const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim());
      const [, language, region] = TAG.exec(tag) ?? [];
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return {
        language: language?.toLowerCase(),
        region: region?.toUpperCase(),
        weight: Number.parseFloat(quality),
      };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
}

/** The form of a text that goes with a number, and the number in it. */
export function countText(forms: Texts['viewsLeft'], count: number, { locale }: Visitor): string {
  const form = forms[new Intl.PluralRules(locale).select(count)] ?? forms.other;
  return form.replace('{count}', new Intl.NumberFormat(locale).format(count));
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** A size to the nearest tenth, in powers of 1024 as everywhere in the service. */
export function sizeText(bytes: number, { locale }: Visitor): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1024 ** power);
}

/** A time in UTC, which it says: where the visitor is, only their browser knows. */
export function timeText(at: number, { locale }: Visitor): string {
  return new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' },
  }).format(at);
}
