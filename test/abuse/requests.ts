import type { Figure } from '../drive/report.ts';
import { send, sendJson } from '../support/http-client.ts';
import { createLink, openLink, TARGET } from '../support/links.ts';
import { sendForm } from '../support/multipart.ts';
import { ask } from './sockets.ts';
import { pause, type Row, scaled, startVictim } from './victim.ts';

const form = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=B\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

export const earlyEnd: Row = {
  name: 'early-end',
  attack: '`--B--` before a form, and forms without an end',
  mustBe: '400 at once',
  isShort: true,
  async run(scene) {
    const victim = await startVictim(scene);
    const part = '--B\r\nContent-Disposition: form-data; name="maxViews"\r\n\r\n1';
    const bodies = {
      'closing delimiter first': '--B--\r\n',
      'closing delimiter, then a part': `--B--\r\n${part}\r\n--B--\r\n`,
      'preamble only': 'nothing else\r\n',
      'no final delimiter': part,
    };
    const figures: Figure[] = [];
    for (const [what, body] of Object.entries(bodies)) {
      const { status, ms } = await ask(victim, form('/api/links/upload', body), 5_000);
      figures.push({ what, value: status, unit: 'status', equals: 400 });
      figures.push({ what: 'its time', value: ms, unit: 'ms', atMost: 1_000 });
    }
    return figures;
  },
};

export const dotSegments: Row = {
  name: 'dot-segments',
  attack: 'dot segments and backslashes below /assets/',
  mustBe: '404 without a stack in the log',
  isShort: true,
  async run(scene) {
    const victim = await startVictim(scene);
    const paths = ['%2e%2e/x', '..%5c..%5cx', '../x', './x', '%2e/x', '%00', '..%2f..%2fpackage.json'];
    const figures: Figure[] = [];
    for (const path of paths) {
      const target = `/assets/${path}`;
      const { status } = await ask(victim, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, 5_000);
      figures.push({ what: target, value: status, unit: 'status', equals: 404 });
    }
    await pause(100);
    const stacks = victim.output.stdout.split('"stack"').length - 1;
    return [...figures, { what: 'stacks in the log', value: stacks, unit: 'count', equals: 0 }];
  },
};

export const encodedPrefix: Row = {
  name: 'encoded-prefix',
  attack: 'DELETE /%6c/CODE, past a proxy that blocks DELETE /l/',
  mustBe: '404, and the link still opens',
  isShort: true,
  async run(scene) {
    const victim = await startVictim(scene);
    const shortCode = await createLink(victim);
    const { status } = await send(victim, `/%6c/${shortCode}`, { method: 'DELETE' });
    const upper = await send(victim, `/%6C/${shortCode}`);
    const opened = await openLink(victim, shortCode);
    return [
      { what: 'DELETE /%6c/CODE', value: status, unit: 'status', equals: 404 },
      { what: 'GET /%6C/CODE', value: upper.status, unit: 'status', equals: 404 },
      { what: 'the link afterwards', value: opened.status, unit: 'status', equals: 302 },
    ];
  },
};

export const unknownCodes: Row = {
  name: 'unknown-codes',
  attack: '400 unknown short codes from one client within a minute',
  mustBe: '429 from the 301st on, and only for this client',
  isShort: true,
  async run(scene) {
    const victim = await startVictim(scene);
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
      { what: 'windows of the limit', value: windows, unit: 'count', equals: 1 },
      { what: 'responses 404', value: count(404), unit: 'count', equals: 300 },
      { what: 'responses 429', value: count(429), unit: 'count', equals: 100 },
      { what: 'a link for this client', value: hit.status, unit: 'status', equals: 429 },
      { what: 'a link for another client', value: other.status, unit: 'status', equals: 302 },
    ];
  },
};

export const guesses: Row = {
  name: 'guesses',
  attack: '200 wrong passwords at once from one client; then the right one, also from another client',
  mustBe: '10 responses are 401, the rest 429; the other client gets in',
  isShort: true,
  async run(scene) {
    const victim = await startVictim(scene);
    const password = 'the right password';
    const shortCode = await createLink(victim, { password });
    const open = async (guess: string, address: string): Promise<number> =>
      (await openLink(victim, shortCode, { 'x-link-password': guess, 'x-forwarded-for': address })).status;
    const statuses = await Promise.all(
      Array.from({ length: scaled(200, scene) }, (_, index) => open(`guess ${index}`, '203.0.113.11')),
    );
    const count = (status: number): number => statuses.filter((each) => each === status).length;
    return [
      { what: 'responses 401', value: count(401), unit: 'count', equals: 10 },
      { what: 'responses 429', value: count(429), unit: 'count', equals: statuses.length - 10 },
      {
        what: 'the right one, same client',
        value: await open(password, '203.0.113.11'),
        unit: 'status',
        equals: 429,
      },
      {
        what: 'the right one, other client',
        value: await open(password, '203.0.113.12'),
        unit: 'status',
        equals: 302,
      },
    ];
  },
};

export const diskReserve: Row = {
  name: 'disk',
  attack: 'an upload while less than app.storage.min-free is free',
  mustBe: '507 before its bytes are read; links can be created and opened',
  isShort: true,
  async run(scene) {
    const victim = await startVictim(scene, ['--app.storage.min-free=900000GB']);
    const head =
      'POST /api/links/upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n' +
      'Content-Type: multipart/form-data; boundary=B\r\n\r\n';
    const { status } = await ask(victim, head, 5_000);
    const whole = await sendForm(victim, [{ name: 'file', fileName: 'a', content: 'x' }]);
    const created = await sendJson(victim, '/api/links', { targetUrl: TARGET });
    const opened = await openLink(victim, await createLink(victim));
    return [
      { what: 'an upload of which only the head has arrived', value: status, unit: 'status', equals: 507 },
      { what: 'a whole upload', value: whole.status, unit: 'status', equals: 507 },
      { what: 'a new link', value: created.status, unit: 'status', equals: 201 },
      { what: 'a redirect', value: opened.status, unit: 'status', equals: 302 },
    ];
  },
};
