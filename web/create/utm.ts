/** The parameters by which statistics of websites tell campaigns apart. */
export const UTM_NAMES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type UtmName = (typeof UTM_NAMES)[number];
/** Values to set. An empty one removes the parameter, a missing one leaves it as it is. */
export type Utm = Partial<Record<UtmName, string>>;

/** Divides a URL into what is before its query, the query, and the fragment. */
function divide(url: string): [before: string, query: string, fragment: string] {
  const hash = url.indexOf('#');
  const [beforeHash, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
  const mark = beforeHash.indexOf('?');
  return mark < 0
    ? [beforeHash, '', fragment]
    : [beforeHash.slice(0, mark), beforeHash.slice(mark + 1), fragment];
}

/** Returns the value of a parameter of a URL; empty where it has none. */
export function readUtm(url: string, name: UtmName): string {
  return new URLSearchParams(divide(url)[1]).get(name) ?? '';
}

/** Returns a URL with these parameters. All else stays as it is written. */
export function withUtm(url: string, utm: Utm): string {
  const given = UTM_NAMES.filter(
    (name) => utm[name] !== undefined && utm[name].trim() !== readUtm(url, name),
  );
  if (given.length === 0) return url;
  const [before, query, fragment] = divide(url);
  const isKept = (part: string): boolean => {
    const [name] = new URLSearchParams(part).keys();
    return part !== '' && !given.some((each) => each === name);
  };
  const added = given
    .map((name) => [name, utm[name]?.trim() ?? ''] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  const parts = [...query.split('&').filter(isKept), ...added];
  return before + (parts.length === 0 ? '' : `?${parts.join('&')}`) + fragment;
}
