import type { Author } from '../../model/author.ts';
import { checkStart } from '../../model/decide-change.ts';
import { type ImportRecord, type Remark, type SkipReason, SOURCE_FLAGS } from '../../model/import-record.ts';
import type { EpochMs, NewLink } from '../../model/link.ts';
import { formatOwner } from '../../model/owner.ts';
import { accept, type Parsed } from '../../model/parsed.ts';
import { LINK_CODE, MAX_SEGMENTS, toShortCode } from '../../model/short-code.ts';
import { NO_TERMS } from '../../model/terms.ts';
import { isReservedCode } from '../../rules/custom-code.ts';
import { parsePassword } from '../../rules/parse-password.ts';
import type { TargetPolicy } from '../../rules/target-url.ts';
import { parseMaxViews, parseTarget } from '../../rules/term-rules.ts';
import { fitLabels } from './fit-labels.ts';

/** A link to create, with what is different from its source except a host that was left out; or the reason for which there is none. */
export type PlannedLink =
  | { ok: true; link: NewLink; remarks: Remark[] }
  | { ok: false; reason: SkipReason; detail: string };

export type PlanLink = (record: ImportRecord) => Promise<PlannedLink>;

export type PlanOptions = {
  /** The product of the source, such as `shlink`. */
  from: string;
  author: Author;
  /** Of times without an offset. */
  timeZone: string;
  /** The treatment of a link whose source refuses visitors: those without the password, or all. */
  withRefusal: 'pause' | 'skip';
  targets: TargetPolicy;
  /** The path below which links are shown. */
  shortPath: string;
  now: EpochMs;
  hashPassword: (password: string) => Promise<string>;
};

class Skip extends Error {
  readonly reason: SkipReason;
  constructor(reason: SkipReason, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/**
 * Prepares the checks of links to import. A link is skipped unless its short code, its target and what restricts it are kept
 * exactly. The administrator's limits for new links do not apply, but for the rules of targets.
 */
export function preparePlanLink(options: PlanOptions): PlanLink {
  return async (record) => {
    try {
      return await plan(record, options);
    } catch (error) {
      if (error instanceof Skip) return { ok: false, reason: error.reason, detail: error.message };
      throw error;
    }
  };
}

async function plan(record: ImportRecord, options: PlanOptions): Promise<PlannedLink> {
  const { from, now, hashPassword } = options;
  const shortCode = checkCode(record.shortCode);
  const url = checkTarget(record.targetUrl, options.targets);
  const created = readCreation(record, options);
  const times = { createdAt: created.value, ...readLimits(record, options) };
  const requestedViews = readMaxViews(record.maxViews);
  const views = readViews(record.views, requestedViews !== null);
  const viewCount = views.value;
  const maxViews = requestedViews === null ? null : Math.max(requestedViews, viewCount);
  const password = accepted('INVALID_PASSWORD', record.password, parsePassword(record.password));
  if (record.refusals.length > 0 && options.withRefusal === 'skip')
    throw new Skip('REFUSES_VISITORS', describeRefusals(record));
  const { labels, remarks } = fitLabels(record);
  remarks.unshift(...created.remarks, ...views.remarks);
  const { host } = record;
  const flags = Object.fromEntries(SOURCE_FLAGS.map((name) => [name, record[name]]));
  const isHost = host !== null && options.targets.hosts.has(host);
  const isExpired = times.expiresAt !== null && now > times.expiresAt;
  const link: NewLink = {
    ...{ shortCode, definitionVersion: 0, target: { type: 'REDIRECT', url } },
    terms: { ...NO_TERMS, ...labels, ...flags, host: isHost ? host : null },
    ...times,
    maxViews,
    passwordHash: password === null ? null : await hashPassword(password),
    tokenHash: null,
    ...{ owner: formatOwner(options.author), team: null },
    imported: {
      from,
      viewCount,
      isPaused: record.refusals.length > 0,
      status: isExpired ? 'EXPIRED' : 'ACTIVE',
    },
  };
  if (maxViews !== requestedViews)
    remarks.unshift({
      what: 'limit of views raised to the views that it had',
      detail: `from ${requestedViews} to ${maxViews}`,
    });
  const [first = ''] = shortCode.split('/', 1);
  if (options.shortPath === '/' && (first.includes('.') || isReservedCode(first)))
    remarks.push({ what: 'opens below /l/ alone', detail: `${quote(first)} is no address of links` });
  remarks.unshift(...record.refusals.map((refusal) => ({ what: `paused: ${REFUSAL_TEXTS[refusal]}` })));
  return {
    ok: true,
    link,
    remarks: [...remarks, ...record.losses.map((loss) => ({ what: `without ${loss}` }))],
  };
}

const REFUSAL_TEXTS = {
  password: 'only a hash of its password is known',
  banned: 'it is banned there',
  deleted: 'it is deleted there',
};

const describeRefusals = ({ refusals }: ImportRecord): string =>
  refusals.map((refusal) => REFUSAL_TEXTS[refusal]).join('; ');

function checkCode(sent: string | null): string {
  if (sent === null) throw new Skip('INVALID_CODE', 'it has no short code');
  const code = toShortCode(sent, LINK_CODE);
  if (code === undefined)
    throw new Skip(
      'INVALID_CODE',
      `${quote(sent)} must be 1 to 100 letters, digits, -, _, ~ or . in up to ${MAX_SEGMENTS} segments separated by /; create it again with another`,
    );
  if (isReservedCode(code))
    throw new Skip(
      'RESERVED_CODE',
      `${quote(code)} is a word of this service; create it again with another code`,
    );
  return code;
}

function checkTarget(targetUrl: string | null, policy: TargetPolicy): string {
  const parsed = parseTarget(targetUrl, policy);
  if (parsed.ok) return parsed.value;
  const { code, text } = parsed.error;
  const shown = targetUrl === null ? 'the target' : quote(targetUrl);
  throw new Skip(code === 'TARGET_BLOCKED' ? 'BLOCKED_TARGET' : 'INVALID_TARGET', `${shown} ${text}`);
}

type WithRemarks<T> = { value: T; remarks: Remark[] };

/** Reads the time of creation, which restricts nothing: without one, it is that of the import. */
function readCreation(
  { createdAt: text }: ImportRecord,
  { timeZone, now }: PlanOptions,
): WithRemarks<EpochMs> {
  const at = text === null ? now : readTime(text, timeZone);
  if (at !== undefined && at <= now) return { value: at, remarks: [] };
  const problem =
    at === undefined ? NOT_A_TIME : 'is in the future; set the time zone of the file if it is another';
  return {
    value: now,
    remarks: [{ what: 'without its time of creation', detail: `${quote(text ?? '')} ${problem}` }],
  };
}

const NOT_A_TIME = 'must be a date and time, such as 2026-11-22T10:00:00Z';
/** MySQL writes this for no time. */
const ZERO_DATE = /^0000-00-00\b/;

function readLimits(record: ImportRecord, { timeZone }: PlanOptions) {
  const read = (name: 'startsAt' | 'expiresAt'): EpochMs | null => {
    const text = record[name];
    const at = text === null || ZERO_DATE.test(text) ? null : readTime(text, timeZone);
    if (at === undefined) throw new Skip('INVALID_TIME', `${name} ${quote(text ?? '')} ${NOT_A_TIME}`);
    return at;
  };
  const [startsAt, expiresAt] = [read('startsAt'), read('expiresAt')];
  const error = checkStart(startsAt, expiresAt);
  if (error) throw new Skip('INVALID_TIME', `${error.field} ${error.text}`);
  return { startsAt, expiresAt };
}

/** Milliseconds since 1970, as a database without a type for times stores them. */
const MILLISECONDS = /^\d{12,13}$/;

/**
 * Reads a time as exports write it: with an offset, or without one in `timeZone`; with a space or a T before the time of
 * the day, or a date alone. Returns undefined for any other text.
 */
function readTime(text: string, timeZone: string): EpochMs | undefined {
  if (MILLISECONDS.test(text)) return Number(text);
  for (const read of [
    () => Temporal.Instant.from(text),
    () => Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone),
  ]) {
    try {
      return read().epochMilliseconds;
    } catch {
      // It has no offset, or is no time.
    }
  }
  return undefined;
}

/** Reads an integer, also with the separators of thousands. */
function toInteger(text: string): number {
  return /^\d{1,3}(,\d{3})+$/.test(text) ? Number(text.replaceAll(',', '')) : Number(text);
}

function readMaxViews(text: string | null): number | null {
  if (text === null) return null;
  return accepted('INVALID_COUNT', text, parseMaxViews(toInteger(text)));
}

/** Reads the views, which restrict nothing without a limit of views. */
function readViews(text: string | null, isLimited: boolean): WithRemarks<number> {
  const views = text === null ? 0 : toInteger(text);
  const parsed = views === 0 ? accept(0) : parseMaxViews(views);
  if (parsed.ok) return { value: parsed.value, remarks: [] };
  const detail = `${quote(text ?? '')} must be an integer from 0 to 2,147,483,647`;
  if (isLimited) throw new Skip('INVALID_COUNT', `views ${detail}`);
  return { value: 0, remarks: [{ what: 'without its views', detail }] };
}

/** Returns the value that a rule accepts. A password is not shown. */
function accepted<T>(reason: SkipReason, text: string | null, parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  const shown = reason === 'INVALID_PASSWORD' ? '' : ` ${quote(text ?? '')}`;
  throw new Skip(reason, `${parsed.error.field}${shown} ${parsed.error.text}`);
}

const MAX_QUOTED_CHARACTERS = 100;

function quote(text: string): string {
  const truncated = text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
  return JSON.stringify(truncated);
}
