import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_CHAIN } from '../../src/core/model/chain.ts';
import { decideChange, type LinkPatch } from '../../src/core/model/decide-change.ts';
import { LINK_STATUSES, type Link } from '../../src/core/model/link.ts';
import { NO_TERMS } from '../../src/core/model/terms.ts';
import { downloadLink, fileIdOf, linkState, PASSES, redirectLink, START } from '../support/attempts.ts';
import { verdictByOrder } from '../support/link-life.ts';

const LINK: Link = { ...redirectLink('abcdefgh'), ...linkState(), history: EMPTY_CHAIN };

function decide(link: Partial<Link>, patch: LinkPatch, now = START) {
  return decideChange({ ...LINK, ...link }, { patch, versions: null }, now);
}

describe('the decision on a change', () => {
  test('the decision lists the changed terms with their old and new values, sorted, without a password or a target', () => {
    const decision = decide(
      { maxViews: 5, viewCount: 3, terms: { ...NO_TERMS, label: 'a', tags: ['x', 'y'] } },
      {
        ...{ maxViews: 1, passwordHash: 'secret hash', targetUrl: 'https://secret.example/' },
        terms: { tags: [], label: 'a', recipient: 'Jane', notifyEmail: 'jane@example.com' },
        startsAt: START,
      },
    );
    assert.ok(decision.result === 'changed');
    const { targetSha256, notifyEmailSha256, ...details } = decision.details;
    assert.deepEqual(details, {
      maxViews: { new: 3, old: 5 },
      passwordProtected: { new: true, old: false },
      recipient: { new: 'Jane', old: null },
      startsAt: { new: new Date(START).toISOString(), old: null },
      status: { new: 'EXPIRED', old: 'ACTIVE' },
      tags: { new: null, old: 'x,y' },
    });
    assert.match(String(targetSha256?.new), /^[0-9a-f]{64}$/);
    assert.equal(notifyEmailSha256?.old, null);
    assert.deepEqual(Object.keys(decision.details), Object.keys(decision.details).toSorted());
    assert.doesNotMatch(JSON.stringify(decision.details), /secret|jane@/);
  });

  test('a password that is replaced by another is a change', () => {
    const decision = decide({ passwordHash: 'one' }, { passwordHash: 'two' });
    assert.ok(decision.result === 'changed');
    assert.deepEqual(decision.details, { passwordProtected: { new: true, old: true } });
  });

  test('the decision counts every change, but only those of what attempts need before their decision as of the definition', () => {
    const versionsAfter = (patch: LinkPatch) => {
      const decision = decide({ version: 6, definitionVersion: 2 }, patch);
      assert.ok(decision.result === 'changed');
      return [decision.link.version, decision.link.definitionVersion];
    };
    const labels = { label: 'a', note: 'b', tags: ['c'], recipient: 'Jane' };
    for (const patch of [
      { terms: labels },
      { maxViews: 9 },
      { expiresAt: START },
      { startsAt: START },
      { isPaused: true },
    ])
      assert.deepEqual(versionsAfter(patch), [7, 2], JSON.stringify(patch));
    for (const patch of [
      { targetUrl: 'https://example.org/new' },
      { passwordHash: 'hash' },
      { terms: { confirm: true } },
      { terms: { notifyUrl: 'https://hooks.example' } },
      { terms: { notifyEmail: 'jane@example.com', ...labels } },
    ])
      assert.deepEqual(versionsAfter(patch), [7, 3], JSON.stringify(patch));
  });

  test('the language of mails stays with the address', () => {
    const languageAfter = (terms: LinkPatch['terms'] = {}) => {
      const notified = { ...NO_TERMS, notifyEmail: 'a@example.com', notifyLanguage: 'de' };
      const decision = decide({ terms: notified }, { terms });
      assert.ok(decision.result === 'changed');
      return decision.link.terms.notifyLanguage;
    };
    assert.equal(languageAfter({ notifyUrl: 'https://a.example' }), 'de');
    assert.equal(languageAfter({ notifyEmail: 'b@example.com', notifyLanguage: 'fr' }), 'fr');
    assert.equal(languageAfter({ notifyEmail: null }), null);
  });

  test('a revoked link is refused before its version, and an outdated version before the terms', () => {
    const file = { ...downloadLink('abcdefgh', { fileId: fileIdOf(1) }), status: 'REVOKED' } as const;
    const requested = { patch: { targetUrl: 'https://example.com' }, versions: [7] };
    const resultOf = (link: Partial<Link>) => decideChange({ ...LINK, ...link }, requested, START).result;
    assert.equal(decideChange(undefined, requested, START).result, 'not-found');
    assert.equal(resultOf(file), 'revoked');
    assert.equal(resultOf({ ...file, status: 'ACTIVE' }), 'version-mismatch');
    assert.equal(resultOf({ ...file, status: 'ACTIVE', version: 7 }), 'refused');
  });

  test('a link starts before it expires, also when only one of the two is changed', () => {
    assert.equal(decide({ expiresAt: START + 5 }, { startsAt: START + 5 }).result, 'refused');
    assert.equal(decide({ startsAt: START + 5 }, { expiresAt: START + 5 }).result, 'refused');
    assert.equal(decide({ startsAt: START + 5 }, { expiresAt: START + 6 }).result, 'changed');
  });

  test('after any change the next attempt obeys the new terms, no view is undone, and a revoked link stays so', () => {
    const anyTime = fc.constantFrom(null, START - 1, START, START + 1);
    const anyViews = fc.option(fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(
        fc.record({
          status: fc.constantFrom(...LINK_STATUSES),
          viewCount: fc.nat(5),
          maxViews: anyViews,
          expiresAt: anyTime,
          isPaused: fc.boolean(),
        }),
        fc.record({ maxViews: anyViews, expiresAt: anyTime, isPaused: fc.boolean() }, { requiredKeys: [] }),
        (state, patch) => {
          const maxViews = state.maxViews && Math.max(state.maxViews, state.viewCount);
          const decision = decide({ ...state, maxViews }, patch);
          if (state.status === 'REVOKED') return assert.equal(decision.result, 'revoked');
          assert.ok(decision.result === 'changed' || decision.result === 'unchanged');
          const { link } = decision;
          assert.equal(link.viewCount, state.viewCount);
          assert.ok(link.viewCount <= (link.maxViews ?? Number.POSITIVE_INFINITY));
          if (decision.result === 'unchanged') return;
          const movesEnd = 'maxViews' in decision.details || 'expiresAt' in decision.details;
          const wanted = patch.maxViews === undefined ? maxViews : patch.maxViews;
          const asked = {
            ...{ ...state, ...patch, version: 0, definitionVersion: 0, startsAt: null, lastOpenedAt: null },
            maxViews: wanted,
            ...(movesEnd && { status: 'ACTIVE' as const }),
          };
          assert.equal(verdictByOrder(link, PASSES, START), verdictByOrder(asked, PASSES, START));
        },
      ),
      { numRuns: 500 },
    );
  });
});
