import type { IncomingMessage } from 'node:http';
import { decodePasswordText } from '../links/rules/link-password.ts';
import { DUPLICATE_FIELD } from '../links/rules/parsed.ts';
import { ERRORS } from './errors.ts';
import { toSizeText } from './sizes.ts';

const CONTENT_TYPE = 'application/x-www-form-urlencoded';
/** Room for a password of 8 KiB, each byte of which a form may write as three. */
const MAX_BYTES = 32 * 1024;

/** What the form of a visitor's page says; all of it may be missing. */
export type VisitForm = {
  password: string | null;
  /** Whether it only wants to know that the password is right. */
  asksOnly: boolean;
};

/** Reads the form of `POST /l/{shortCode}`. @throws RequestError for one that is none, too large or broken off */
export async function readVisitForm(request: IncomingMessage): Promise<VisitForm> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return { password: null, asksOnly: false };
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw ERRORS.unsupportedContentEncoding();
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== CONTENT_TYPE) throw ERRORS.unsupportedContentType(CONTENT_TYPE);
  const fields = new URLSearchParams(await readText(request));
  return {
    password: decodePasswordText(field(fields, 'password')),
    asksOnly: field(fields, 'ask') === 'true',
  };
}

function field(fields: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = fields.getAll(name);
  if (more.length > 0) throw ERRORS.invalidField({ field: name, text: DUPLICATE_FIELD });
  return value;
}

/** What is more than the bound is passed over as it comes, so that the client hears the answer. */
function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= MAX_BYTES) chunks.push(chunk);
      else reject(ERRORS.bodyTooLarge(toSizeText(MAX_BYTES)));
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', () => reject(ERRORS.malformedRequest()));
    request.once('close', () => reject(ERRORS.malformedRequest())); // broken off, where it has not ended before
  });
}
