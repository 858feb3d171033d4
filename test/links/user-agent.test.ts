import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countDevices, type Program, parseUserAgent } from '../../src/core/model/user-agent.ts';
import { pluck } from '../support/pluck.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const CASES: [
  userAgent: string,
  program: [name: string, version: string | null, system: string | null] | null,
  isBot?: true,
][] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', ['Firefox', '144', 'Linux']],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
    ['Microsoft Edge', '142', 'Windows'],
  ],
  [
    `Mozilla/5.0 (Linux; Android 16; CUBOT X) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`,
    ['Chrome', '142', 'Android'],
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.1 Mobile/15E148 Safari/604.1',
    ['Safari', '20', 'iOS'],
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    ['Internet Explorer', null, 'Windows'],
  ],
  [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    ['Googlebot', '2', null],
    true,
  ],
  [
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    ['Slackbot-LinkExpanding', null, null],
    true,
  ],
  ['WhatsApp/2.23.20.0 A', ['WhatsApp', '2', null], true],
  ['curl/8.14.1', ['curl', '8', null]],
  ['constructor/1', ['constructor', '1', null]],
  ['Mozilla/5.0', null],
  ['test', null],
  [' ', null],
  ['', null],
];

for (const [userAgent, program, isBot = false] of CASES) {
  test(`"${userAgent}" is ${program?.[0] ?? 'not known'}`, () => {
    const [name, version, system] = program ?? [];
    const expected = program ? ({ name, version, system, isBot } as Program) : undefined; // of a case
    assert.deepEqual(parseUserAgent(userAgent), expected);
  });
}

test('the program of any text is found without an error', () => {
  fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => void parseUserAgent(text)));
});

test('views are summed by browser and by system, the unknown last among equals', () => {
  const agents = CASES.slice(0, 4).map(([name], index) => ({ name, count: index + 1 }));
  const { browsers, systems } = countDevices([
    ...agents,
    { name: null, count: 3 },
    { name: 'curl/8', count: 4 },
  ]);
  assert.deepEqual(pluck(browsers, 'name', 'count'), [
    ['Safari', 4],
    ['curl', 4],
    ['Chrome', 3],
    [null, 3],
    ['Microsoft Edge', 2],
    ['Firefox', 1],
  ]);
  assert.deepEqual(pluck(systems, 'name'), [null, 'iOS', 'Android', 'Windows', 'Linux']);
});
