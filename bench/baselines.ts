import { randomUUID } from 'node:crypto';
import { createReadStream, fdatasync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { prepareFloor, prepareObvious } from './audited-redirects.ts';

// Bare servers that do only what the measured service must do at least: the difference is what Postern costs.
// Started as `node bench/baselines.ts <name> <port> <directory> [<url of a database>]`.

/** The fastest size: with the default of 64 KiB a large file takes twice as long. */
const READ_BYTES = 256 * 1024;

/** About the size of an audit record. */
const RECORD = 'r'.repeat(150);
const MAX_FLUSHES = 2;

const [name = '', port = '0', directory = '.', databaseUrl = ''] = process.argv.slice(2);

const BASELINES: Record<string, RequestListener> = {
  /** Responds with a constant redirect. */
  redirect: (_, response) => {
    response.writeHead(302, { location: 'https://example.com/', 'content-length': 0 });
    response.end();
  },
  /** Responds with a constant redirect once a record of it is on the disk, as any durable audit must. */
  flushed: prepareBatchedRedirect(prepareFlush),
  /** Does the same once the records of all waiting requests are committed in PostgreSQL, by one statement. */
  committed: prepareBatchedRedirect(prepareInsert),
  /** Reads a JSON body and responds with a constant. */
  body: (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': 2 });
      response.end('{}');
    });
  },
  /** Sends the file that the path names. */
  download: async (request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const { size } = await stat(path);
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size });
    createReadStream(path, { highWaterMark: READ_BYTES }).pipe(response);
  },
  /** Writes a body unparsed into a file and flushes it. */
  upload: async (request, response) => {
    const file = await open(join(directory, 'files', randomUUID()), 'w');
    await file.writeFile(request);
    await file.sync();
    await file.close();
    response.writeHead(201, { 'content-length': 0 });
    response.end();
  },
};

/** Requests that wait during a flush share the next one. At most two flushes run at once, as in Postern. */
function prepareBatchedRedirect(
  prepare: () => (count: number, done: (error?: unknown) => void) => void,
): RequestListener {
  let waiting: ServerResponse[] = [];
  let flushing = 0;
  let write: ReturnType<typeof prepare> | undefined;

  function flush(): void {
    if (flushing === MAX_FLUSHES || waiting.length === 0) return;
    flushing += 1;
    const batch = waiting;
    waiting = [];
    write ??= prepare();
    write(batch.length, (error) => {
      if (error) throw error;
      flushing -= 1;
      setImmediate(flush);
      for (const response of batch) {
        response.writeHead(302, { location: 'https://example.com/', 'content-length': 0 });
        response.end();
      }
    });
  }

  return (_, response) => {
    waiting.push(response);
    if (waiting.length === 1) setImmediate(flush);
  };
}

function prepareFlush() {
  const log = openSync(join(directory, 'records.log'), 'a');
  return (count: number, done: (error?: unknown) => void) => {
    writeSync(log, RECORD.repeat(count));
    fdatasync(log, done);
  };
}

function prepareInsert() {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: MAX_FLUSHES });
  const text = 'INSERT INTO bare_record (record) SELECT * FROM unnest($1::text[])';
  return (count: number, done: (error?: unknown) => void) => {
    pool
      .query({ name: 'insert', text, values: [Array<string>(count).fill(RECORD)] })
      .then(() => done(), done);
  };
}

mkdirSync(join(directory, 'files'), { recursive: true });
const PREPARED: Record<string, (directory: string) => RequestListener | Promise<RequestListener>> = {
  floor: prepareFloor,
  obvious: prepareObvious,
};
const listener = BASELINES[name] ?? (await PREPARED[name]?.(directory));
if (!listener) throw new Error(`Unknown baseline ${name}`);
createServer(listener).listen(Number(port), '127.0.0.1', () => process.stderr.write('ready\n'));
