import { FAULT_NAMES, faultOf, type Seen, type StoreKind } from './fault-table.ts';

/** Returns the table of the faults for docs/failure-modes.md. */
export function faultsTable(): string {
  const rows = FAULT_NAMES.map((name) => {
    const { what, stores, sees, health, kept, remedy } = faultOf(name);
    const seen = sees.length === 0 ? 'nothing else' : sees.map((one) => SEEN_TEXTS[one] ?? one).join(', ');
    return [
      `\`${name}\``,
      what,
      stores.map((store) => STORE_NAMES[store]).join(', '),
      seen,
      health ? `\`${health}\`` : 'any',
      kept,
      remedy,
    ];
  });
  const head = ['fault', 'what happens', 'database', 'clients may see', 'health', 'kept', 'remedy'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

const STORE_NAMES: Record<StoreKind, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const SEEN_TEXTS: Partial<Record<Seen, string>> = {
  broken: 'a broken connection',
  refused: 'a refused connection',
  timeout: 'no response for 15 s',
};
