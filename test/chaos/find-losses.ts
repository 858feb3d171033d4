import type { AuditRecord } from '../../src/links/attempt.ts';
import { resultOf } from '../support/audit-consistency.ts';
import { type Entry, type History, labelOf } from './clients.ts';
import type { Fault } from './fault-table.ts';
import type { Finding } from './final-check.ts';
import { agentOf, type StoredLink, type StoredState } from './stored-state.ts';

type Rules = {
  errorsMayBe: Fault['errorsMayBe'] | undefined;
  forgiven: readonly { from: number; until: number }[];
};

const ATTEMPTS: readonly Entry['kind'][] = ['open', 'head', 'wrong password', 'right password'];

/**
 * Compares what was acknowledged with what is stored. A request without a response may be stored or not. No
 * request may be in flight while `state` is read.
 */
export function findLosses(history: History, state: StoredState, rules: Rules): Finding[] {
  const entries = history.entries.filter((entry) => !isForgiven(entry, rules));
  return [
    ...compareAttempts(entries, history, state, rules),
    ...compareLinks(entries, history, state, rules),
    ...findUnexplained(entries, history, state, rules),
    ...compareChanges(state),
  ];
}

const loss = (text: string): Finding => ({ isLoss: true, text });
const problem = (text: string): Finding => ({ isLoss: false, text });

function isForgiven({ sentAt, outcome }: Entry, { forgiven }: Rules): boolean {
  return forgiven.some(({ from, until }) => sentAt < until && (outcome === undefined || outcome.at > from));
}

/** Compares each attempt with its record. */
function compareAttempts(
  entries: readonly Entry[],
  history: History,
  { audit }: StoredState,
  { errorsMayBe }: Rules,
): Finding[] {
  const recorded = Map.groupBy(audit, ({ userAgent }) => userAgent ?? '');
  const known = new Set(history.entries.map(({ agent }) => agent));
  const strangers = [...recorded.keys()].filter((agent) => !known.has(agent));
  return [
    ...strangers.map((agent) => problem(`The record of "${agent}" belongs to no request`)),
    ...entries.flatMap((entry) => {
      const records = recorded.get(entry.agent) ?? [];
      const found = ATTEMPTS.includes(entry.kind)
        ? compareAttempt(entry, records, errorsMayBe)
        : records.length > 0 && problem('is no attempt and has a record');
      if (!found) return findLateView(entry, history);
      return [{ ...found, text: `"${entry.agent}" (${entry.kind} ${entry.shortCode}) ${found.text}` }];
    }),
  ];
}

function compareAttempt(
  { kind, shortCode, outcome }: Entry,
  records: readonly AuditRecord[],
  errorsMayBe: Rules['errorsMayBe'],
): Finding | undefined {
  const [record, ...others] = records;
  if (others.length > 0) return problem(`has ${records.length} records`);
  if (!outcome || 'error' in outcome) return undefined;
  const { status, message: text } = outcome;
  const expected = kind === 'head' && status < 500 ? 'PREVIEW' : resultOf({ status, text });
  if (expected === undefined) {
    const ofLostFile = kind === 'head' ? 'PREVIEW' : 'NOT_FOUND';
    const isAllowed = errorsMayBe === 'recorded' || (errorsMayBe && record?.result === ofLostFile);
    if (!record || (isUncertain(status) && isAllowed)) return undefined;
    return problem(`got ${status} and is recorded as ${record.result}`);
  }
  if (!record) return loss(`got ${status} and has no record`);
  if (record.result === expected && record.shortCode === shortCode) return undefined;
  return loss(`got ${status} and is recorded as ${record.result} of ${record.shortCode}`);
}

/** Finds a view of a link that was sent after its revocation was acknowledged. */
function findLateView({ agent, shortCode, sentAt, outcome }: Entry, { revokedAt }: History): Finding[] {
  const isView = outcome !== undefined && 'status' in outcome && [200, 302].includes(outcome.status);
  const revoked = revokedAt.get(shortCode ?? '');
  if (!isView || revoked === undefined || revoked > sentAt) return [];
  return [loss(`"${agent}" opened ${shortCode} after its revocation`)];
}

/** Compares creations, uploads and revocations with the links: each is stored if it must be, as it was asked for. */
function compareLinks(
  entries: readonly Entry[],
  history: History,
  { links }: StoredState,
  rules: Rules,
): Finding[] {
  const byCode = new Map(links.map((link) => [link.shortCode, link]));
  const byAgent = Map.groupBy(links, agentOf);
  const findings: Finding[] = [];
  for (const entry of entries) {
    const { agent, kind, shortCode, outcome, creates } = entry;
    const isAcknowledged = outcome !== undefined && 'status' in outcome && outcome.status < 300;
    const [created, ...others] = byAgent.get(agent) ?? [];
    if (others.length > 0) findings.push(problem(`"${agent}" created ${others.length + 1} links`));
    if (created && !mayHaveEffect(entry, rules))
      findings.push(problem(`"${agent}" got ${labelOf(outcome)} and created ${created.shortCode}`));
    if (created && creates) findings.push(...compareLink(created, creates));
    if (!isAcknowledged) continue;
    if (creates && !created) findings.push(loss(`The link of "${agent}" is missing`));
    if (kind === 'revoke' && byCode.get(shortCode ?? '')?.status !== 'REVOKED')
      findings.push(loss(`${shortCode} is not revoked`));
  }
  for (const { shortCode } of history.links.values())
    if (!byCode.has(shortCode)) findings.push(loss(`The link ${shortCode} is missing`));
  return findings;
}

/** Returns whether the outcome of a commit can have stayed unknown. */
const isUncertain = (status: number): boolean => status === 500 || status === 503;

/** Returns whether a change can have happened. A failed one cannot, unless a fault leaves outcomes unknown. */
function mayHaveEffect({ outcome }: Entry, { errorsMayBe }: Rules): boolean {
  if (!outcome || 'error' in outcome || outcome.status < 400) return true;
  return isUncertain(outcome.status) && errorsMayBe === 'recorded';
}

/** Compares a stored link with what its request asked for. `checkFiles` compares its file. */
function compareLink(
  { shortCode, maxViews, targetUrl }: StoredLink,
  creates: NonNullable<Entry['creates']>,
): Finding[] {
  const url = 'url' in creates.target ? creates.target.url : null;
  const stored = `limit ${maxViews} and target ${targetUrl}`;
  const asked = `limit ${creates.maxViews} and target ${url}`;
  return stored === asked ? [] : [loss(`${shortCode} has ${stored} instead of ${asked}`)];
}

/** Finds links that no request created, revoked links that none revoked, and denials without a reason. */
function findUnexplained(
  entries: readonly Entry[],
  { entries: all }: History,
  { links }: StoredState,
  rules: Rules,
): Finding[] {
  const creators = new Set(all.filter(({ creates }) => creates).map(({ agent }) => agent));
  const revocations = all.filter((entry) => entry.kind === 'revoke' && mayHaveEffect(entry, rules));
  const revokedFrom = new Map(revocations.toReversed().map(({ shortCode, sentAt }) => [shortCode, sentAt]));
  const usedUp = new Set(
    links.filter(({ viewCount, maxViews }) => viewCount === maxViews).map(({ shortCode }) => shortCode),
  );
  const denials = entries.filter(({ shortCode, outcome }) => {
    if (!shortCode || !outcome || 'error' in outcome || outcome.status !== 410) return false;
    const mayBeRevoked = (revokedFrom.get(shortCode) ?? outcome.at) < outcome.at;
    const result = resultOf({ status: 410, text: outcome.message });
    if (result === 'REVOKED') return !mayBeRevoked;
    if (result === 'VIEW_LIMIT_REACHED') return !usedUp.has(shortCode);
    return result !== undefined || !(mayBeRevoked || usedUp.has(shortCode)); // HEAD has no message
  });
  return [
    ...links
      .filter((link) => !creators.has(agentOf(link)))
      .map(({ shortCode }) => problem(`The link ${shortCode} belongs to no request`)),
    ...links
      .filter(({ shortCode, status }) => status === 'REVOKED' && !revokedFrom.has(shortCode))
      .map(({ shortCode }) => problem(`No request revoked ${shortCode}`)),
    ...denials.map(({ agent, shortCode, outcome }) =>
      problem(`"${agent}" was denied ${shortCode} without a reason: ${JSON.stringify(outcome)}`),
    ),
  ];
}

/** Checks that each link has the record of its creation, and of its revocation if it is revoked. */
function compareChanges({ links, changes }: StoredState): Finding[] {
  const expected = links.flatMap(({ shortCode, status }) =>
    status === 'REVOKED' ? [`${shortCode} CREATED`, `${shortCode} REVOKED`] : [`${shortCode} CREATED`],
  );
  const [stored, wanted] = [new Set(changes), new Set(expected)];
  const repeated = changes.length - stored.size;
  return [
    ...[...wanted.difference(stored)].map((change) => problem(`The record of ${change} is missing`)),
    ...[...stored.difference(wanted)].map((change) => problem(`The record of ${change} has no change`)),
    ...(repeated > 0 ? [problem(`${repeated} changes are recorded twice`)] : []),
  ];
}
