import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, figure } from '../drive/report.ts';
import { ask, encode } from '../drive/sockets.ts';
import { send, sendJson } from '../support/http-client.ts';
import { createLink, openLink, TARGET } from '../support/links.ts';
import { sendForm } from '../support/multipart.ts';
import { onVictim, type Row, scaled } from './victim.ts';

/** Returns an upload, of which all or only the head is sent. */
function upload(body: string, headers: OutgoingHttpHeaders = {}): Buffer {
  const type = { 'content-type': 'multipart/form-data; boundary=B' };
  return encode({ method: 'POST', path: '/api/links/upload', headers: { ...type, ...headers }, body });
}

export const earlyEnd: Row = {
  name: 'early-end',
  attack: '`--B--` before a form, and forms without an end',
  mustBe: '400 at once',
  run: onVictim(async (victim) => {
    const part = '--B\r\nContent-Disposition: form-data; name="maxViews"\r\n\r\n1';
    const bodies = {
      'closing delimiter first': '--B--\r\n',
      'closing delimiter, then a part': `--B--\r\n${part}\r\n--B--\r\n`,
      'preamble only': 'nothing else\r\n',
      'no final delimiter': part,
    };
    const figures: Figure[] = [];
    for (const [what, body] of Object.entries(bodies)) {
      const { status, ms } = await ask(victim, upload(body), 5_000);
      figures.push({ what, value: status, unit: 'status', equals: 400 });
      figures.push(figure.ms('its time', ms, 1_000));
    }
    return figures;
  }),
};

export const dotSegments: Row = {
  name: 'dot-segments',
  attack: 'dot segments and backslashes below /assets/',
  mustBe: '404 without a stack in the log',
  run: onVictim(async (victim) => {
    const paths = ['%2e%2e/x', '..%5c..%5cx', '../x', './x', '%2e/x', '%00', '..%2f..%2fpackage.json'];
    const figures: Figure[] = [];
    for (const path of paths) {
      const target = `/assets/${path}`;
      const { status } = await ask(victim, encode({ path: target }), 5_000);
      figures.push(figure.status(target, status, 404));
    }
    await pause(100);
    const stacks = victim.output.stdout.split('"stack"').length - 1;
    return [...figures, figure.count('stacks in the log', stacks, 0)];
  }),
};

export const encodedPrefix: Row = {
  name: 'encoded-prefix',
  attack: 'DELETE /%6c/CODE, past a proxy that blocks DELETE /l/',
  mustBe: '404, and the link still opens',
  run: onVictim(async (victim) => {
    const shortCode = await createLink(victim);
    const { status } = await send(victim, `/%6c/${shortCode}`, { method: 'DELETE' });
    const upper = await send(victim, `/%6C/${shortCode}`);
    const opened = await openLink(victim, shortCode);
    return [
      figure.status('DELETE /%6c/CODE', status, 404),
      figure.status('GET /%6C/CODE', upper.status, 404),
      figure.status('the link afterwards', opened.status, 302),
    ];
  }),
};

export const unknownCodes: Row = {
  name: 'unknown-codes',
  attack: '400 unknown short codes from one client within a minute',
  mustBe: '429 from the 301st on, and only for this client',
  run: onVictim(async (victim) => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const shortCode = await createLink(victim);
    const statuses: number[] = [];
    const startedAt = performance.now();
    for (let sent = 0; sent < 400; sent++) {
      statuses.push((await send(victim, `/l/unknown${sent}`, { headers })).status);
    }
    const hit = await openLink(victim, shortCode, headers);
    // A window begins with the first request. On a slow machine the next one would begin during the attack.
    const windows = Math.ceil((performance.now() - startedAt) / 60_000);
    const other = await openLink(victim, shortCode, { 'x-forwarded-for': '203.0.113.10' });
    const count = (status: number): number => statuses.filter((each) => each === status).length;
    return [
      figure.count('windows of the limit', windows, 1),
      figure.count('responses 404', count(404), 300),
      figure.count('responses 429', count(429), 100),
      figure.status('a link for this client', hit.status, 429),
      figure.status('a link for another client', other.status, 302),
    ];
  }),
};

export const guesses: Row = {
  name: 'guesses',
  attack: '200 wrong passwords at once from one client; then the right one, also from another client',
  mustBe: '10 responses are 401, the rest 429; the other client gets in',
  run: onVictim(async (victim, scene) => {
    const password = 'the right password';
    const shortCode = await createLink(victim, { password });
    const open = async (guess: string, address: string): Promise<number> =>
      (await openLink(victim, shortCode, { 'x-link-password': guess, 'x-forwarded-for': address })).status;
    const statuses = await Promise.all(
      Array.from({ length: scaled(200, scene) }, (_, index) => open(`guess ${index}`, '203.0.113.11')),
    );
    const count = (status: number): number => statuses.filter((each) => each === status).length;
    return [
      figure.count('responses 401', count(401), 10),
      figure.count('responses 429', count(429), statuses.length - 10),
      figure.status('the right one, same client', await open(password, '203.0.113.11'), 429),
      figure.status('the right one, other client', await open(password, '203.0.113.12'), 302),
    ];
  }),
};

export const diskReserve: Row = {
  name: 'disk',
  attack: 'an upload while less than app.storage.min-free is free',
  mustBe: '507 before its bytes are read; links can be created and opened',
  run: onVictim(
    async (victim) => {
      const { status } = await ask(victim, upload('', { 'content-length': 1_000_000 }), 5_000);
      const whole = await sendForm(victim, [{ name: 'file', fileName: 'a', content: 'x' }]);
      const created = await sendJson(victim, '/api/links', { targetUrl: TARGET });
      const opened = await openLink(victim, await createLink(victim));
      return [
        figure.status('an upload of which only the head has arrived', status, 507),
        figure.status('a whole upload', whole.status, 507),
        figure.status('a new link', created.status, 201),
        figure.status('a redirect', opened.status, 302),
      ];
    },
    ['--app.storage.min-free=900000GB'],
  ),
};
