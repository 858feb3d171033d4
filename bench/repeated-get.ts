import { setTimeout as sleep } from 'node:timers/promises';

// Gets a URL again and again, in its own process, so that its work does not delay the requests that another one times.
// Arguments: the URL, a key for it, and the number of seconds.

const [url = '', key = '', seconds = ''] = process.argv.slice(2);
const headers = { authorization: `Bearer ${key}` };

async function repeat(): Promise<void> {
  for (;;) {
    const response = await fetch(url, { headers });
    for await (const _ of response.body ?? []);
    if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  }
}

await Promise.race([repeat(), sleep(Number(seconds) * 1000)]);
process.exit(0); // ends a response that has begun
