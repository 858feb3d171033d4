import type { IncomingMessage } from 'node:http';
import { decodePasswordText } from '../links/rules/link-password.ts';
import { duplicateField } from '../links/rules/parsed.ts';
import { ERRORS, invalidField } from './errors.ts';
import { hasBody } from './headers.ts';
import { readBody } from './read-body.ts';

const CONTENT_TYPE = 'application/x-www-form-urlencoded';
/** Room for a password of 8 KiB, each byte of which a form may write as three. */
const MAX_BYTES = 32 * 1024;

/** The form of a visitor page, whose fields may all be missing. A dry run only checks the password. */
export type VisitForm = { password: string | null; isDryRun: boolean };

/**
 * Reads the form of `POST /l/{shortCode}`.
 *
 * @throws RequestError when the body is not such a form, is too large, or ends early
 */
export async function readVisitForm(request: IncomingMessage): Promise<VisitForm> {
  const { headers } = request;
  if (!hasBody(request)) return { password: null, isDryRun: false };
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw ERRORS.unsupportedContentEncoding();
  }
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== CONTENT_TYPE) throw ERRORS.unsupportedContentType(CONTENT_TYPE);
  const body = await readBody(request, MAX_BYTES);
  const fields = new URLSearchParams(body.toString('utf8'));
  return {
    password: decodePasswordText(readField(fields, 'password')),
    isDryRun: readField(fields, 'ask') === 'true',
  };
}

function readField(fields: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = fields.getAll(name);
  if (more.length > 0) throw invalidField(duplicateField(name));
  return value;
}
