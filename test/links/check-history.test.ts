import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  appendEntry,
  EMPTY_CHAIN,
  headAt,
  toChangeEntry,
  toCreationEntry,
} from '../../src/core/model/chain.ts';
import { createHistoryCheck } from '../../src/core/model/check-history.ts';
import { FORMAT } from '../../src/core/model/hashed-text.ts';
import type { HistoryEntry } from '../../src/core/model/history.ts';
import type { NewLink } from '../../src/core/model/link.ts';
import { codeOf, linkState, newChange, redirectLink, requestLink } from '../support/attempts.ts';
import { erased } from '../support/erase.ts';

const CODE = codeOf(1);
const NOTIFY = { notifyUrl: 'https://hooks.example', notifyEmail: 'jane@example.com' };
const NOTIFIED = redirectLink(CODE, { terms: NOTIFY });
const MAILED = redirectLink(CODE, { terms: { ...NOTIFY, notifyUrl: null } });

/** Returns what the check of a link finds, whose row fits its history but for its terms. */
function check(link: NewLink, entries: HistoryEntry[]): string {
  const findings: string[] = [];
  let history = EMPTY_CHAIN;
  const appended = entries.map((entry, index) => {
    const appended = appendEntry(history, entry, index + 1);
    history = headAt(appended);
    return { entry, place: { ...appended, format: FORMAT } };
  });
  const version = entries.length - 1;
  const checked = createHistoryCheck({
    shortCode: CODE,
    link: { ...link, ...linkState(), version, history },
    report: (finding) => void findings.push(finding),
  });
  for (const { entry, place } of appended) checked.add(place, entry);
  checked.end();
  return findings.join('\n');
}

describe('the check of a history', () => {
  test('the check compares no term with what was erased, and compares it again from the next change on', () => {
    const created = toCreationEntry(NOTIFIED, newChange());
    const old = created.details['notifyUrlSha256'] as string;
    const change = toChangeEntry(CODE, { notifyUrlSha256: { new: null, old } }, newChange());
    const withoutPerson = erased({ ...created, format: FORMAT, number: 1 });
    assert.equal(check(MAILED, [withoutPerson, change]), '');
    assert.match(check(NOTIFIED, [withoutPerson, change]), /^.* notifyUrlSha256 of the link is "\w+"[^\n]*$/);
  });

  test('the check compares the key of a live request whose recipient was erased', () => {
    const asked = requestLink(CODE, { request: { recipientKey: 'age1a' } });
    const entry = erased({ ...toCreationEntry(asked, newChange()), format: FORMAT, number: 1 });
    const changed = requestLink(CODE, { request: { message: '', recipientKey: 'age1b' } });
    assert.match(check(changed, [entry]), /recipientKey of the link is "age1b"/);
  });
});
