import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createFilesystemStore } from '../../src/adapters/files/filesystem.ts';
import { prepareStorageDirectory } from '../../src/adapters/files/storage-directory.ts';
import type { AuditRecord } from '../../src/core/model/attempt.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { pluck } from '../support/pluck.ts';
import { seededInt } from '../support/random.ts';
import { temporaryDirectory } from '../support/service.ts';
import type { ReceivedWebhook } from '../support/webhook-receiver.ts';
import { checkFiles } from './check-files.ts';
import type { Entry, History } from './clients.ts';
import { findUnexpected } from './final-check.ts';
import { findLosses } from './find-losses.ts';
import { type KnownLink, type PlannedLink, planUpload } from './requests.ts';
import { runFault } from './run-fault.ts';
import type { StoredChange, StoredState } from './stored-state.ts';
import { checkWebhooks, findMissingEvents } from './webhooks.ts';

const LINK = 'link0001';
const REVOKED = '"message":"Link has been revoked"';
const USED_UP = '"message":"Link has reached its view limit"';
const URL_OF_LINK = 'https://example.com/chaos/chaos%200';
const NONE = { errorsMayBe: undefined, forgiven: [] };

/** Returns a request that was sent at the time 2 and got a response at the time 3. */
function entry(kind: Entry['kind'], status: number, more: Partial<Entry> = {}): Entry {
  const outcome = { at: 3, status, message: status === 410 ? REVOKED : '' };
  return { kind, agent: 'chaos 1', shortCode: LINK, sentAt: 2, outcome, ...more };
}

/** Returns the request 0, which asked for the link. */
function creation(status: number, more: Partial<PlannedLink> = {}, agent = 'chaos 0'): Entry {
  const target = { url: URL_OF_LINK };
  const creates = [{ name: 'chaos 0', target, isProtected: false, maxViews: null, ...more }];
  return entry('create', status, { agent, shortCode: null, creates });
}

/** Returns the history of these requests, after a creation that broke off. */
function historyOf(...entries: Entry[]): History {
  const broken = { ...creation(201), outcome: { at: 1, error: 'broken' as const } };
  if (!entries.some(({ creates }) => creates)) entries.unshift(broken);
  return { entries, links: new Map(), revokedAt: new Map(), wrong: [] };
}

function recordOf(userAgent: string, result: AuditRecord['result']): AuditRecord {
  return { id: userAgent, shortCode: LINK, result, count: 1, ipAddress: null, userAgent, accessedAt: 0 };
}

const FILE = { content: Buffer.from('a file') };

function linkTo(target: KnownLink['target']): KnownLink {
  const known = { name: 'chaos 0', shortCode: LINK, token: 'token', acknowledgedAt: 1 };
  return { ...known, target, isProtected: false, maxViews: null };
}

function recorded(kind: string, number: number, label: string | null = null): StoredChange {
  return { id: `${number}`, shortCode: LINK, kind, number, label };
}

/** Returns a change of the label of the link, which took a moment. */
function change(agent: string, sentAt: number, status = 200): Entry {
  return entry('change', status, { agent, sentAt, outcome: { at: sentAt + 1, status, message: '' } });
}

/** Returns a database in which the link got these labels. */
function labelled(...labels: string[]): StoredState {
  const [link] = stateWith().links;
  const changes = labels.map((label, index) => recorded('CHANGED', index + 2, label));
  return stateWith({
    links: link ? [{ ...link, label: labels.at(-1) ?? null }] : [],
    changes: [recorded('CREATED', 1), ...changes],
  });
}

/** Returns a database with one link, which request 0 created. */
function stateWith(more: Partial<StoredState> = {}): StoredState {
  const link = {
    ...{ shortCode: LINK, status: 'ACTIVE', viewCount: 1, maxViews: null },
    ...{ targetUrl: URL_OF_LINK, file: null, label: null, notifyUrl: null },
  };
  return { audit: [], links: [link], changes: [recorded('CREATED', 1)], ...more };
}

const viewed = stateWith({ audit: [recordOf('chaos 1', 'SUCCESS')] });
const created = creation(201);

/** Returns the processes that a process has started, and theirs. */
function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children
    .filter((child) => child !== '')
    .flatMap((child) => [Number(child), ...descendants(Number(child))]);
}

/** Returns the process below this one that runs a program with this text, once it runs. */
async function waitForProgram(text: string): Promise<number> {
  const isRunning = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false; // it has ended meanwhile
    }
  };
  for (;;) {
    const found = descendants(process.pid).find(isRunning);
    if (found !== undefined) return found;
    await pause(20);
  }
}

test('a run ends with an error when the program dies that holds a lock', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async () => {
  const startedAt = performance.now();
  const options = { random: seededInt(1), holdMs: 3_600_000, rounds: 1, clientCount: 4, patience: 1 };
  const running = runFault('database-locked', 'sqlite', { ...options, awaitsWebhooks: false });
  running.catch(() => {}); // awaited below
  process.kill(await waitForProgram('BEGIN IMMEDIATE'), 'SIGKILL');
  await assert.rejects(running, /The program that holds a lock ended with SIGKILL/);
  assert.ok(performance.now() - startedAt < options.holdMs);
});

describe('the check for losses', () => {
  test('the check finds nothing when every acknowledged request is stored', () => {
    assert.deepEqual(findLosses(historyOf(created, entry('open', 302)), viewed, NONE), []);
  });

  test('the check accepts a request without a response both with and without its record', () => {
    const { outcome: _, ...inFlight } = entry('open', 302);
    const broken = entry('open', 302, { outcome: { at: 3, error: 'broken' } });
    for (const unknown of [inFlight, broken]) {
      assert.deepEqual(findLosses(historyOf(unknown), viewed, NONE), []);
      assert.deepEqual(findLosses(historyOf(unknown), stateWith(), NONE), []);
    }
  });

  const [link] = stateWith().links;
  const revoked: StoredState = {
    audit: viewed.audit,
    links: link ? [{ ...link, status: 'REVOKED' }] : [],
    changes: [recorded('CREATED', 1), recorded('REVOKED', 2)],
  };
  const REVOKED_BEFORE = entry('revoke', 204, { agent: 'chaos 2', sentAt: 1 });
  const losses: [history: History, state: StoredState, text: RegExp][] = [
    [historyOf(entry('open', 302)), stateWith(), /got 302 and has no record/],
    [historyOf(entry('open', 410), REVOKED_BEFORE), revoked, /got 410 and is recorded as SUCCESS/],
    [historyOf(creation(201, { maxViews: 5 })), stateWith(), /limit null and .* instead of limit 5/],
    [
      historyOf(creation(201, { target: { url: `${URL_OF_LINK}?` } })),
      stateWith(),
      /instead of limit null and target .*\?/,
    ],
    [historyOf(created), stateWith({ links: [], changes: [] }), /"chaos 0" is missing/],
    [historyOf(entry('revoke', 204)), stateWith(), /link0001 is not revoked/],
    [historyOf(created, change('chaos 1', 2)), stateWith(), /The change of link0001 by "chaos 1" is missing/],
    [{ ...historyOf(entry('open', 302)), revokedAt: new Map([[LINK, 1]]) }, viewed, /after its revocation/],
  ];
  for (const [history, state, text] of losses) {
    test(`the check finds a loss: ${text.source}`, () => {
      const [finding, ...others] = findLosses(history, state, NONE);
      assert.match(finding?.text ?? '', text);
      assert.ok(finding?.isLoss);
      assert.deepEqual(others, []);
    });
  }

  const twice = [recordOf('chaos 1', 'SUCCESS'), recordOf('chaos 1', 'SUCCESS')];
  const audited = (result: AuditRecord['result']) => stateWith({ audit: [recordOf('chaos 1', result)] });
  const usedUp = entry('open', 410, { outcome: { at: 3, status: 410, message: USED_UP } });
  const twoLinks = stateWith({ links: link ? [link, { ...link }] : [] });
  const problems: [history: History, state: StoredState, text: RegExp][] = [
    [historyOf(entry('open', 302)), stateWith({ audit: twice }), /2 records/],
    [historyOf(), viewed, /"chaos 1" belongs to no request/],
    [historyOf(entry('open', 500)), viewed, /got 500 and is recorded as/],
    [historyOf(created), twoLinks, /"chaos 0" created 2 links/],
    [historyOf(creation(500)), stateWith(), /"chaos 0" got 500 and created link0001/],
    [historyOf(creation(500, { name: 'chaos 9' })), stateWith(), /link0001 belongs to no req/],
    [historyOf(entry('revoke', 500)), { ...revoked, audit: [] }, /No request revoked link0001/],
    [historyOf(entry('open', 410)), audited('REVOKED'), /without a reason: .*revoked/],
    [historyOf(usedUp), audited('VIEW_LIMIT_REACHED'), /without a reason: .*limit/],
    [historyOf(created, creation(201, {}, 'chaos 3')), twoLinks, /"chaos 0" created 2 links/],
    [
      historyOf(created, change('chaos 1', 2), change('chaos 2', 4)),
      labelled('chaos 2', 'chaos 1'),
      /was overtaken by an earlier one/,
    ],
    [historyOf(created, change('chaos 1', 2, 503)), labelled('chaos 1'), /no request/],
    [historyOf(), stateWith({ changes: [] }), /CREATED is missing/],
  ];
  for (const [history, state, text] of problems) {
    test(`the check finds a problem: ${text.source}`, () => {
      const [finding] = findLosses(history, state, NONE);
      assert.match(finding?.text ?? '', text);
      assert.ok(finding && !finding.isLoss);
    });
  }

  test('the check accepts a change that was sent while another one was under way, in any order', () => {
    const changes = [change('chaos 1', 2), change('chaos 2', 2.5)];
    for (const state of [labelled('chaos 1', 'chaos 2'), labelled('chaos 2', 'chaos 1')])
      assert.deepEqual(findLosses(historyOf(created, ...changes), state, NONE), []);
  });

  test('the check accepts the link of a failed request that its repeat has created', () => {
    const repeated = creation(201, {}, 'chaos 3');
    assert.deepEqual(findLosses(historyOf(creation(503), repeated), stateWith(), NONE), []);
  });

  test('the check allows a record of a failed request only where a fault does', () => {
    const failed = historyOf(entry('open', 500));
    assert.deepEqual(findLosses(failed, viewed, { ...NONE, errorsMayBe: 'recorded' }), []);
    assert.equal(findLosses(failed, viewed, { ...NONE, errorsMayBe: 'like a missing file' }).length, 1);
    const notFound = stateWith({ audit: [recordOf('chaos 1', 'NOT_FOUND')] });
    assert.deepEqual(findLosses(failed, notFound, { ...NONE, errorsMayBe: 'like a missing file' }), []);
  });

  test('the check accepts the effect of a failed change only where a fault does', () => {
    const changed = { ...revoked, audit: [] };
    const failed = historyOf(creation(500), entry('revoke', 500));
    assert.deepEqual(findLosses(failed, changed, { ...NONE, errorsMayBe: 'recorded' }), []);
    assert.equal(findLosses(failed, changed, NONE).length, 2);
  });

  test('the check excludes what a restore takes away', () => {
    const forgiven = [{ from: 2.5, until: 4 }];
    assert.deepEqual(findLosses(historyOf(entry('open', 302)), stateWith(), { ...NONE, forgiven }), []);
    const earlier = [{ from: 3.5, until: 4 }];
    assert.equal(
      findLosses(historyOf(entry('open', 302)), stateWith(), { ...NONE, forgiven: earlier }).length,
      1,
    );
  });
});

describe('the check of webhooks', () => {
  const RECORD = '0a0b0c0d-0000-7000-8000-000000000001';
  const [link] = stateWith().links;
  const state = stateWith({
    audit: [{ ...recordOf('chaos 1', 'SUCCESS'), id: RECORD }],
    links: link ? [{ ...link, notifyUrl: 'http://receiver' }] : [],
    changes: [],
  });

  function webhook(id: string, more: { path?: string; events?: string[]; eventCount?: number } = {}) {
    const { path = '/', events = [RECORD], eventCount = events.length } = more;
    const listed = events.map((each) => ({ type: 'link.opened', id: each }));
    const body = JSON.stringify({ data: { shortCode: LINK, eventCount, events: listed } });
    return { method: 'POST', path, body, headers: { 'webhook-id': id }, remotePort: 1 };
  }
  const problemsOf = (...received: ReceivedWebhook[]) =>
    checkWebhooks(received, state, { mayLackRecords: false }).map(({ text }) => text);

  test('the check accepts a message that is sent again as it was', () => {
    const received = [webhook('one'), webhook('one')];
    assert.deepEqual(findMissingEvents(received, state), []);
    assert.deepEqual(problemsOf(...received), []);
  });

  test('the check finds an event that did not arrive, unless a message counts more than it lists', () => {
    assert.equal(findMissingEvents([], state).length, 1);
    assert.equal(findMissingEvents([webhook('one', { events: [] })], state).length, 1);
    assert.equal(findMissingEvents([webhook('one', { events: [], eventCount: 1 })], state).length, 0);
  });

  test('the check finds a message that changed, an event in two messages, and one without a record', () => {
    assert.match(problemsOf(webhook('one'), webhook('one', { path: '/2' })).join(), /one was another one/);
    assert.match(problemsOf(webhook('one'), webhook('two')).join(), /is in the messages one and two/);
    assert.match(problemsOf(webhook('one', { events: ['x'] })).join(), /arrived and has no record/);
  });
});

describe('the check of what clients saw', () => {
  const fault = { sees: { visit: [500], any: ['broken'] } as const, from: 2, until: 4 };
  const failedAt = (sentAt: number, at: number, status = 500) =>
    entry('open', status, { sentAt, outcome: { at, status, message: '' } });

  test('the check accepts normal responses at any time, and during a fault what it allows', () => {
    assert.deepEqual(findUnexpected([entry('open', 302), failedAt(1, 3), failedAt(3, 5)], fault), []);
  });

  test('the check accepts a broken connection only for a request that was sent after a stop began', () => {
    const broken = { ...entry('open', 0), outcome: { at: 3, error: 'broken' as const } }; // sent at 2
    const countAt = (stoppedAt?: number) =>
      findUnexpected([broken], { ...fault, sees: {}, stoppedAt }).length;
    assert.deepEqual([countAt(2), countAt(2.5), countAt()], [0, 1, 1]);
  });

  test('the check finds that a protected link opens without its password', () => {
    const link = { ...linkTo({ url: URL_OF_LINK }), isProtected: true };
    const guessed = entry('wrong password', 302, { link });
    const withoutPassword = entry('open', 302, { link });
    assert.deepEqual(
      findUnexpected([guessed, withoutPassword, entry('right password', 302, { link })], fault).map(
        ({ text }) => text,
      ),
      ['302 for "wrong password" during the fault, 1 times', '302 for "open" during the fault, 1 times'],
    );
  });

  test('the check finds an error that a fault allows only for other requests', () => {
    const errors = [entry('create', 500), entry('open', 500), entry('open', 500, { link: linkTo(FILE) })];
    assert.deepEqual(pluck(findUnexpected(errors, fault), 'text'), [
      '500 for "create" during the fault, 1 times',
      '500 for "open", a download, during the fault, 1 times',
    ]);
  });

  test('the check finds an error before, during and after a fault', () => {
    const errors = [failedAt(0, 1), failedAt(3, 3, 503), failedAt(5, 6)];
    assert.deepEqual(pluck(findUnexpected(errors, fault), 'text'), [
      '500 for "open" before the fault, 1 times',
      '503 for "open" during the fault, 1 times',
      '500 for "open" after the recovery, 1 times',
    ]);
  });
});

test('the check of files compares each with what its request sent, with or without a response', async (t) => {
  const directory = temporaryDirectory(t);
  await prepareStorageDirectory(directory);
  const files = createFilesystemStore({ directory });
  const planned = planUpload('chaos 1', { sizeBytes: 1_000 });
  const inFlight: Entry = { ...planned, sentAt: 1 };
  const target = planned.creates?.[0]?.target;
  const content = target && 'content' in target ? target.content : Buffer.alloc(0);
  const find = async (stored: Buffer): Promise<string[]> => {
    const id = randomUUID();
    await storeFile(files, id, Readable.from([stored]));
    const file = { id, name: 'chaos 1.bin', sizeBytes: stored.length };
    const [made = assert.fail()] = stateWith().links;
    const link = { ...made, targetUrl: null, file };
    return (await checkFiles(files, [link], [inFlight])).map(({ text }) => text);
  };
  assert.deepEqual(await find(content), []);
  assert.deepEqual(await find(content.subarray(0, 500)), ['The file of link0001 has 500 of 1000 bytes']);
  assert.deepEqual(await find(Buffer.alloc(1_000)), [
    'The file of link0001 has other bytes than were uploaded',
  ]);
});
