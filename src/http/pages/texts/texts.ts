import type { Denial } from '../../../links/verdict.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { pt } from './pt.ts';

/** A visitor's page that says one thing and leaves it at that; most are a denial's. */
export type Notice =
  | Exclude<Denial, 'PASSWORD_REQUIRED' | 'INVALID_PASSWORD'>
  | 'FAULT'
  | 'CROSS_SITE'
  | 'FORM';

/** Every text of the visitor's pages. What stands in braces is filled in. */
export type Texts = {
  notices: Record<Notice, { title: string; text: string }>;
  /** What a link to a URL, and one to a file, say before they are opened. */
  redirect: { title: string; text: string; open: string };
  download: { title: string; text: string; open: string; started: string };
  /** By the language's plural categories, as `Intl.PluralRules` names them. */
  viewsLeft: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
  expires: string;
  countsAsView: string;
  password: {
    title: string;
    text: string;
    field: string;
    show: string;
    open: string;
    missing: string;
    wrong: string;
  };
  /** What other programs show of a link: neither what it leads to nor what it is. */
  preview: { title: string; text: string };
  openHere: string;
  reference: string;
};

/** The languages of the visitor's pages, the first being that of whoever asks for none of them. */
export const TEXTS = { en, pt, es, de, fr } satisfies Record<string, Texts>;
export type Language = keyof typeof TEXTS;
