import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';

// Bare servers that do the least that the thing measured beside them must do: what is lost against them is
// what Postern costs. Started as `node bench/baselines.ts <name> <port> <directory>`.

const [name = '', port = '0', directory = '.'] = process.argv.slice(2);

const BASELINES: Record<string, RequestListener> = {
  /** Answers a constant redirect. */
  redirect: (_, response) => {
    response.writeHead(302, { location: 'https://example.com/', 'content-length': 0 });
    response.end();
  },
  /** Reads a body of JSON and answers a constant. */
  body: (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      JSON.parse(Buffer.concat(chunks).toString());
      response.writeHead(201, { 'content-type': 'application/json', 'content-length': 2 });
      response.end('{}');
    });
  },
  /** Streams a file out. */
  download: (_, response) => {
    createReadStream(join(directory, 'download.bin')).pipe(response);
  },
  /** Streams a body into a file and flushes it. */
  upload: async (request, response) => {
    const file = await open(join(directory, `upload-${process.hrtime.bigint()}.bin`), 'w');
    for await (const chunk of request) await file.write(chunk);
    await file.sync();
    await file.close();
    response.writeHead(201, { 'content-length': 0 });
    response.end();
  },
};

const listener = BASELINES[name];
if (!listener) throw new Error(`There is no baseline ${name}`);
createServer(listener).listen(Number(port), '127.0.0.1', () => process.stderr.write('ready\n'));
