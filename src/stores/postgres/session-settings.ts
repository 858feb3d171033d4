/** Parses libpq's `options`: `-c name=value`, `-cname=value` or `--name=value`, spaces escaped with a backslash. */
export function parseSessionOptions(options: string | null): { name: string; value: string }[] {
  const words = (options?.match(/(?:\\.|[^\s\\])+/gs) ?? []).map((word) => word.replaceAll(/\\(.)/gs, '$1'));
  const found = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const isAfterSwitch = words[index - 1] === '-c';
    const [, name = '', value] =
      /^(?:-c|--)?([^=-][^=]*)=(.*)$/s.exec(isAfterSwitch || /^(-c.|--)/.test(word) ? word : '') ?? [];
    // PostgreSQL reads a dash in a name as an underscore, and the last of several values holds.
    if (value !== undefined) found.set(name.replaceAll('-', '_'), value);
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

const UNIT_MS = new Map([
  ['us', 0.001],
  ['ms', 1],
  ['s', 1_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Returns a duration as PostgreSQL writes it, such as 10s, in milliseconds. Without a unit, these are milliseconds. */
export function toMilliseconds(value: string): number {
  const [, number = NaN, unit = 'ms'] = /^(\d+)([a-z]+)?$/.exec(value) ?? [];
  return Number(number) * (UNIT_MS.get(unit) ?? NaN);
}

/** Returns whether two values of a setting are the same list: `links, public` and `"links",public` are. */
export function isSameValue(one: string, other: string): boolean {
  return one === other || normalizeList(one) === normalizeList(other);
}

function normalizeList(value: string): string {
  const entries = value.replaceAll(/"([a-z_][a-z0-9_$]*)"/g, '$1').split(',');
  return entries.map((entry) => entry.trim()).join(',');
}
