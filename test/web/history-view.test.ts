import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { prepareTranslate } from '../../src/common/translate.ts';
import { ACCESS_RESULTS, AUDIT_RESULTS, REQUESTS } from '../../src/core/model/verdict.ts';
import { contrast } from '../../src/http/brand.ts';
import { type MessageFacts, toMessage, toMessageFacts } from '../../web/actions/message.ts';
import { toAnswerText } from '../../web/history/answer-text.ts';
import { labelOfAttempt } from '../../web/history/attempt-label.ts';
import { toSenderText } from '../../web/history/author-texts.ts';
import { toChangeTexts } from '../../web/history/change-texts.ts';
import { createDeliveryReader } from '../../web/history/delivery.ts';
import { sumUpOpenings } from '../../web/history/openings.ts';
import { createRecipientReader, listSteps } from '../../web/history/recipient-steps.ts';
import { labelOfResult, resultChoices } from '../../web/history/result-labels.ts';
import { findGap, foldRequests, numbersOfLine, selectLines } from '../../web/history/time-lines.ts';
import { prepareFormat } from '../../web/i18n/format.ts';
import { en } from '../../web/i18n/locales/en.ts';
import { fr } from '../../web/i18n/locales/fr.ts';
import type { Messages } from '../../web/i18n/translate.ts';
import { aggregateHistory } from '../../web/link/aggregate-history.ts';
import type { AttemptEntry, ChangeEntry, HistoryPage, LinkDescription } from '../../web/service/contract.ts';
import { type Entry, groupRepeats, merge, newestHashOf } from '../../web/service/history.ts';
import { colourOfResult } from '../../web/shell/labels.ts';
import { answerOf } from '../../web/shell/opened-text.ts';

describe('the chart colours', () => {
  const css = readFileSync(new URL('../../web/charts/cards.css', import.meta.url), 'utf8');
  const names = [...new Set(AUDIT_RESULTS.map(colourOfResult)), '--chart-expired', '--chart-revoked'];
  const colour = '(#[0-9a-f]{6})';
  for (const [theme, index, card] of [
    ['light', 1, '#fffefb'],
    ['dark', 2, '#1d2024'],
  ] as const) {
    test(`opened, refused, asked and previewed have colours of their own on ${theme} cards, with a contrast of 3:1`, () => {
      const colours = names.map((name) => {
        const ofThemes = new RegExp(`${name}: light-dark\\(${colour}, ${colour}\\);`).exec(css);
        return ofThemes?.[index] ?? assert.fail(`${name} has no colours`);
      });
      assert.equal(new Set(colours).size, names.length);
      const low = colours.filter((colour) => contrast(colour, card) < 3);
      assert.deepEqual(low, []);
    });
  }
});

const START = Date.parse('2026-06-15T00:00:00Z');

/** Returns the attempt of this number, a minute after the one before. Ids are in another order than numbers. */
function attempt(number: number, part: Partial<AttemptEntry> = {}): AttemptEntry {
  return {
    id: String(99_999_999 - number),
    at: new Date(START + number * 60_000).toISOString(),
    format: 1,
    salt: '0'.repeat(32),
    kind: 'ATTEMPT',
    number,
    shortCode: 'Ab12Cd34',
    result: 'SUCCESS',
    count: 1,
    ipAddress: '192.0.2.1',
    userAgent: null,
    preview: false,
    downloads: [],
    ...part,
  };
}

/** Returns the newest attempts up to a number, as the API does. */
function pageUpTo(newest: number, count: number): HistoryPage {
  const length = Math.min(newest, count);
  const items = Array.from({ length }, (_, index) => attempt(newest - index));
  return { items, next: newest > count ? 'cursor' : null, entryCount: newest, fingerprint: `of ${newest}` };
}

describe('the newest page of a history', () => {
  test('the newest page is merged into the loaded entries without a gap, a loss or a repetition', () => {
    const sizes = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 250 }));
    fc.assert(
      fc.property(sizes, ([loaded, added]) => {
        const former = pageUpTo(loaded, 1000);
        const merged = merge(former, pageUpTo(loaded + added, 100));
        const numbers = merged.items.map(({ number }) => Number(number));
        const expected = Array.from({ length: numbers.length }, (_, index) => loaded + added - index);
        assert.deepEqual(numbers, expected);
        assert.equal(merged.next === null, numbers.length === loaded + added);
        assert.equal(merged.entryCount, loaded + added);
      }),
    );
  });

  test('the newest page replaces an attempt whose download has ended', () => {
    const end = {
      format: 1,
      firstByte: 0,
      id: 'd',
      at: attempt(3).at,
      number: 3,
      bytesSent: 7,
      isSentCompletely: true,
    };
    const newest: HistoryPage = {
      ...pageUpTo(2, 100),
      items: [attempt(2, { downloads: [end] }), attempt(1)],
    };
    assert.deepEqual(merge(pageUpTo(2, 100), newest).items, newest.items);
  });

  test('a newest page without a match leaves the loaded entries', () => {
    const newest: HistoryPage = { items: [], next: 'cursor', entryCount: 9, fingerprint: 'f' };
    assert.deepEqual(merge(pageUpTo(3, 100), newest), {
      ...pageUpTo(3, 100),
      entryCount: 9,
      fingerprint: 'f',
    });
  });
});

const prepareFrench = () => prepareTranslate<Messages>('fr', fr);

test('a request for the password or a code is shown as such, apart from refusals', () => {
  const t = prepareFrench();
  assert.equal(labelOfResult('PASSWORD_REQUIRED', t), 'Page de mot de passe affichée');
  const refused = resultChoices(t).find(({ name }) => name === 'REFUSED');
  assert.deepEqual(
    new Set([...(refused?.results ?? []), ...REQUESTS, 'SUCCESS']),
    new Set(ACCESS_RESULTS),
    'every result is an opening, a request or a refusal',
  );
});

test('an attempt of a recipient names the address, and says no more than that it was controlled', () => {
  const labelOf = (part: Partial<AttemptEntry>) =>
    labelOfAttempt(attempt(1, part), prepareTranslate<Messages>('en', en));
  const recipientAddress = 'ann@example.com';
  assert.equal(labelOf({ recipientAddress }), 'Opened by a person who controlled ann@example.com');
  assert.equal(
    labelOf({ result: 'RECIPIENT_REQUIRED', recipientAddress }),
    'Code requested for ann@example.com',
  );
  assert.equal(labelOf({ result: 'RECIPIENT_REQUIRED' }), 'Email page shown');
  assert.equal(
    labelOf({ result: 'RECIPIENT_REQUIRED', personalSha256: '0'.repeat(64) }),
    'Email address or code requested',
    'an erased entry may have had an address',
  );
  assert.equal(
    labelOf({ result: 'INVALID_RECIPIENT', recipientAddress }),
    'Refused: Email code wrong, expired or used: ann@example.com',
  );
});

/** Returns a change of the link of this number. */
function change(number: number, details: ChangeEntry['details'], kind: ChangeEntry['kind'] = 'CHANGED') {
  const { id, at, format, salt, shortCode } = attempt(number);
  const author = { kind: 'KEY', name: 'ci', ipAddress: null } as const;
  return { id, at, format, salt, shortCode, kind, number, author, details } satisfies ChangeEntry;
}

const ASKED = { result: 'RECIPIENT_REQUIRED' } as const;
const [ANN, BOB] = [{ recipientAddress: 'Ann@example.com' }, { recipientAddress: 'bob@example.com' }];

test('every recipient who was ever named is listed, with no request after the first opening', () => {
  const entries = [
    change(1, { verifiedRecipients: 'ann@example.com,bob@example.com' }, 'CREATED'),
    change(2, { mailedTo: 'Bob@example.com' }),
    attempt(3, { ...ASKED, ...ANN }),
    attempt(4, ANN),
    attempt(5, { ...ASKED, ...ANN }),
    attempt(6, ANN),
    attempt(7, { ...ASKED, ...BOB }),
    attempt(8, { ...ASKED, ...BOB }),
    attempt(9, { result: 'INVALID_RECIPIENT', ...BOB }),
    change(10, {
      verifiedRecipients: { old: 'ann@example.com,bob@example.com', new: 'bob@example.com,carl@example.com' },
    }),
  ];
  const at = (number: number): string => attempt(number).at;
  const listed = [
    [
      'ann@example.com',
      true,
      [
        ['asked', at(3)],
        ['opened', at(4)],
      ],
    ],
    [
      'bob@example.com',
      false,
      [
        ['sent', at(2)],
        ['asked', at(8)],
      ],
    ],
    ['carl@example.com', false, []],
  ];
  for (const ordered of [entries, entries.toReversed()]) {
    const reader = createRecipientReader();
    for (const entry of ordered) reader.add(entry);
    const found = reader.read().map((each) => [each.address.toLowerCase(), each.isRemoved, listSteps(each)]);
    assert.deepEqual(found.toSorted(), listed);
  }
  const reader = createRecipientReader();
  for (const entry of entries.slice(3, 5)) reader.add(entry);
  const [ann] = reader.read();
  assert.deepEqual(ann && listSteps(ann), [['opened', at(4)]], 'the request before it is not loaded');
  assert.equal(ann?.isRemoved, false, 'whom the link names is not known');
  assert.equal(reader.read(['bob@example.com'])[0]?.isRemoved, true);
});

test('pages on which one visitor then opens the link are folded into the opening, those of others are not', () => {
  const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
  const page = (number: number, part: Partial<AttemptEntry> = {}) =>
    attempt(number, { result: 'PREVIEW', preview: true, userAgent: CHROME, ...part });
  const opening = (number: number, part: Partial<AttemptEntry> = {}) =>
    attempt(number, { userAgent: CHROME, ...part });
  const later = new Date(START + 60 * 60_000).toISOString();
  const entries = [
    change(1, {}, 'CREATED'),
    page(2, { ipAddress: '192.0.2.2' }),
    page(3, { result: 'PASSWORD_REQUIRED', preview: false }),
    page(4),
    opening(5),
    page(6, { userAgent: 'Slackbot-LinkExpanding 1.0' }),
    opening(7, { userAgent: 'Slackbot-LinkExpanding 1.0' }),
    page(8),
    opening(9, { at: later }),
    page(10, { result: 'INVALID_PASSWORD', preview: false }),
    opening(11),
    ...[page(12), page(13), page(14), page(15), opening(16)],
  ];
  const first = [[1], [2], [3, 4, 5], [6], [7], [8], [9], [10], [11]];
  const lines = foldRequests(entries);
  assert.deepEqual(lines.map(numbersOfLine), [...first, [12], [13], [14, 15, 16]]);
  assert.equal(findGap(lines, 16), undefined);
  assert.equal(findGap(lines.toSpliced(1, 1), 16), 1, 'a folded page is after the gap');
  const groups = groupRepeats(entries.toReversed());
  const numbers = groups.map(({ entry, repeats, steps }) =>
    [entry, ...repeats, ...steps].map(({ number }) => number).sort((a, b) => a - b),
  );
  assert.deepEqual(numbers.toReversed(), [...first, [12, 13], [14, 15, 16]], 'those that repeat are counted');
  const submissions = [page(20), opening(21), page(22), page(23), opening(24)];
  const rows = [
    [20, 21],
    [22, 23, 24],
  ];
  assert.deepEqual(foldRequests(submissions).map(numbersOfLine), rows);
  const ofRequest = groupRepeats(submissions.toReversed(), true).map((group) =>
    numbersOfLine(group).toSorted(),
  );
  assert.deepEqual(ofRequest.toReversed(), rows, 'each submission to a file request has its own');
});

test('a record of many requests keeps each opening, and folds the requests of one address', () => {
  const requests = (first: number, count: number, who: Partial<AttemptEntry>) =>
    Array.from({ length: count }, (_, index) => attempt(first + index, { ...ASKED, ...who }));
  const entries = [
    change(1, {}, 'CREATED'),
    ...[...requests(2, 2, {}), attempt(4, { ...ASKED, ...ANN }), attempt(5, ANN)],
    ...[...requests(6, 10, BOB), attempt(16, { ...ASKED, ...ANN }), ...requests(17, 10, BOB)],
    ...Array.from({ length: 30 }, (_, index) => attempt(27 + index, { result: 'EXPIRED' })),
  ];
  const lines = selectLines(foldRequests(entries), 8);
  assert.deepEqual(
    lines.map(({ entry, repeats }) => [entry.number, repeats.length, repeats.at(-1)?.number ?? null]),
    [
      [1, 0, null],
      [4, 0, null],
      [5, 0, null],
      [6, 19, 26],
      [16, 0, null],
      ...[54, 55, 56].map((number) => [number, 0, null]),
    ],
  );
  assert.equal(findGap(lines, 56), 1, 'entries before the second line are missing');
  assert.equal(findGap(foldRequests(entries), 56), undefined);
  assert.equal(findGap(foldRequests(entries), 57), foldRequests(entries).length);
  const reader = createDeliveryReader(8);
  for (const entry of entries.toReversed()) reader.add(entry);
  assert.ok(
    reader.read().latest.some(({ number }) => number === 5),
    'an opening stays among later entries',
  );
});

test('an attempt that finds nothing on an existing link misses its file', () => {
  const labelOf = (number: number) =>
    labelOfAttempt(attempt(1, { result: 'NOT_FOUND', number }), prepareFrench());
  assert.equal(labelOf(2), 'Refusé : Fichier manquant');
  assert.equal(labelOf(0), 'Refusé : Lien introuvable');
});

test('attempts that were recorded together are shown with their number', () => {
  const labelOf = (part: Partial<AttemptEntry>) => labelOfAttempt(attempt(1, part), prepareFrench());
  assert.equal(labelOf({ result: 'RATE_LIMITED' }), 'Refusé : Trop de tentatives');
  assert.equal(
    labelOf({ result: 'RATE_LIMITED', count: 1_234 }),
    'Refusé 1\u202f234 fois : Trop de tentatives',
  );
  assert.equal(labelOf({ result: 'PREVIEW', count: 2 }), '2 aperçus, pas d’ouverture');
});

test('a page that a browser got before opening is no preview, which programs have', () => {
  const t = prepareTranslate<Messages>('en', en);
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
  const labelOf = (userAgent: string | null, part: Partial<AttemptEntry> = {}) =>
    labelOfAttempt(attempt(1, { result: 'PREVIEW', userAgent, ...part }), t);
  assert.equal(labelOf(chrome), 'Page shown, not opened');
  for (const program of ['WhatsApp/2.23.20', `${chrome} Googlebot/2.1`, 'curl/8.17.0', 'x', null])
    assert.equal(labelOf(program), 'Preview, not opened', String(program));
  assert.equal(labelOf(chrome, { count: 2 }), '2 previews, not opened', 'a limit refused them');
});

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
/** The programs of chats that fetched a link. */
const BOTS = [
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'WhatsApp/2.23.20.0 A',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
];

test('an attempt that a known bot succeeded with is a fetch that counts as a view, and no opening', () => {
  const t = prepareTranslate<Messages>('en', en);
  const labelOf = (userAgent: string | null, part: Partial<AttemptEntry> = {}) =>
    labelOfAttempt(attempt(1, { userAgent, ...part }), t);
  for (const bot of BOTS) assert.equal(labelOf(bot), 'Fetched by a program (counts as a view)', bot);
  for (const other of [CHROME, 'curl/8.17.0', null]) assert.equal(labelOf(other), 'Opened', String(other));
  assert.equal(labelOf(BOTS[0] ?? '', { result: 'EXPIRED' }), 'Refused: Expired');
});

describe('the answer to whether a link was opened', () => {
  const i18n = { t: prepareTranslate<Messages>('en', en), format: prepareFormat('en-GB') };
  const sent = {
    ...{ format: 1, firstByte: 0, id: 'd', at: attempt(9).at, number: 9 },
    ...{ bytesSent: 7, isSentCompletely: true },
  };
  const fetches = BOTS.map((userAgent, index) => attempt(index + 1, { userAgent, downloads: [sent] }));
  const opening = (number: number) => attempt(number, { userAgent: CHROME, downloads: [sent] });
  const timeOf = (number: number) => i18n.format.shortDateTime(new Date(attempt(number).at));

  /** Returns what the page of a link and a saved history say, which is the same. `earlier`: views of no known attempt. */
  function answer(attempts: AttemptEntry[], { earlier = 0, isRequest = false, files = 1 } = {}): string {
    const viewCount = attempts.length + earlier;
    const lastOpenedAt = attempts.at(-1)?.at;
    const kind = { isRequest, fileCount: isRequest ? undefined : files };
    const openings = sumUpOpenings(attempts.toReversed(), isRequest);
    const text = toAnswerText({ viewCount, lastOpenedAt, ...openings, ...kind }, i18n);
    const reader = createDeliveryReader(100);
    for (const each of attempts) reader.add(each);
    if (isRequest) return text;
    const { last: newest, fetchCount, lastFetch, unsentCount } = reader.read();
    const ofHistory = { viewCount, lastOpenedAt: newest?.at, newest, fetchCount, lastFetch, unsentCount };
    assert.equal(toAnswerText({ ...ofHistory, ...kind }, i18n), text);
    return text;
  }

  test('fetches by known bots are no openings', () => {
    assert.equal(
      answer(fetches),
      'Fetched 4 times by programs such as facebookexternalhit; each time counts as a view. No browser has opened it yet.',
    );
    assert.equal(
      answer(fetches.slice(0, 1)),
      'Fetched once by a program (Slackbot-LinkExpanding); that counts as a view. No browser has opened it yet.',
    );
  });

  test('openings come first, and fetches after them', () => {
    const fetched = 'Fetched 4 times by programs such as facebookexternalhit; each time counts as a view.';
    const last = attempt(6, { userAgent: BOTS[3] ?? '' });
    const opened = `Opened once, on ${timeOf(5)}, from Chrome on Linux. The file was sent completely.`;
    assert.equal(answer([...fetches.slice(0, 3), opening(5), last]), `${opened} ${fetched}`);
    assert.equal(answer([opening(1), opening(2)]), answer([opening(2)], { earlier: 1 }));
    assert.equal(
      answer(fetches, { earlier: 3 }),
      `7 views. ${fetched}`,
      'the attempts of some views are not known',
    );
  });

  test('of several files, it says whether all, some or none were sent', () => {
    const ofThree = (attempts: AttemptEntry[], earlier = 0) => answer(attempts, { files: 3, earlier });
    const opened = `Opened once, on ${timeOf(5)}, from Chrome on Linux.`;
    const unsent = attempt(5, { userAgent: CHROME });
    assert.equal(ofThree([unsent]), `${opened} No file was downloaded yet.`);
    assert.equal(ofThree([opening(5)]), `${opened} All files were sent completely.`);
    const one = { ...sent, isSentCompletely: false };
    const partly = attempt(5, { userAgent: CHROME, downloads: [one] });
    assert.equal(ofThree([partly]), `${opened} Not all files were sent completely.`);
    const twice = `Opened 2 times, last on ${timeOf(5)}, from Chrome on Linux.`;
    assert.equal(ofThree([opening(4), unsent]), twice, 'an earlier visitor downloaded a file');
    assert.equal(ofThree([unsent], 1), `${opened.replace('once,', '2 times, last')}`, 'one is not known');
    assert.equal(answer([unsent]), opened, 'a single file may be on its way');
  });

  test('a list of links says the same of fetches as the page of a link', () => {
    const ofRequests = i18n.t;
    const answerInList = (viewCount: number, fetches?: LinkDescription['fetches']) =>
      answerOf({ viewCount, lastOpenedAt: attempt(4).at, ...(fetches && { fetches }) } as LinkDescription, {
        ...{ ...i18n, ofRequests, ofReceived: ofRequests }, // the members that it reads
      });
    const fetched = { count: 1, program: 'Slackbot-LinkExpanding', openedAt: null };
    const only = answerInList(1, fetched);
    assert.deepEqual([only.text, only.isOpened], [answer(fetches.slice(0, 1)), false]);
    const opened = answerInList(3, { ...fetched, openedAt: attempt(3).at });
    assert.match(
      opened.text,
      /^Opened 2 times, last .* Fetched once by a program \(Slackbot-LinkExpanding\); that/,
    );
    assert.deepEqual([opened.at, opened.isOpened], [new Date(attempt(3).at), true]);
    assert.match(answerInList(3, fetched).text, /^3 views\. Fetched once by a program/);
    assert.match(answerInList(3).text, /^Opened 3 times, last [^.]*\.$/);
  });

  test('a list of links says whether received files were downloaded', () => {
    const received = { requestCode: 'Ab12Cd34', file: {}, createdAt: attempt(4).at };
    const ofReceived: typeof i18n.t = (key, ...values) =>
      i18n.t(key === 'entry.opened' ? 'ofReceived.entry.opened' : key, ...values);
    const texts = { ...i18n, ofRequests: i18n.t, ofReceived };
    const answerAt = (viewCount: number): string =>
      answerOf({ ...received, viewCount } as LinkDescription, texts).text;
    assert.match(answerAt(0), /^1 file received, [^.]*\. Not downloaded yet\.$/);
    assert.match(answerAt(1), /^1 file received, [^.]*\. Downloaded\.$/);
  });

  test('files that a bot sent to a file request are submissions', () => {
    assert.equal(answer(fetches, { isRequest: true }), `Opened 4 times, last on ${timeOf(4)}.`);
  });
});

test('the delivery of a file begins with its first opening, unless a bot sent files to a request', () => {
  const reader = createDeliveryReader(100);
  const sent = { format: 1, firstByte: 0, id: 'd', at: attempt(4).at, number: 4 };
  const complete = { ...sent, bytesSent: 7, isSentCompletely: true };
  const fetched = attempt(2, { userAgent: BOTS[0] ?? '', downloads: [complete] });
  const opened = attempt(3, { userAgent: CHROME });
  for (const entry of [fetched, opened]) reader.add(entry);
  const { first, last, openingCount, fetchCount, lastFetch, completedAt } = reader.read();
  assert.deepEqual([first, last, openingCount], [opened, opened, 1]);
  assert.deepEqual([fetchCount, lastFetch, completedAt], [1, fetched, undefined]);
  const { format, id, at, shortCode, salt } = attempt(1);
  const author = { kind: 'USER', name: 'x', ipAddress: null } as const;
  const entry = { format, id, at, shortCode, salt, number: 1, author, kind: 'CREATED' } as const;
  reader.add({ ...entry, details: { type: 'REQUEST' } });
  const ofRequest = reader.read();
  assert.deepEqual([ofRequest.first, ofRequest.openingCount, ofRequest.fetchCount], [fetched, 2, 0]);
});

test('repeated attempts of one client are one group, and others are apart', () => {
  const refused = { result: 'EXPIRED' } as const;
  const other = { ...refused, ipAddress: '192.0.2.2' };
  const entries = [
    attempt(7, refused),
    attempt(6, refused),
    attempt(5, other),
    attempt(4, refused),
    attempt(3),
  ];
  const groups = groupRepeats(entries).map(({ entry, repeats }) =>
    [entry, ...repeats].map(({ number }) => number),
  );
  assert.deepEqual(groups, [[7, 6], [5], [4], [3]]);
  const erased = { ...refused, personalSha256: '0'.repeat(64) };
  assert.equal(
    groupRepeats([attempt(2, erased), attempt(1, erased)]).length,
    2,
    'nobody knows whose they are',
  );
  const asked = { result: 'RECIPIENT_REQUIRED' } as const;
  const ann = { ...asked, recipientAddress: 'ann@example.com' };
  assert.deepEqual(
    groupRepeats([attempt(4, ann), attempt(3, ann), attempt(2, asked), attempt(1, asked)]).map(
      ({ entry, repeats }) => [entry.number, repeats.length],
    ),
    [
      [4, 1],
      [2, 1],
    ],
    'a page that asks for an address is no code for that address',
  );
});

test('a message says what the link leads to and each of its limits, and never its label or its password', () => {
  const texts = { t: prepareTranslate<Messages>('en-GB', en), format: prepareFormat('en-GB') };
  const url = 'https://go.example.com/l/Ab12Cd34';
  const [starts, ends] = ['2026-12-20T12:00:00Z', '2026-12-24T12:00:00Z'];
  const at = (time: string): string => texts.format.zonedTime(new Date(time));
  const open: MessageFacts = {
    ...{ content: 'PAGE', startsAt: null, expiresAt: null },
    ...{ viewsLeft: null, passwordProtected: false, key: null },
  };
  const cases: [facts: Partial<MessageFacts>, message: string][] = [
    [{}, `Here is the page: ${url}`],
    [{ content: 'FILE', viewsLeft: 1 }, `Here is the file: ${url}\nIt can be opened once.`],
    [{ content: 'FILES', viewsLeft: 3 }, `Here are the files: ${url}\nIt can be opened 3 times.`],
    [{ content: 'UNKNOWN', expiresAt: ends }, `Here is the link: ${url}\nThe link works until ${at(ends)}.`],
    [
      { content: 'TEXT', startsAt: starts, expiresAt: ends, viewsLeft: 1, passwordProtected: true },
      `Here is the text: ${url}\nIt can be opened once, from ${at(starts)} until ${at(ends)}. You will get the password separately.`,
    ],
    [
      { content: 'REQUEST', startsAt: starts, viewsLeft: 2 },
      `Please send the files here: ${url}\nFiles can be sent 2 times, from ${at(starts)}.`,
    ],
    [
      { content: 'REQUEST', request: 'Please send:\n- passport\n- lease\n' },
      `Please send:\n- passport\n- lease\nPlease send the files here: ${url}`,
    ],
    [
      { content: 'REQUEST', request: 'Your payslip', passwordProtected: true },
      `Please send the files here: ${url}\nYou will get the password separately.`,
    ],
    [
      { content: 'ENCRYPTED', key: 'message.passphrase', passwordProtected: true },
      `Here is an encrypted file or text: ${url}\nYou will get the password separately. You will get the passphrase separately.`,
    ],
    [
      { content: 'FILE', passwordProtected: true, verifiedRecipients: ['ann@example.com'] },
      `Here is the file: ${url}\nYou will get the password separately. To open it, enter your email address: you will get a code by email.`,
    ],
    [
      { content: 'ENCRYPTED', key: 'message.key' },
      `Here is an encrypted file or text: ${url}\nTo open it, you also need its key or passphrase, which you will get separately.`,
    ],
  ];
  for (const [facts, message] of cases) assert.equal(toMessage(url, { ...open, ...facts }, texts), message);
});

test('a message of an existing link has the views that are left, and asks for a key that the service lacks', () => {
  const link = {
    ...{
      shortCode: 'Ab12Cd34',
      accessUrl: 'https://go.example.com/l/Ab12Cd34',
      createdAt: '2026-06-15T12:00:00Z',
    },
    ...{ type: 'DOWNLOAD', status: 'ACTIVE', state: 'ACTIVE', viewCount: 1, maxViews: 3, confirm: true },
    ...{ startsAt: null, expiresAt: null, passwordProtected: false, file: null },
  } satisfies LinkDescription;
  const file = { name: 'a.pdf', sizeBytes: 1, sha256: '0'.repeat(64) };
  const cases: [described: Partial<LinkDescription>, facts: Partial<MessageFacts>][] = [
    [{}, { content: 'UNKNOWN', viewsLeft: 2, key: null }],
    [{ viewCount: 4 }, { viewsLeft: 0 }],
    [{ maxViews: null }, { viewsLeft: null }],
    [{ type: 'REDIRECT' }, { content: 'PAGE' }],
    [
      {
        type: 'REQUEST',
        request: { message: 'Your payslip', maxFiles: null, maxBytes: null, recipientKey: null },
      },
      { content: 'REQUEST', request: 'Your payslip' },
    ],
    [{ file }, { content: 'FILE' }],
    [{ file: { ...file, fileCount: 2 } }, { content: 'FILES' }],
    [{ file: { ...file, text: true } }, { content: 'TEXT' }],
    [{ file: { ...file, encrypted: true } }, { content: 'ENCRYPTED', key: 'message.key' }],
    [
      { file: { ...file, encrypted: true }, requestCode: 'Req12345' },
      { content: 'ENCRYPTED', key: null },
    ],
  ];
  for (const [described, facts] of cases)
    assert.partialDeepStrictEqual(toMessageFacts({ ...link, ...described }), facts);
});

describe('the charts of a history', () => {
  test('the charts count attempts by hour and address, without previews, and password requests apart', () => {
    const entries: Entry[] = [
      attempt(126, { result: 'RATE_LIMITED', ipAddress: '192.0.2.2', count: 5 }),
      attempt(125, { result: 'EXPIRED', ipAddress: '192.0.2.2' }),
      attempt(61, { result: 'PREVIEW', preview: true, ipAddress: '192.0.2.3' }),
      attempt(3, { result: 'PASSWORD_REQUIRED', ipAddress: '192.0.2.4' }),
      attempt(2),
      attempt(1),
    ];
    assert.deepEqual(aggregateHistory(entries), {
      span: {
        start: new Date('2026-06-15T00:00:00Z'),
        end: new Date('2026-06-15T03:00:00Z'),
        unit: 'hour',
      },
      periods: [
        { start: '2026-06-15T02:00:00.000Z', total: 6, success: 0, failed: 6, passwordRequests: 0 },
        { start: '2026-06-15T00:00:00.000Z', total: 3, success: 2, failed: 0, passwordRequests: 1 },
      ],
      results: [
        { result: 'RATE_LIMITED', count: 5 },
        { result: 'EXPIRED', count: 1 },
        { result: 'PREVIEW', count: 1 },
        { result: 'PASSWORD_REQUIRED', count: 1 },
        { result: 'SUCCESS', count: 2 },
      ],
      sources: {
        ...{ views: 2, isTruncated: false, referrers: [{ name: null, count: 2 }] },
        ...{ browsers: [{ name: null, count: 2 }], systems: [{ name: null, count: 2 }] },
      },
      addresses: [
        { address: '192.0.2.1', opened: 2, refused: 0, lastAt: attempt(2).at },
        { address: '192.0.2.2', opened: 0, refused: 6, lastAt: attempt(126).at },
        { address: '192.0.2.4', opened: 0, refused: 0, lastAt: attempt(3).at },
      ],
    });
  });

  test('the charts cover all attempts whose times are in another order than their numbers', () => {
    const [late, early] = [attempt(1, { at: attempt(90).at }), attempt(2, { at: attempt(30).at })];
    const { span, addresses } = aggregateHistory([attempt(3), early, late]) ?? assert.fail('no attempts');
    assert.deepEqual(
      [span.start, span.end].map(Number),
      [0, 2].map((hours) => START + hours * 3_600_000),
    );
    assert.equal(addresses[0]?.lastAt, late.at);
  });

  test('the charts cover at most a year, by day', () => {
    const { span, periods } =
      aggregateHistory([attempt(2 * 525_600), attempt(1)]) ?? assert.fail('no attempts');
    assert.equal(span.unit, 'day');
    assert.equal((span.end.getTime() - span.start.getTime()) / 86_400_000, 366);
    assert.equal(periods.length, 1);
  });

  test('the charts have the hours of the clock of the reader', () => {
    const halfHourAhead = () => 30 * 60_000;
    const { span, periods } =
      aggregateHistory([attempt(31), attempt(1)], halfHourAhead) ?? assert.fail('no attempts');
    assert.deepEqual(
      periods.map(({ start }) => start),
      ['2026-06-15T01:00:00.000Z', '2026-06-15T00:00:00.000Z'],
    );
    assert.equal(span.end.getTime(), START + 2 * 3_600_000);
  });

  test('charts are absent without an attempt', () => {
    assert.equal(aggregateHistory([]), undefined);
  });
});

test('a change is shown by its terms, old and new, in the language of the page', () => {
  const format = prepareFormat('fr');
  const t = prepareFrench();
  const { format: time } = new Intl.DateTimeFormat('fr', {
    ...{ dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' },
  });
  const texts = { t, format: { ...format, time } };
  const details = {
    expiresAt: { new: '2026-06-15T13:00:00.000Z', old: null },
    label: { new: 'x'.repeat(61), old: 'Q3' },
    maxViews: { new: 1_000, old: 3 },
    startsAt: { new: null, old: '2026-06-15T13:00:00.000Z' },
    passwordProtected: { new: true, old: true },
    paused: { new: false, old: true },
    status: { new: 'EXPIRED', old: 'ACTIVE' },
    unknown: { new: 1, old: 2 },
  };
  assert.deepEqual(
    toChangeTexts(details, texts).map((text) => text.replaceAll(/\s/g, ' ')),
    [
      'État : Actif → Expiré',
      'En pause : oui → non',
      'Limite de vues : 3 → 1 000',
      'Disponible à partir de : 15 juin 2026, 13:00:00 → tout de suite',
      'Expiration : Jamais → 15 juin 2026, 13:00:00',
      'Mot de passe : ••• → •••',
      `Nom : “Q3” → “${'x'.repeat(60)}…”`,
    ],
  );
});

test('the delivery record shows the newest hash of a target, unless a change after it was erased', () => {
  const change = (
    number: number,
    kind: 'CREATED' | 'CHANGED',
    details: ChangeEntry['details'],
  ): ChangeEntry => {
    const { format, id, at, shortCode, salt } = attempt(number);
    return {
      format,
      id,
      at,
      shortCode,
      salt,
      number,
      kind,
      author: { kind: 'USER', name: 'x', ipAddress: null },
      details,
    };
  };
  const erased = { salt: null, personalSha256: 'e' };
  const created = change(1, 'CREATED', { targetSha256: 'a', fileSha256: 'f' });
  const changed = change(2, 'CHANGED', { targetSha256: { new: 'b', old: 'a' } });
  const targetOf = (...items: Entry[]) => newestHashOf('targetSha256', items);
  assert.equal(targetOf(attempt(3, erased), changed, created), 'b');
  assert.equal(targetOf({ ...change(3, 'CHANGED', {}), ...erased }, changed, created), undefined);
  assert.equal(newestHashOf('fileSha256', [{ ...change(3, 'CHANGED', {}), ...erased }, created]), 'f');
});

test('a delivery record names the sender as visitors read it, and who made the link', () => {
  const t = prepareTranslate<Messages>('en-GB', en);
  const typed = { senderName: 'Jane Miller', label: 'Photos' };
  const ofAnonymous = (details: ChangeEntry['details']) =>
    toSenderText({ author: { kind: 'ANONYMOUS', name: null, ipAddress: '192.0.2.1' }, details }, t);
  const ofPerson = toSenderText(
    { author: { kind: 'USER', name: 'ann', ipAddress: null }, details: typed },
    t,
  );
  assert.equal(ofPerson, 'Jane Miller (ann)', 'the name that visitors read, and the account');
  const unnamed = { author: { kind: 'USER', name: 'ann', ipAddress: null }, details: {} } as const;
  assert.equal(toSenderText(unnamed, t), 'ann');
  const owner = { kind: 'USER', name: 'ann', displayName: 'Ann Weber' } as const;
  assert.equal(toSenderText(unnamed, t, owner), 'Ann Weber', 'who owns it has a name as it was typed');
  assert.equal(toSenderText(unnamed, t, { ...owner, name: 'bea' }), 'ann', 'another person owns it');
  assert.equal(ofAnonymous(typed), 'Jane Miller');
  assert.equal(ofAnonymous({ ...typed, requestShortCode: 'Ab12Cd34' }), 'Photos', 'who sent the files');
  assert.equal(ofAnonymous({ label: 'Photos' }), undefined, 'a label is no name');
});
