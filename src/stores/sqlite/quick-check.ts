import { constants, setPriority } from 'node:os';
import { messageOf } from '../../error-details.ts';
import { openForReading } from './connection.ts';
import { isDamageError } from './damage.ts';

// A program of its own: checks the structure of the database at the path that is its argument, and prints what is
// wrong as JSON. It yields the processor to requests.

const MAX_FINDINGS = 10;
const [, , path = ''] = process.argv;

function check(): string[] {
  try {
    using db = openForReading(path);
    const rows = db.prepare(`PRAGMA quick_check(${MAX_FINDINGS})`).all();
    const findings = rows.map((row) => String(row['quick_check']));
    return findings.length === 1 && findings[0] === 'ok' ? [] : findings;
  } catch (error) {
    if (isDamageError(error)) return [messageOf(error)];
    throw error;
  }
}

setPriority(constants.priority.PRIORITY_LOW);
process.stdout.write(JSON.stringify(check()));
