import assert from 'node:assert/strict';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';

/** Shorter secrets occur in logs by chance. */
const MIN_LENGTH = 6;
/** Fields stand at the start of a body, before the content of a file. */
const SEARCHED_BYTES = 64 * 1024;

/** No log may hold these: hashes of passwords, API keys, link tokens and secrets of webhooks. */
const FORBIDDEN = [
  /\$argon2id?\$/,
  /\bpostern_[\w-]{43}/,
  /\blink_[\w-]{43}/,
  /\bsetup_[\w-]{43}/,
  /\bwhsec_[\w+/]{20}/,
];

/** The parts of requests that carry secrets: headers, members of JSON, parts of a multipart form, fields of a visit form. */
const CARRIERS: { pattern: RegExp; decode(text: string): string }[] = [
  { pattern: /^x-link-(?:password|token): ?(.*?)\r?$/gim, decode: asUtf8 },
  { pattern: /^authorization: ?bearer +(.*?)\r?$/gim, decode: asUtf8 },
  { pattern: /"password"\s*:\s*("(?:[^"\\]|\\.)*")/g, decode: (text) => String(JSON.parse(asUtf8(text))) },
  { pattern: /name="password"\r\n(?:[^\r\n]+\r\n)*\r\n(.*?)\r\n--/gs, decode: asUtf8 },
  {
    pattern: /(?:^|[\n&])password=([^&\s]*)/g,
    decode: (text) => decodeURIComponent(text.replaceAll('+', ' ')),
  },
];

/** The secrets that this process has sent to services, and the hashes of tokens among them. */
const sentSecrets = new Set<string>();

/** Records the secrets in a request: its head, its body, or both, as they are sent. */
export function recordSecrets(request: string | Uint8Array): void {
  const bytes = typeof request === 'string' ? Buffer.from(request, 'latin1') : request;
  const text = Buffer.from(bytes.subarray(0, SEARCHED_BYTES)).toString('latin1');
  for (const { pattern, decode } of CARRIERS) {
    for (const [, encoded = ''] of text.matchAll(pattern)) recordSecret(decodeOr(encoded, decode));
  }
}

/** Records one secret, such as a password that a test types into a page. */
export function recordSecret(secret: string): void {
  if (secret.trim().length < MIN_LENGTH) return;
  sentSecrets.add(secret);
  sentSecrets.add(hashSecret(secret));
}

/** The log has the correlation id that a client chooses. One of generated requests can be a secret of another. */
const CORRELATION_ID = /"correlationId":"(?:[^"\\]|\\.)*"/g;

/** Fails if the log of a service holds a hash, a key, a token, or a secret that was sent to any service. */
export function assertNoSecrets(output: string): void {
  const log = output.replaceAll(CORRELATION_ID, '');
  for (const pattern of FORBIDDEN) {
    const found = pattern.exec(log);
    if (found) assert.fail(`The log holds a secret (${pattern}): ${lineAt(log, found.index)}`);
  }
  for (const secret of sentSecrets) {
    const written = JSON.stringify(secret).slice(1, -1);
    const index = log.indexOf(written);
    if (index >= 0) assert.fail(`The log holds the secret "${written}": ${lineAt(log, index)}`);
  }
}

function lineAt(log: string, index: number): string {
  return log.slice(log.lastIndexOf('\n', index) + 1).split('\n', 1)[0] ?? '';
}

function asUtf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

/** Returns the text itself where it cannot be decoded: tests send malformed requests too. */
function decodeOr(text: string, decode: (text: string) => string): string {
  try {
    return decode(text);
  } catch {
    return text;
  }
}
