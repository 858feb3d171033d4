const MAX_ITEMS = 1_000;

/** The service takes at most 4 MB in a request. The rest is for what surrounds the items. */
const MAX_ITEM_BYTES = 3_900_000;

/** Some of the items, of which the first is the item number `start`. */
type Request<Item> = { start: number; some: Item[] };

/** Distributes items over requests that the service accepts. An item alone is never too large. */
export function toRequests<Item>(items: readonly Item[]): Request<Item>[] {
  const requests: Request<Item>[] = [];
  let bytes = 0;
  for (const [start, item] of items.entries()) {
    const itemBytes = new TextEncoder().encode(JSON.stringify(item)).length + 1;
    const last = requests.at(-1);
    const fits = bytes + itemBytes <= MAX_ITEM_BYTES && (last?.some.length ?? 0) < MAX_ITEMS;
    if (last && fits) {
      last.some.push(item);
      bytes += itemBytes;
    } else {
      requests.push({ start, some: [item] });
      bytes = itemBytes;
    }
  }
  return requests;
}
