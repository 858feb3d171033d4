import { hash, randomBytes, randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { createUuidV7Source } from '../src/core/model/uuid-v7.ts';
import { PAGE_BYTES } from '../src/stores/sqlite/connection.ts';

// What redirects with a durable record of each cost without rules: at least, and if written as first comes to mind.

const TARGET = 'https://example.com/';

function openDatabase(directory: string): DatabaseSync {
  const db = new DatabaseSync(join(directory, 'audit.db'));
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
  db.exec(`CREATE TABLE entry (seq INTEGER PRIMARY KEY, id BLOB, at INTEGER, short_code TEXT, number INTEGER, prev INTEGER,
    fingerprint BLOB, salt BLOB, ip_address TEXT, user_agent TEXT, result TEXT) STRICT`);
  return db;
}

type Waiting = {
  response: ServerResponse;
  shortCode: string;
  ipAddress: string;
  userAgent: string;
  line: string;
};
/** The end of the chain of a link, whose number is that of its views. */
type Head = { number: number; seq: number | null; fingerprint: string };

/**
 * Prepares the least that Postern must do for each redirect, in one thread and without any rule: ids, a chained record in
 * SQLite, its flush together with those of the requests that wait, and two lines of the log.
 */
export function prepareFloor(directory: string): RequestListener {
  const db = openDatabase(directory);
  const insert = db.prepare(
    `INSERT INTO entry VALUES (?, unhex(?, '-'), ?, ?, ?, ?, unhex(?), unhex(?), ?, ?, ?)`,
  );
  const heads = new Map<string, Head>();
  const newId = createUuidV7Source(randomUUID);
  const log = prepareLog();
  let lastSeq = 0;
  let waiting: Waiting[] = [];

  /** Appends the record of a redirect. Returns its number in the history of the link. */
  function append({ shortCode, ipAddress, userAgent }: Waiting, at: number): number {
    const { number: before, seq: prev, fingerprint: head } = heads.get(shortCode) ?? { ...EMPTY };
    const [id, salt, number, seq] = [newId(at), randomBytes(16).toString('hex'), before + 1, ++lastSeq];
    const personalSha256 = hash('sha256', JSON.stringify({ ipAddress, salt, userAgent }));
    const covered = {
      at,
      count: 1,
      format: 1,
      id,
      kind: 'ATTEMPT',
      number,
      personalSha256,
      result: 'SUCCESS',
      shortCode,
    };
    const fingerprint = hash('sha256', head + JSON.stringify(covered));
    insert.run(seq, id, at, shortCode, number, prev, fingerprint, salt, ipAddress, userAgent, 'SUCCESS');
    heads.set(shortCode, { number, seq, fingerprint });
    return number;
  }

  function commit(): void {
    const batch = waiting;
    waiting = [];
    const at = Date.now();
    db.exec('BEGIN IMMEDIATE');
    const numbers = batch.map((redirect) => append(redirect, at));
    db.exec('COMMIT');
    for (const [index, { response, line }] of batch.entries()) {
      response.writeHead(302, ['location', TARGET, 'cache-control', 'no-store', 'content-length', '0']).end();
      log(`${line},"viewCount":${numbers[index]},"status":302,"msg":"success"}\n`);
    }
  }

  return (request, response) => {
    const { url = '', socket, headers } = request;
    const shortCode = url.slice(url.lastIndexOf('/') + 1);
    const line = `{"level":"info","time":"${new Date().toISOString()}","correlationId":"${randomUUID()}","shortCode":"${shortCode}"`;
    log(`${line},"msg":"attempt"}\n`);
    const client = { ipAddress: socket.remoteAddress ?? '', userAgent: headers['user-agent'] ?? '' };
    if (waiting.push({ response, shortCode, line, ...client }) === 1) setImmediate(commit);
  };
}
const EMPTY: Head = { number: 0, seq: null, fingerprint: '' };

/** Returns a function that writes lines in blocks. */
function prepareLog(): (line: string) => void {
  let lines = '';
  return (line) => {
    if (lines === '')
      setTimeout(() => {
        writeSync(1, lines);
        lines = '';
      }, 50);
    lines += line;
  };
}

/** Prepares what first comes to mind: a framework, and a transaction for each redirect. */
export async function prepareObvious(directory: string): Promise<RequestListener> {
  const db = openDatabase(directory);
  const insert = db.prepare(
    `INSERT INTO entry (id, at, short_code, ip_address, user_agent, result) VALUES (unhex(?, '-'), ?, ?, ?, ?, 'SUCCESS')`,
  );
  const app = Fastify({ logger: true });
  app.get<{ Params: { shortCode: string } }>('/l/:shortCode', (request, reply) => {
    const userAgent = request.headers['user-agent'] ?? '';
    insert.run(randomUUID(), Date.now(), request.params.shortCode, request.ip, userAgent);
    return reply.redirect(TARGET);
  });
  await app.ready();
  return app.routing;
}
