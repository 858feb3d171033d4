import type { AuditRecord } from '../../src/core/model/attempt.ts';
import { resultOf } from '../support/audit-consistency.ts';
import { type Entry, type History, labelOf } from './clients.ts';
import type { Fault } from './fault.ts';
import type { Finding } from './finding.ts';
import type { PlannedLink } from './requests.ts';
import { nameOf, type StoredChange, type StoredLink, type StoredState } from './stored-state.ts';

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
    ...compareLabels(entries, history, state, rules),
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

/**
 * Compares creations, uploads and revocations with the links: each is stored if it must be, once, and as it was asked
 * for. Requests with one Idempotency-Key create the same links.
 */
function compareLinks(
  entries: readonly Entry[],
  history: History,
  { links }: StoredState,
  rules: Rules,
): Finding[] {
  const byCode = new Map(links.map((link) => [link.shortCode, link]));
  const byName = Map.groupBy(links, nameOf);
  const possible = new Set([
    ...[...history.links.values()].map(({ name }) => name), // also of a request of which another item failed
    ...history.entries.filter((entry) => mayHaveEffect(entry, rules)).flatMap(namesOf),
  ]);
  const requests = Map.groupBy(
    entries.flatMap((entry) => (entry.creates ?? []).map((planned) => ({ planned, entry }))),
    ({ planned }) => planned.name,
  );
  const findings: Finding[] = [];
  for (const [name, asked] of requests) {
    const [created, ...others] = byName.get(name) ?? [];
    if (others.length > 0) findings.push(problem(`"${name}" created ${others.length + 1} links`));
    const labels = asked.map(({ entry }) => labelOf(entry.outcome)).join(', ');
    if (created && !possible.has(name))
      findings.push(problem(`"${name}" got ${labels} and created ${created.shortCode}`));
    const [first] = asked;
    if (created && first) findings.push(...compareLink(created, first.planned));
    if (!created && asked.some(({ entry }) => isAcknowledged(entry)))
      findings.push(loss(`The link of "${name}" is missing`));
  }
  for (const entry of entries)
    if (entry.kind === 'revoke' && isAcknowledged(entry))
      if (byCode.get(entry.shortCode ?? '')?.status !== 'REVOKED')
        findings.push(loss(`${entry.shortCode} is not revoked`));
  for (const { shortCode } of history.links.values())
    if (!byCode.has(shortCode)) findings.push(loss(`The link ${shortCode} is missing`));
  return findings;
}

const namesOf = ({ creates = [] }: Entry): string[] => creates.map(({ name }) => name);

const isAcknowledged = ({ outcome }: Entry): boolean =>
  outcome !== undefined && 'status' in outcome && outcome.status < 300;

/**
 * Compares changes of labels with their records: an acknowledged one has a record, and comes after each that was
 * acknowledged before it was sent. The link has the label of the last.
 */
function compareLabels(
  entries: readonly Entry[],
  { entries: all }: History,
  { links, changes }: StoredState,
  rules: Rules,
): Finding[] {
  const changed = changes.filter(({ kind }) => kind === 'CHANGED');
  const byLabel = Map.groupBy(changed, ({ label }) => label ?? '');
  const possible = new Set(
    all.filter((entry) => entry.kind === 'change' && mayHaveEffect(entry, rules)).map(({ agent }) => agent),
  );
  const held = entries.filter((entry) => entry.kind === 'change' && isAcknowledged(entry));
  const findings: Finding[] = [];
  for (const { agent, shortCode } of held)
    if (byLabel.get(agent)?.[0]?.shortCode !== shortCode)
      findings.push(loss(`The change of ${shortCode} by "${agent}" is missing`));
  for (const [label, records] of byLabel) {
    if (!possible.has(label)) findings.push(problem(`The change to "${label}" belongs to no request`));
    if (records.length > 1)
      findings.push(problem(`The change to "${label}" is recorded ${records.length} times`));
  }
  for (const [shortCode, ofLink] of Map.groupBy(held, (entry) => entry.shortCode))
    findings.push(...findReordered(ofLink, byLabel).map((text) => problem(`${shortCode}: ${text}`)));
  const lastOf = new Map(
    changed.toSorted((a, b) => a.number - b.number).map(({ shortCode, label }) => [shortCode, label]),
  );
  for (const { shortCode, label } of links)
    if (label !== (lastOf.get(shortCode) ?? null))
      findings.push(loss(`${shortCode} has the label ${label} instead of ${lastOf.get(shortCode)}`));
  return findings;
}

/** Finds a change that is recorded before another one that was acknowledged before it was sent. */
function findReordered(
  held: readonly Entry[],
  byLabel: ReadonlyMap<string, readonly StoredChange[]>,
): string[] {
  const numberOf = ({ agent }: Entry): number => byLabel.get(agent)?.[0]?.number ?? 0;
  const [first, ...others] = held.toSorted((a, b) => numberOf(a) - numberOf(b));
  let latest = first?.sentAt ?? 0;
  return others.flatMap((entry) => {
    const isLate = (entry.outcome?.at ?? latest) < latest;
    latest = Math.max(latest, entry.sentAt);
    return isLate ? [`the change by "${entry.agent}" was overtaken by an earlier one`] : [];
  });
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
  { target, maxViews: askedMaxViews }: PlannedLink,
): Finding[] {
  const url = 'url' in target ? target.url : null;
  const stored = `limit ${maxViews} and target ${targetUrl}`;
  const asked = `limit ${askedMaxViews} and target ${url}`;
  return stored === asked ? [] : [loss(`${shortCode} has ${stored} instead of ${asked}`)];
}

/** Finds links that no request created, revoked links that none revoked, and denials without a reason. */
function findUnexplained(
  entries: readonly Entry[],
  { entries: all }: History,
  { links }: StoredState,
  rules: Rules,
): Finding[] {
  const names = new Set(all.flatMap(namesOf));
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
      .filter((link) => !names.has(nameOf(link)))
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
  const found = changes
    .filter(({ kind }) => kind !== 'CHANGED')
    .map(({ shortCode, kind }) => `${shortCode} ${kind}`);
  const [stored, wanted] = [new Set(found), new Set(expected)];
  const repeated = found.length - stored.size;
  return [
    ...[...wanted.difference(stored)].map((change) => problem(`The record of ${change} is missing`)),
    ...[...stored.difference(wanted)].map((change) => problem(`The record of ${change} has no change`)),
    ...(repeated > 0 ? [problem(`${repeated} changes are recorded twice`)] : []),
  ];
}
