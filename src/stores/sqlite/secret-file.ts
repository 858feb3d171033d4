import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/**
 * Returns the secret of the service on a database, which only the service's user can read. Creates it at the first call,
 * in a file beside the database: a copy of the database alone does not contain it.
 */
export function readOrCreateSecret(databasePath: string): string {
  const path = `${realpathSync(databasePath)}-secret`;
  const found = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (SECRET.test(found)) return found;
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const temporary = `${path}.${process.pid}`; // renamed, so that the file is whole after a kill
  writeFileSync(temporary, `${secret}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  return secret;
}
