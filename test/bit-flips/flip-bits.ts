import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../src/core/config/config.ts';
import { composeVerification } from '../../src/service/open-stores.ts';
import { checkIntegrity } from '../../src/stores/sqlite/check-integrity.ts';
import { findDifferences } from '../../src/tools/commands/verify-store.ts';
import type { seededInt } from '../support/random.ts';

/** A flipped bit that changes what a full read of all rows returns, or makes it fail. */
type HarmfulFlip = { table: string; isReadable: boolean; isFoundByRecount: boolean; isFound: boolean };

/** Flips bits at random positions of a store that is closed, one at a time, and verifies the store with each. */
export async function flipBits(options: {
  config: Config;
  path: string;
  flips: number;
  random: ReturnType<typeof seededInt>;
}): Promise<HarmfulFlip[]> {
  const { config, path, flips, random } = options;
  const whole = readAllRows(path);
  if (whole === undefined) throw new Error('the rows of the whole store cannot be read');
  const tableAt = readPageOwners(path);
  const harmful: HarmfulFlip[] = [];
  const file = openSync(path, 'r+');
  for (let count = 0; count < flips; count++) {
    const position = random(statSync(path).size);
    const mask = 1 << random(8);
    flipBit(file, position, mask);
    const rows = readAllRows(path);
    if (rows !== whole) {
      const isFoundByRecount = await isFound(() => recountAlone(config));
      harmful.push({
        table: tableAt(position),
        isReadable: rows !== undefined,
        isFoundByRecount,
        isFound: await isFound(async () => (await findDifferences(config)).differences),
      });
    }
    flipBit(file, position, mask);
  }
  closeSync(file);
  if (checkIntegrity(path, 1).length > 0) throw new Error('the bits were not flipped back');
  return harmful;
}

function flipBit(file: number, position: number, mask: number): void {
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, position);
  writeSync(file, Buffer.of((byte[0] ?? 0) ^ mask), 0, 1, position);
}

/** Returns all rows as a text; undefined when they cannot be read. */
function readAllRows(path: string): string | undefined {
  try {
    using db = new DatabaseSync(path, { readOnly: true });
    const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all();
    const readRows = (name: unknown) => {
      const select = db.prepare(`SELECT * FROM ${name}`);
      select.setReadBigInts(true); // a place in the list of links is larger than a safe integer
      return select.all();
    };
    return JSON.stringify(
      tables.map(({ name }) => [name, readRows(name)]),
      toText,
    );
  } catch {
    return undefined;
  }
}

function toText(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

function readPageOwners(path: string): (position: number) => string {
  using db = new DatabaseSync(path, { readOnly: true });
  const owners = new Map(
    db
      .prepare('SELECT pageno, name FROM dbstat')
      .all()
      .map(({ pageno, name }) => [Number(pageno), String(name)]),
  );
  const pageBytes = Number(db.prepare('PRAGMA page_size').get()?.['page_size']);
  return (position) => owners.get(Math.floor(position / pageBytes) + 1) ?? 'no table';
}

async function recountAlone(config: Config): Promise<string[]> {
  const verification = composeVerification(config);
  await verification.assertNoUnfinishedMove();
  return (await verification.recount()).differences;
}

async function isFound(verify: () => Promise<string[]>): Promise<boolean> {
  try {
    return (await verify()).length > 0;
  } catch {
    return true; // the command prints the error, and ends with exit code 1
  }
}
