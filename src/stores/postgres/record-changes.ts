import type { ChainPlace, ChangeEntry } from '../../links/history.ts';

/** A change of a link, with its place in the link's chain. */
export type PlacedChange = { entry: ChangeEntry; place: ChainPlace };

/** Returns a statement that records changes, with the columns of `columnsOfChanges` from this parameter on. */
export function insertChanges(first: number): string {
  const types = ['uuid', 'text', 'text', 'text', 'text', 'text', 'bigint', 'bigint', 'text', 'uuid'];
  const columns = types.map((type, index) => `$${first + index}::${type}[]`);
  return `INSERT INTO link_change
            (id, short_code, kind, author_kind, author_name, ip_address, changed_at, number, details, prev)
          SELECT * FROM unnest(${columns})`;
}

export function columnsOfChanges(changes: readonly PlacedChange[]) {
  const entries = changes.map(({ entry }) => entry);
  return [
    entries.map(({ id }) => id),
    entries.map(({ shortCode }) => shortCode),
    entries.map(({ kind }) => kind),
    entries.map(({ author }) => author.kind),
    entries.map(({ author }) => author.name),
    entries.map(({ author }) => author.ipAddress),
    entries.map(({ at }) => at),
    changes.map(({ place }) => place.number),
    entries.map(({ details }) => JSON.stringify(details)),
    changes.map(({ place }) => place.prev),
  ];
}
