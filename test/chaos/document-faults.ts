import { FAULT_NAMES, faultOf, type Seen, type Sees, type StoreKind } from './fault-table.ts';

/** Returns the table of the faults for docs/failure-modes.md. */
export function faultsTable(): string {
  const rows = FAULT_NAMES.map((name) => {
    const { what, stores, sees, health, kept, remedy } = faultOf(name);
    return [
      `\`${name}\``,
      what,
      stores.map((store) => STORE_NAMES[store]).join(', '),
      describe(sees),
      health ? `\`${health}\`` : 'any',
      kept,
      remedy,
    ];
  });
  const head = ['fault', 'what happens', 'database', 'clients may see', 'health', 'kept', 'remedy'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  const others = PROVED_ELSEWHERE.map(([what, ...tests]) => `- ${what}: ${tests.map(toCode).join(', ')}\n`);
  return `${table.join('')}\nOther tests prove these without a load:\n\n${others.join('')}`;
}

/** Faults that prevent a start or that a load adds nothing to, and their tests. */
export const PROVED_ELSEWHERE: [what: string, ...tests: string[]][] = [
  [
    'The SQLite file is missing, empty, or that of another program at a start',
    'test/stores/new-database.test.ts',
    'test/stores/sqlite/database-file.test.ts',
  ],
  ['Half of the SQLite file is missing, or its pages are overwritten', 'test/stores/sqlite/damage.test.ts'],
  ['A link that several groups of attempts wait for is locked', 'test/stores/postgres/locks.test.ts'],
];

const toCode = (text: string): string => `\`${text}\``;

/** Returns what clients may see: for each purpose, or once if it is the same for all. */
function describe(sees: Sees): string {
  // The purposes are the keys of their type.
  const texts = (Object.keys(sees) as (keyof Sees)[]).map((purpose) => {
    const seen = (sees[purpose] ?? []).map((one) => SEEN_TEXTS[one] ?? one).join(', ');
    return PURPOSES[purpose] + seen;
  });
  return texts.join('; ') || 'nothing else';
}

const PURPOSES: Record<keyof Sees, string> = {
  any: '',
  visit: 'visits: ',
  download: 'downloads: ',
  create: 'creations: ',
  upload: 'uploads: ',
  change: 'changes: ',
  revoke: 'revocations: ',
  statistics: 'statistics: ',
};
const STORE_NAMES: Record<StoreKind, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const SEEN_TEXTS: Partial<Record<Seen, string>> = {
  broken: 'a broken connection',
  refused: 'a refused connection',
  timeout: 'no response for 15 s',
};
