import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anonymous } from '../../src/core/model/author.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import { ClientClosedError } from '../../src/core/model/unavailable.ts';
import type { CountChange, SharedCounts } from '../../src/core/ports/ports.ts';
import { createLimits, NO_RATES } from '../../src/core/use-cases/limits/limits.ts';
import { createRateLimiter, WindowCounts } from '../../src/core/use-cases/limits/rate-limiter.ts';
import {
  createGuessDelay,
  createGuessLimits,
  delayAfter,
} from '../../src/core/use-cases/limits/visit-limits.ts';
import { guessKeyOf } from '../../src/core/use-cases/people/sign-in.ts';
import { testClock } from '../support/service.ts';
import { testTimers } from '../support/test-timers.ts';

const GUESS = { shortCode: 'code', address: '192.0.2.1' };
/** The time by which a clock was ahead, until it is right. */
const AHEAD = [
  ['an hour', HOUR_MS],
  ['30 days', 30 * DAY_MS],
] as const;
const turn = () => new Promise((resolve) => setImmediate(resolve));

function prepare(events: number) {
  const clock = testClock();
  const timers = testTimers();
  const rates = { ...NO_RATES, wrongPasswords: { events, windowMs: 1_000 } };
  const { visits } = createLimits(rates, { clock, startTimer: timers.start });
  let checks = 0;
  const guess = (isRight: boolean | Promise<boolean>, from = GUESS) =>
    visits.guess(from, async () => {
      checks += 1;
      return isRight;
    });
  return { clock, timers, visits, guess, checks: () => checks };
}

describe('guesses at a password', () => {
  test('guesses are refused after the limit of wrong ones, without a check, until the window ends', async () => {
    const { clock, visits, guess, checks } = prepare(3);
    for (let wrong = 0; wrong < 3; wrong++) {
      assert.deepEqual(await guess(false), { kind: 'CHECKED', isRight: false });
    }
    clock.now += 400;
    assert.deepEqual(await guess(true), { kind: 'LIMITED', retryAfterMs: 600 });
    assert.equal(visits.guessesBlockedMs(GUESS), 600);
    assert.equal(checks(), 3);
    clock.now += 600;
    assert.equal(visits.guessesBlockedMs(GUESS), 0);
    assert.deepEqual(await guess(true), { kind: 'CHECKED', isRight: true });
  });

  for (const [what, aheadMs] of AHEAD)
    test(`guesses are checked again after a clock ${what} ahead`, async () => {
      const { clock, guess } = prepare(1);
      clock.now += aheadMs;
      await guess(false);
      assert.equal((await guess(true)).kind, 'LIMITED');
      clock.now -= aheadMs;
      assert.equal((await guess(true)).kind, 'CHECKED');
    });

  test('guesses of another client or at another link are counted apart', async () => {
    const { guess } = prepare(1);
    await guess(false);
    assert.equal((await guess(true)).kind, 'LIMITED');
    assert.equal((await guess(true, { ...GUESS, address: '192.0.2.2' })).kind, 'CHECKED');
    assert.equal((await guess(true, { ...GUESS, shortCode: 'other' })).kind, 'CHECKED');
  });

  test('right guesses use up nothing, however many at once', async () => {
    const { guess, visits } = prepare(1);
    const results = await Promise.all(Array.from({ length: 50 }, () => guess(turn().then(() => true))));
    assert.ok(results.every((result) => result.kind === 'CHECKED' && result.isRight));
    assert.equal(visits.guessesBlockedMs(GUESS), 0);
  });

  test('wrong guesses that are sent at once are checked exactly as often as the limit allows', async () => {
    const { guess, checks } = prepare(10);
    const results = await Promise.all(Array.from({ length: 200 }, () => guess(turn().then(() => false))));
    assert.equal(results.filter(({ kind }) => kind === 'CHECKED').length, 10);
    assert.equal(checks(), 10);
  });

  test('guesses whose check fails use up nothing', async () => {
    const { guess, visits } = prepare(1);
    await assert.rejects(guess(Promise.reject(new RangeError('no memory'))), RangeError);
    assert.equal(visits.guessesBlockedMs(GUESS), 0);
  });

  test('guesses are not limited without a rate', async () => {
    const { visits } = createLimits(NO_RATES, { clock: testClock(), startTimer: testTimers().start });
    for (let wrong = 0; wrong < 100; wrong++) {
      assert.deepEqual(await visits.guess(GUESS, async () => false), { kind: 'CHECKED', isRight: false });
    }
    assert.equal(visits.guessesBlockedMs(GUESS), 0);
    await visits.delayGuess(GUESS);
  });
});

describe('requests for unknown codes', () => {
  test('requests for unknown codes refuse every visit of their client after the limit', async () => {
    const clock = testClock();
    const rates = { ...NO_RATES, unknownCodes: { events: 3, windowMs: 1_000 } };
    const { visits } = createLimits(rates, { clock, startTimer: testTimers().start });
    for (let unknown = 0; unknown < 3; unknown++) {
      assert.equal(visits.visitsBlockedMs(anonymous('192.0.2.1')), 0);
      assert.equal(await visits.countUnknownCode(anonymous('192.0.2.1')), 0);
    }
    assert.equal(visits.visitsBlockedMs(anonymous('192.0.2.1')), 1_000);
    assert.equal(visits.visitsBlockedMs(anonymous('192.0.2.2')), 0);
    clock.now += 1_000;
    assert.equal(visits.visitsBlockedMs(anonymous('192.0.2.1')), 0);
  });

  test('requests for unknown codes count for the whole IPv6 network of 64 bits', async () => {
    const rates = { ...NO_RATES, unknownCodes: { events: 2, windowMs: 1_000 } };
    const { visits } = createLimits(rates, { clock: testClock(), startTimer: testTimers().start });
    await visits.countUnknownCode(anonymous('2001:db8:1:2::1'));
    await visits.countUnknownCode(anonymous('2001:db8:1:2:3:4:5:6'));
    assert.equal(visits.visitsBlockedMs(anonymous('2001:db8:1:2::ffff')), 1_000);
    assert.equal(visits.visitsBlockedMs(anonymous('2001:db8:1:3::1')), 0);
  });
});

describe('sign-ins', () => {
  const guessAt = (name: string, address = '192.0.2.1') => ({ shortCode: name, address });

  test('wrong passwords of a client for any names are limited, those of another client are not', async () => {
    const clock = testClock();
    const rates = { ...NO_RATES, wrongPasswords: { events: 2, windowMs: 1_000 } };
    const { signIns, visits } = createLimits(rates, { clock, startTimer: testTimers().start });
    const results: string[] = [];
    for (let name = 0; name < 12; name++)
      results.push((await signIns.guess(guessAt(`p${name}`), async () => false)).kind);
    assert.deepEqual(results, [...Array(10).fill('CHECKED'), 'LIMITED', 'LIMITED']);
    assert.equal(signIns.guessesBlockedMs(guessAt('new')), 1_000);
    assert.equal(visits.guessesBlockedMs(guessAt('new')), 0, 'links are not affected');
    const other = guessAt('p1', '192.0.2.2');
    assert.deepEqual(await signIns.guess(other, async () => true), { kind: 'CHECKED', isRight: true });
    clock.now += 1_000;
    assert.equal(signIns.guessesBlockedMs(guessAt('new')), 0);
  });

  test('failed sign-ins slow down neither a link nor a person whose key is that of a limit by client', async () => {
    const rates = { ...NO_RATES, wrongPasswords: { events: 100, windowMs: 1_000 } };
    const delays: string[] = [];
    const onDelay = () => void delays.push('delayed');
    const limits = createLimits(rates, { clock: testClock(), startTimer: testTimers().start, onDelay });
    for (let name = 0; name < 30; name++) {
      await limits.signIns.guess(guessAt(`p${name}`), async () => false);
      await limits.providerSignIns.guess(guessAt(guessKeyOf('provider')), async () => false);
    }
    const waits = [
      limits.visits.delayGuess(guessAt('person')),
      limits.signIns.delayGuess(guessAt(guessKeyOf('provider'))),
    ];
    assert.deepEqual(delays, []);
    await Promise.all(waits);
  });

  test('a right password uses up nothing, nor does one that is not checked', async () => {
    const rates = { ...NO_RATES, wrongPasswords: { events: 1, windowMs: 1_000 } };
    const { signIns } = createLimits(rates, { clock: testClock(), startTimer: testTimers().start });
    for (let times = 0; times < 20; times++) await signIns.guess(guessAt('ada'), async () => true);
    await signIns.guess(guessAt('bob'), async () => false);
    for (let times = 0; times < 20; times++)
      assert.equal((await signIns.guess(guessAt('bob'), async () => false)).kind, 'LIMITED');
    for (let name = 1; name < 5; name++)
      assert.equal((await signIns.guess(guessAt(`p${name}`), async () => false)).kind, 'CHECKED');
    assert.equal((await signIns.guess(guessAt('p5'), async () => true)).kind, 'LIMITED');
  });
});

/** `fails`: returns true for a change whose counting fails. */
type Failing = { events?: number; fails?: (change: CountChange) => boolean };

describe('a limit that instances share', () => {
  test('a shared limit is reached by the events of all instances together, and each applies it', async () => {
    const clock = testClock();
    const rate = { events: 3, windowMs: 1_000 };
    const counts = new WindowCounts(rate, 10);
    const shared: SharedCounts = {
      add: async ({ key, amount, now }) => counts.add(key, amount, now),
      deleteEnded: async () => {},
    };
    const [one, other] = [1, 2].map(() => createRateLimiter({ name: 'limit', rate, clock, shared }));
    assert.ok(one && other);
    assert.deepEqual([await one.acquire('a'), await other.acquire('a'), await one.acquire('a')], [0, 0, 0]);
    assert.equal(one.blockedMs('a'), 1_000);
    assert.equal(await other.acquire('a'), 1_000);
    assert.equal(other.blockedMs('a'), 1_000);
  });

  /** Limits on counts that take a turn of the event loop, as a database does, and fail when `fails` returns true. */
  function prepareShared({ events = 10, fails = () => false }: Failing = {}) {
    const clock = testClock();
    const rate = { events, windowMs: 1_000 };
    const counts = new WindowCounts(rate, 10);
    const shared: SharedCounts = {
      async add(change) {
        await turn();
        if (fails(change)) throw new RangeError('the database is away');
        return counts.add(change.key, change.amount, change.now);
      },
      deleteEnded: async () => {},
    };
    const errors: unknown[] = [];
    const onSharedError = (error: unknown) => void errors.push(error);
    const rates = { ...NO_RATES, wrongPasswords: rate };
    const { visits } = createLimits(rates, { clock, startTimer: testTimers().start, shared, onSharedError });
    const count = () => counts.get(`wrongPasswords ${GUESS.shortCode} ${GUESS.address}`, clock())?.count;
    return { clock, visits, errors, count };
  }

  test('a shared limit lets right passwords pass at once, however many more than guesses are left', async () => {
    const { visits, count } = prepareShared();
    for (let wrong = 0; wrong < 9; wrong++) await visits.guess(GUESS, async () => false);
    const guesses = Array.from({ length: 6 }, () => visits.guess(GUESS, () => turn().then(() => true)));
    const kinds = (await Promise.all(guesses)).map(({ kind }) => kind);
    assert.deepEqual(kinds, Array(6).fill('CHECKED'));
    assert.equal(visits.guessesBlockedMs(GUESS), 0);
    assert.equal(count(), 9);
  });

  test('a shared limit counts in memory while the shared counts fail, and reports that once a minute', async () => {
    const { clock, visits, errors } = prepareShared({ events: 2, fails: () => true });
    for (const expected of ['CHECKED', 'CHECKED', 'LIMITED']) {
      assert.equal((await visits.guess(GUESS, async () => false)).kind, expected);
    }
    assert.equal(errors.length, 1);
    clock.now += 60_000;
    assert.deepEqual(await visits.guess(GUESS, async () => true), { kind: 'CHECKED', isRight: true });
    assert.equal(visits.guessesBlockedMs(GUESS), 0);
    assert.equal(errors.length, 2);
  });

  for (const [what, aheadMs] of AHEAD)
    test(`a shared limit asks the shared counts again, and reports their errors, after a clock ${what} ahead`, async () => {
      let isAway = true;
      const { clock, visits, errors, count } = prepareShared({ events: 2, fails: () => isAway });
      clock.now += aheadMs;
      await visits.guess(GUESS, async () => false);
      isAway = false;
      for (let wrong = 0; wrong < 3; wrong++) await visits.guess(GUESS, async () => false);
      assert.ok(visits.guessesBlockedMs(GUESS) > 0);
      clock.now -= aheadMs;
      assert.equal(visits.guessesBlockedMs(GUESS), 0);
      assert.equal((await visits.guess(GUESS, async () => false)).kind, 'CHECKED');
      assert.equal(count(), 1);
      isAway = true;
      await visits.guess({ ...GUESS, shortCode: 'other' }, async () => false);
      assert.equal(errors.length, 2);
    });

  test('a shared limit goes on after a guess could not be given back', async () => {
    let isAway = true;
    const { visits, errors } = prepareShared({ fails: ({ amount }) => isAway && amount < 0 });
    assert.deepEqual(await visits.guess(GUESS, async () => true), { kind: 'CHECKED', isRight: true });
    assert.equal(errors.length, 1);
    isAway = false;
    for (let wrong = 0; wrong < 9; wrong++) await visits.guess(GUESS, async () => false);
    assert.equal((await visits.guess(GUESS, async () => false)).kind, 'LIMITED');
  });
});

describe('a guess that waits for a running check', () => {
  /** Limits to one guess, on a limiter whose give-backs fail or not. */
  function prepareOne(release?: () => Promise<void>) {
    const clock = testClock();
    const limiter = createRateLimiter({ name: 'limit', rate: { events: 1, windowMs: 1_000 }, clock });
    const delay = createGuessDelay({ clock, startTimer: testTimers().start });
    return createGuessLimits(release ? { ...limiter, release } : limiter, delay);
  }

  test('a waiting guess goes on when the check could not give its guess back', async () => {
    const visits = prepareOne(() => Promise.reject(new RangeError('no memory')));
    const running = visits.guess(GUESS, () => turn().then(() => true));
    const waiting = visits.guess(GUESS, async () => true);
    await assert.rejects(running, RangeError);
    assert.equal((await waiting).kind, 'LIMITED');
  });

  test('a waiting guess ends when its client leaves', async () => {
    const visits = prepareOne();
    const check = Promise.withResolvers<boolean>();
    const running = visits.guess(GUESS, () => check.promise);
    const leaving = new AbortController();
    const waiting = visits.guess(GUESS, async () => true, leaving.signal);
    await turn();
    leaving.abort();
    await assert.rejects(waiting, ClientClosedError);
    check.resolve(true);
    assert.equal((await running).kind, 'CHECKED');
    assert.equal((await visits.guess(GUESS, async () => true)).kind, 'CHECKED');
  });
});

describe('the delay of guesses', () => {
  test('guesses are not delayed up to 20 wrong passwords; then the delay doubles from 100 ms to 5 s', () => {
    assert.deepEqual(
      [0, 19, 20, 21, 22, 25, 26, 1_000].map(delayAfter),
      [0, 0, 100, 200, 400, 3_200, 5_000, 5_000],
    );
  });

  function prepareDelay(options: { maxWaiting?: number } = {}) {
    const clock = testClock();
    const timers = testTimers();
    const delay = createGuessDelay({ clock, startTimer: timers.start, ...options });
    for (let wrong = 0; wrong < 30; wrong++) delay.addWrong('code');
    return { clock, timers, delay };
  }

  test('the delay holds a guess until its timer fires, for this link only', async () => {
    const { timers, delay } = prepareDelay();
    let hasGoneOn = false;
    const waiting = delay.wait('code').then(() => {
      hasGoneOn = true;
    });
    await delay.wait('other');
    assert.deepEqual([timers.delays(), hasGoneOn], [[5_000], false]);
    timers.fireAll();
    await waiting;
  });

  test('the delay ends with the window of the wrong passwords', async () => {
    const { clock, timers, delay } = prepareDelay();
    clock.now += 15 * 60_000;
    await delay.wait('code');
    assert.deepEqual(timers.delays(), []);
  });

  for (const [what, aheadMs] of AHEAD)
    test(`the delay ends after a clock ${what} ahead`, async () => {
      const { clock, timers, delay } = prepareDelay();
      clock.now -= aheadMs;
      await delay.wait('code');
      assert.deepEqual(timers.delays(), []);
    });

  test('the delay drops a guess whose client leaves', async () => {
    const { timers, delay } = prepareDelay();
    const leaving = new AbortController();
    const waiting = delay.wait('code', leaving.signal);
    leaving.abort();
    await assert.rejects(waiting, ClientClosedError);
    assert.deepEqual(timers.delays(), []);
    await assert.rejects(delay.wait('code', leaving.signal), ClientClosedError);
  });

  test('the delay lets the guess that has waited longest go on when too many wait, and refuses none', async () => {
    const { timers, delay } = prepareDelay({ maxWaiting: 2 });
    const waiting = [1, 2, 3].map(() => delay.wait('code'));
    await waiting[0];
    assert.equal(timers.delays().length, 2);
    timers.fireAll();
    await Promise.all(waiting);
  });
});
