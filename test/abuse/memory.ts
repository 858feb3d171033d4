import { METHODS } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { figure } from '../drive/report.ts';
import { ask, encode, openQuietly, writeAll } from '../drive/sockets.ts';
import { PATHS } from '../fuzz/templates.ts';
import { json, member, send } from '../support/http-client.ts';
import { uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { MIB, measureAttack, measureGrowth, onVictim, type Row, scaled } from './victim.ts';

const BOUNDARY = 'abuse-boundary';
const FIELD_BYTES = 256 * 1024;

export const forms: Row = {
  name: 'forms',
  attack: '20 unfinished forms of 100 unknown fields with 256 KiB each',
  mustBe: 'unknown fields are not kept',
  run: onVictim(async (victim, scene) => {
    const field = Buffer.from('x'.repeat(FIELD_BYTES));
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    const headers = { 'content-type': type, 'transfer-encoding': 'chunked' };
    const head = encode({ method: 'POST', path: '/api/links/upload', headers });
    const chunk = (bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    let growth = { mostMiB: Number.NaN, leftMiB: Number.NaN };
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openQuietly(victim)));
    const figures = await measureAttack(victim, async () => {
      growth = await measureGrowth(victim, async () => {
        await Promise.all(
          sockets.map(async (socket) => {
            await writeAll(socket, head);
            for (let index = 0; index < scaled(100, scene); index++) {
              const name = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f${index}"\r\n\r\n`;
              await writeAll(socket, chunk(Buffer.concat([Buffer.from(name), field, Buffer.from('\r\n')])));
            }
          }),
        );
        await pause(500);
      });
    });
    for (const socket of sockets) socket.destroy();
    return [figure.mebibytes('memory of the forms', growth.mostMiB, 96), ...figures];
  }),
};

export const readers: Row = {
  name: 'readers',
  attack: '1,000 clients request a file of 10 MB and do not read it',
  mustBe: 'at most 160 KiB for each: 64 KiB of buffer, and the connection; returned when they leave',
  // From loopback, a trusted proxy by default, which has no limit of connections of its own.
  run: onVictim(async (victim, scene) => {
    const shortCode = await uploadFile(victim, Buffer.alloc(10 * 1000 ** 2, 'x'));
    const count = scaled(1_000, scene);
    let growth = { mostMiB: Number.NaN, leftMiB: Number.NaN };
    const figures = await measureAttack(victim, async () => {
      growth = await measureGrowth(victim, async (sample) => {
        const sockets = await Promise.all(Array.from({ length: count }, () => openQuietly(victim)));
        for (const socket of sockets) {
          socket.pause();
          await writeAll(socket, encode({ path: `/l/${shortCode}` }));
        }
        await pause(3_000);
        sample();
        for (const socket of sockets) socket.destroy();
        await pause(2_000);
      });
    });
    return [
      { what: 'memory per reader', value: (growth.mostMiB * MIB) / count, unit: 'bytes', atMost: 160 * 1024 },
      figure.mebibytes('memory after they left', growth.leftMiB, 128),
      ...figures,
    ];
  }),
};

export const logLines: Row = {
  name: 'log',
  attack: '32 KB headers and short codes, with C1 controls',
  mustBe: 'bounded and escaped in the log',
  run: onVictim(async (victim) => {
    const before = victim.output.stdout.length;
    const odd = '\x9b31m\x85';
    const count = 20;
    for (let sent = 0; sent < count; sent++) {
      const headers = { 'user-agent': odd.repeat(3_000), 'x-correlation-id': odd.repeat(2_000) };
      await ask(victim, encode({ path: '/l/unknown1', headers }), 5_000);
      await send(victim, `/l/${encodeURIComponent('\u009b').repeat(4_000)}`);
    }
    await pause(200);
    const log = victim.output.stdout.slice(before);
    const isRaw = (char: string): boolean => char !== '\n' && /[\p{Cc}\u2028\u2029]/u.test(char);
    const raw = [...log].filter(isRaw).length;
    return [
      { what: 'log per request', value: log.length / (2 * count), unit: 'bytes', atMost: 2_048 },
      figure.count('raw control characters in the log', raw, 0),
    ];
  }),
};

export const metrics: Row = {
  name: 'metrics',
  attack: '3,000 odd methods and paths',
  mustBe: 'unknown methods and paths share one label',
  run: onVictim(async (victim, scene) => {
    const size = async (): Promise<number> => (await send(victim, '/actuator/prometheus')).text.length;
    // After the first of each, a known method and path may have its series.
    for (const path of PATHS) await send(victim, path);
    const before = await size();
    for (let sent = 0; sent < scaled(3_000, scene); sent++) {
      const method = METHODS.filter((name) => name !== 'CONNECT')[sent % (METHODS.length - 1)] ?? 'GET';
      const path = sent % 3 === 0 ? `/unknown/${sent}` : (PATHS[sent % PATHS.length] ?? '/');
      await send(victim, path, { method });
    }
    const growth = (await size()) - before;
    return [{ what: 'growth of the metrics', value: growth, unit: 'bytes', atMost: 64 * 1024 }];
  }),
};

export const fileNames: Row = {
  name: 'file-names',
  attack: 'LRM, RLM and ALM in the name of an upload',
  mustBe: 'removed',
  run: onVictim(async (victim) => {
    const fileName = 'a\u200eb\u200fc\u061cd.txt';
    const created = await sendForm(victim, [...fields({}), file('content', fileName)]);
    const shortCode = String(member(json(created), 'shortCode'));
    const { headers } = await send(victim, `/l/${shortCode}`);
    const kept = /%E2%80%8[EF]|%D8%9C/i.test(headers['content-disposition'] ?? '') ? 1 : 0;
    return [figure.count('names with direction marks', kept, 0)];
  }),
};
