import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { messageOf } from '../../error-details.ts';
import { openForReading } from './connection.ts';
import { isDamageError } from './errors.ts';

// A program of its own: checks the structure of the database at the path that is its argument, and prints what is
// wrong as JSON. It yields the processor to requests, and ends with the process that holds its standard input.

const MAX_FINDINGS = 10;

function check(path: string): string[] {
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

/** Checks in a thread, because SQLite blocks it. Nothing but a signal ends a thread while SQLite works. */
async function checkWhileParentLives(path: string): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW);
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
  const [findings]: unknown[] = await once(
    new Worker(new URL(import.meta.url), { workerData: path }),
    'message',
  );
  process.stdout.write(JSON.stringify(findings));
  process.stdin.destroy();
}

if (isMainThread) await checkWhileParentLives(process.argv[2] ?? '');
else parentPort?.postMessage(check(String(workerData)));
