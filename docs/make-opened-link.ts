import { Writable } from 'node:stream';
import { anonymous } from '../src/core/model/author.ts';
import { DAY_MS, HOUR_MS } from '../src/core/model/time-units.ts';
import { fileOf } from '../src/core/use-cases/files/receive-file.ts';
import type { composeUseCases } from '../src/service/compose-use-cases.ts';

// The link whose history the screenshots show.

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/604.1';
const LAPTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const OPENINGS = [
  { hour: 0.1, ipAddress: '192.0.2.80', userAgent: 'Slackbot-LinkExpanding 1.0', isPreview: true },
  { hour: 1.6, ipAddress: '203.0.113.24', userAgent: PHONE, takesAll: false },
  { hour: 1.7, ipAddress: '203.0.113.24', userAgent: LAPTOP, takesAll: true },
  { hour: 26.2, ipAddress: '203.0.113.58', userAgent: LAPTOP, takesAll: true },
  { hour: 47.5, ipAddress: '203.0.113.58', userAgent: PHONE },
];

/** A link with its token. */
export type Opened = { shortCode: string; token: string };

/** Creates a link to a file that two people opened, one of whom broke a download off, before its views were used up. */
export async function createOpened(
  { createLink, receiveFile, resolveLink, downloads }: ReturnType<typeof composeUseCases>,
  now: number,
  setTime: (at: number) => void,
): Promise<Opened> {
  const shared = now - 3 * DAY_MS;
  setTime(shared);
  const file = await receiveFile(
    fileOf('Contract 2026-14.pdf', Buffer.alloc(812_000), 'ANONYMOUS'),
    async (stored) => stored,
  );
  const terms = { expiresAt: now + 11 * DAY_MS, maxViews: 3, password: null, confirm: true };
  const { link, token } = await createLink({ type: 'DOWNLOAD', file }, terms, anonymous('198.51.100.7'));
  const { shortCode } = link;
  for (const { hour, ipAddress, userAgent, isPreview, takesAll } of OPENINGS) {
    setTime(shared + hour * HOUR_MS);
    const resolution = await resolveLink({
      ...{ shortCode, ipAddress, userAgent, password: null, confirmation: 'GIVEN' },
      purpose: isPreview ? 'PREVIEW' : 'OPEN',
    });
    if (resolution.kind !== 'FILE') continue;
    const reader = readAtMost(takesAll ? Number.POSITIVE_INFINITY : 300_000);
    await resolution.file.sendTo(reader).catch(() => undefined);
    await downloads.settled();
  }
  return { shortCode, token };
}

/** Returns a visitor who leaves after so many bytes. */
function readAtMost(bytes: number): Writable {
  let read = 0;
  return new Writable({
    write: (chunk: Buffer, _, done) => {
      read += chunk.length;
      done(read > bytes ? new Error('The visitor left') : null);
    },
  });
}
