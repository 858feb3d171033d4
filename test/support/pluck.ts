/** Returns a property of each item, or several of them as a list. */
export function pluck<Item, Name extends keyof Item>(items: Iterable<Item>, name: Name): Item[Name][];
export function pluck<Item, Name extends keyof Item>(items: Iterable<Item>, ...names: Name[]): Item[Name][][];
export function pluck<Item, Name extends keyof Item>(items: Iterable<Item>, ...names: Name[]): unknown[] {
  return Array.from(items, (item) => {
    const [name, ...others] = names;
    return name !== undefined && others.length === 0 ? item[name] : names.map((each) => item[each]);
  });
}
