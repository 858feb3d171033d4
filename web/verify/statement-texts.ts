import type { Statement, StatementCode } from '../../src/core/use-cases/history/exported/statements.ts';
import type { VerifyTranslate } from '../history/verify-texts/en.ts';
import type { Format } from '../i18n/format.ts';

type Texts = { text: VerifyTranslate; format: Format };
type Params = Statement['params'];

/** The texts of the statements in the language of the page. */
const TEXTS: Record<StatementCode, (texts: Texts, params: Params) => string> = {
  NOT_AN_EXPORT: ({ text }) => text('notAnExport'),
  LINE_CHANGED: ({ text, format }, { line, number }) => {
    const changed = text('lineChanged', { line: toText(line, format) });
    return number === undefined ? changed : `${changed} ${text('entry', { number: toText(number, format) })}`;
  },
  LINE_TOO_LONG: ({ text, format }, { line }) => text('lineTooLong', { line: toText(line, format) }),
  CUT_OFF: ({ text, format }, { line }) => text('cutOff', { line: toText(line, format) }),
  OTHER_LINK: ({ text, format }, { line, code, expected }) =>
    text('otherLink', { line: toText(line, format), code: String(code), expected: String(expected) }),
  NEWER_FORMAT: ({ text, format }, { line }) => text('newerFormat', { line: toText(line, format) }),
  MISSING: ({ text, format }, params) =>
    params['first'] === params['last']
      ? text('missing', { number: toText(params['first'], format) })
      : text('missingRange', toRange(params, format)),
  REPEATED: ({ text, format }, { number }) => text('repeated', { number: toText(number, format) }),
  APPENDED: ({ text, format }, params) =>
    params['first'] === params['last']
      ? text('appended', { number: toText(params['first'], format) })
      : text('appendedRange', toRange(params, format)),
  FILTERED: ({ text }) => text('filtered'),
  OTHER_CONTENT: ({ text }, { count }) => text('otherContent', { count: Number(count) }),
  UNKNOWN_FINGERPRINT: ({ text }) => text('unknownFingerprint'),
  OTHER_FILE: ({ text }, { path, count }) => text('otherFile', { path: String(path), count: Number(count) }),
  OTHER_LIST: ({ text }) => text('otherList'),
  NO_FILE: ({ text }, { path }) => text('noFile', { path: String(path) }),
  CHECKPOINT_WRONG: ({ text }) => text('checkpointWrong'),
  NO_CHECKPOINT: ({ text }) => text('noCheckpoint'),
  KEPT_UNREADABLE: ({ text }) => text('keptUnreadable'),
  KEPT_WRONG: ({ text }) => text('keptWrong'),
  KEPT_TOO_LONG: ({ text }, { count }) => text('keptTooLong', { count: Number(count) }),
  OTHER_KEY: ({ text }) => text('otherKey'),
  NOT_COSIGNED: ({ text }, { witness }) => text('notCosigned', { witness: String(witness) }),
  NOT_CONNECTED: ({ text, format }, { size, path }) =>
    text('notConnected', { size: toText(size, format), path: String(path) }),
  NOTHING_COMPARED: ({ text }) => text('nothingCompared'),
  FORK: ({ text, format }, { size }) => text('fork', { size: toText(size, format) }),
  DROPPED: ({ text, format }, { number }) => text('dropped', { number: toText(number, format) }),
  REWRITTEN: ({ text, format }, { number }) => text('rewritten', { number: toText(number, format) }),
  COVERED: ({ text, format }, { number, size, origin }) =>
    text('covered', {
      ...{ number: toText(number, format), size: toText(size, format), origin: String(origin) },
    }),
  LATER: ({ text, format }, params) => text('later', toRange(params, format)),
  KEY_NOT_COMPARED: ({ text }, { key }) => text('keyNotCompared', { key: String(key) }),
  COSIGNED: ({ text, format }, { witness, at }) =>
    text('cosigned', { witness: String(witness), at: toTime(at, format) }),
  KEPT: ({ text, format }, { number }) => text('keptProof', { number: toText(number, format) }),
  VOUCHED: ({ text, format }, { number, size }) =>
    text('vouched', { number: toText(number, format), size: toText(size, format) }),
  ENTERED_LATER: ({ text, format }, { number, size }) =>
    text('enteredLater', { number: toText(number, format), size: toText(size, format) }),
  COMPLETE: ({ text, format }, { code, count, at }) =>
    text('complete', { code: String(code), count: Number(count), at: toTime(at, format) }),
  FINGERPRINT: ({ text, format }, { number, fingerprint }) =>
    text('isFingerprint', { number: toText(number, format), fingerprint: String(fingerprint) }),
  ERASED: ({ text }, { count }) => text('erased', { count: Number(count) }),
  NOT_COMPARED: ({ text }) => text('notCompared'),
  KNOWN: ({ text, format }, { number, at }) =>
    text('known', { number: toText(number, format), at: toTime(at, format) }),
  FORMER_FILE: ({ text, format }, { path, number }) =>
    text('formerFile', { path: String(path), number: toText(number, format) }),
  SEVERAL_FILES: ({ text }, { path }) => text('severalFiles', { path: String(path) }),
  ZIP: ({ text }, { path }) => text('zip', { path: String(path) }),
  FILES: ({ text }, { count }) => text('files', { count: Number(count) }),
  ONE_OF_FILES: ({ text }, { path, name }) => text('oneOfFiles', { path: String(path), name: String(name) }),
  SAME_FILE: ({ text }, { path }) => text('sameFile', { path: String(path) }),
};

/** Returns a statement in the language of the page. */
export function statementText({ code, params }: Statement, texts: Texts): string {
  return TEXTS[code](texts, params);
}

type Value = Params[string] | undefined;

const toText = (value: Value, format: Format): string => format.number(Number(value));
const toTime = (at: Value, format: Format): string => format.time(new Date(Number(at)));

function toRange({ first, last }: Params, format: Format) {
  return { first: toText(first, format), last: toText(last, format) };
}
