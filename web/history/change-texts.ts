import { isHashed, PLAIN_NAMES, type PlainTerm, recordedName, termOf } from '../../src/core/model/terms.ts';
import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { ChangeEntry, LinkDescription } from '../service/contract.ts';
import { LINK_STATUS_LABELS } from '../shell/labels.ts';

type Texts = { t: Translate; format: Format };
type Detail = ChangeEntry['details'][string];
type ChangedTerm = Extract<Detail, { new: unknown }>;
/** A value of a term in an entry. */
export type Value = Exclude<Detail, ChangedTerm>;
type ShowValue = (value: Value, texts: Texts) => string;

/** Longer texts are shortened. The details of an entry have the whole text. */
const MAX_LENGTH = 60;
/** Stands for a value that is not set. */
export const NONE = '–';
/** Stands for a password. */
const HIDDEN = '•••';
/** The number of digits of a hash that distinguish two targets. */
const HASH_DIGITS = 8;

/** Shows a text in quotation marks, shortened. */
export const showText: ShowValue = (value) => {
  const text = String(value);
  return text.length > MAX_LENGTH ? `“${text.slice(0, MAX_LENGTH)}…”` : `“${text}”`;
};
const showNumber: ShowValue = (value, { format }) => format.number(Number(value));
const showBytes: ShowValue = (value, { format }) => format.bytes(Number(value));
const showTime: ShowValue = (value, { format }) => format.time(new Date(String(value)));
/** Shows yes or no. */
export const showFlag: ShowValue = (value, { t }) => t(value === true ? 'change.yes' : 'change.no');
/** Shows the first digits of a hash. */
export const showHash: ShowValue = (value) => `SHA-256 ${String(value).slice(0, HASH_DIGITS)}…`;
const showPassword: ShowValue = (value) => (value === true ? HIDDEN : NONE);
const showStatus: ShowValue = (value, { t }) => {
  const known = Object.entries(LINK_STATUS_LABELS).find(([status]) => status === value);
  return known ? t(known[1]) : String(value);
};

/** The results of a scan for malware. */
export const SCAN_LABELS = {
  CLEAN: 'scan.CLEAN',
  INFECTED: 'scan.INFECTED',
  NOT_SCANNED: 'scan.NOT_SCANNED',
} as const satisfies Record<NonNullable<NonNullable<LinkDescription['file']>['scan']>, MessageKey>;

const showScan: ShowValue = (value, { t }) => {
  const known = Object.entries(SCAN_LABELS).find(([result]) => result === value);
  return known ? t(known[1]) : NONE;
};

/** Shows an owner such as `USER ada` or `KEY ci` by name. */
const showOwner: ShowValue = (value, texts) => showText(String(value).replace(/^(?:USER|KEY) /, ''), texts);

function showOf(name: PlainTerm): ShowValue {
  if (isHashed(name)) return showHash;
  return termOf(name).kind === 'flag' ? showFlag : showText;
}

function labelOf(name: PlainTerm) {
  switch (name) {
    case 'notifyUrl':
      return 'change.webhook';
    case 'notifyEmail':
      return 'change.mail';
    default:
      return name;
  }
}

/** The terms that a change can have, in the order in which they are shown, with their names in the forms. */
const OWN_TERMS = {
  status: ['column.status', showStatus],
  paused: ['edit.paused', showFlag],
  maxViews: ['edit.maxViews', showNumber],
  startsAt: ['startsAt', showTime],
  expiresAt: ['expiry', showTime],
  passwordProtected: ['password', showPassword],
  targetSha256: ['column.target', showHash],
  requestMessage: ['request.message', showText],
  maxFiles: ['request.maxFiles', showNumber],
  maxBytes: ['request.maxSize', showBytes],
  recipientKey: ['request.recipientKey', showText],
  fileName: ['term.fileName', showText],
  sizeBytes: ['term.size', showBytes],
  fileSha256: ['term.fileSha256', showHash],
  scan: ['term.scan', showScan],
  owner: ['column.owner', showOwner],
  team: ['team', showText],
} as const satisfies Record<string, readonly [label: MessageKey, show: ShowValue]>;

/** The terms that the entry of a change can have, with their names and how they are shown. */
export const TERMS = [
  ...Object.entries(OWN_TERMS),
  ...PLAIN_NAMES.map((name) => [recordedName(name), [labelOf(name), showOf(name)]] as const),
];

/** The words of the forms for a term that is not set. Other terms have a dash. */
const UNSET: ReadonlyMap<string, 'views.unlimited' | 'change.atOnce' | 'expiry.never'> = new Map([
  ['maxViews', 'views.unlimited'],
  ['startsAt', 'change.atOnce'],
  ['expiresAt', 'expiry.never'],
] as const);

/** Returns each changed term with its old and new value, in the language of the page: "View limit: 3 → 5". */
export function toChangeTexts(details: ChangeEntry['details'], texts: Texts): string[] {
  return TERMS.flatMap(([name, [label, show]]) => {
    const term = details[name];
    if (!isChangedTerm(term)) return [];
    const unset = UNSET.get(name);
    const toText = (value: Value): string =>
      value === null ? (unset ? texts.t(unset) : NONE) : show(value, texts);
    return texts.t('change.term', { term: texts.t(label), old: toText(term.old), new: toText(term.new) });
  });
}

/** Returns whether a term in an entry has its values before and after a change. */
export function isChangedTerm(value: Detail | undefined): value is ChangedTerm {
  return typeof value === 'object' && value !== null;
}
