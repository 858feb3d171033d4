import type { Statement, StatementCode } from '../../src/core/use-cases/history/exported/statements.ts';
import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/translate.ts';

type Texts = { t: Translate; format: Format };
type Params = Statement['params'];

/** The texts of the statements in the language of the page. */
const TEXTS: Record<StatementCode, (texts: Texts, params: Params) => string> = {
  NOT_AN_EXPORT: ({ t }) => t('verify.notAnExport', { button: t('proof.export') }),
  LINE_CHANGED: ({ t, format }, { line, number }) => {
    const text = t('verify.lineChanged', { line: toText(line, format) });
    return number === undefined ? text : `${text} ${t('verify.entry', { number: toText(number, format) })}`;
  },
  CUT_OFF: ({ t, format }, { line }) => t('verify.cutOff', { line: toText(line, format) }),
  OTHER_LINK: ({ t, format }, { line, code, expected }) =>
    t('verify.otherLink', { line: toText(line, format), code: String(code), expected: String(expected) }),
  NEWER_FORMAT: ({ t, format }, { line }) => t('verify.newerFormat', { line: toText(line, format) }),
  MISSING: ({ t, format }, params) =>
    params['first'] === params['last']
      ? t('verify.missing', { number: toText(params['first'], format) })
      : t('verify.missingRange', toRange(params, format)),
  REPEATED: ({ t, format }, { number }) => t('verify.repeated', { number: toText(number, format) }),
  APPENDED: ({ t, format }, params) =>
    params['first'] === params['last']
      ? t('verify.appended', { number: toText(params['first'], format) })
      : t('verify.appendedRange', toRange(params, format)),
  FILTERED: ({ t }) => t('verify.filtered'),
  OTHER_CONTENT: ({ t }, { count }) => t('verify.otherContent', { count: Number(count) }),
  UNKNOWN_FINGERPRINT: ({ t }) => t('verify.unknownFingerprint'),
  OTHER_FILE: ({ t }, { path }) => t('verify.otherFile', { path: String(path) }),
  NO_FILE: ({ t }, { path }) => t('verify.noFile', { path: String(path) }),
  COMPLETE: ({ t, format }, { code, count, at }) =>
    t('verify.complete', { code: String(code), count: Number(count), at: toTime(at, format) }),
  FINGERPRINT: ({ t, format }, { number, fingerprint }) =>
    t('verify.isFingerprint', { number: toText(number, format), fingerprint: String(fingerprint) }),
  ERASED: ({ t }, { count }) => t('verify.erased', { count: Number(count) }),
  NOT_COMPARED: ({ t }) => t('verify.notCompared'),
  KNOWN: ({ t, format }, { number, at }) =>
    t('verify.known', { number: toText(number, format), at: toTime(at, format) }),
  FORMER_FILE: ({ t, format }, { path, number }) =>
    t('verify.formerFile', { path: String(path), number: toText(number, format) }),
  SEVERAL_FILES: ({ t }, { path }) => t('verify.severalFiles', { path: String(path) }),
  SAME_FILE: ({ t }, { path }) => t('verify.sameFile', { path: String(path) }),
};

/** Returns a statement in the language of the page. */
export function statementText({ code, params }: Statement, texts: Texts): string {
  return TEXTS[code](texts, params);
}

type Value = Params[string] | undefined;

const toText = (value: Value, format: Format): string => format.number(Number(value));
const toTime = (at: Value, format: Format): string => format.utcTime(new Date(Number(at)));

function toRange({ first, last }: Params, format: Format) {
  return { first: toText(first, format), last: toText(last, format) };
}
