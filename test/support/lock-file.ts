import { readProjectFile } from './documents.ts';

export type Versions = Record<string, string>;
export type Kind = 'dependencies' | 'devDependencies' | 'optionalDependencies';
export type Locked = {
  resolved?: string;
  integrity?: string;
  version?: string;
  license?: string;
} & Partial<Record<Kind, Versions>>;

/** The installed packages, by their place below the project; the project itself is at ''. */
export const LOCKED: Record<string, Locked> = JSON.parse(readProjectFile('package-lock.json')).packages;

/** Returns where Node looks for a package that is imported at a place, the nearest first. */
export function placesFor(name: string, place: string): string[] {
  const outer = place.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '');
  const here = `${place === '' ? '' : `${place}/`}node_modules/${name}`;
  return place === '' ? [here] : [here, ...placesFor(name, outer)];
}

/** Returns the places of all packages that the service needs, directly or through others, on any platform. */
export function runtimePlaces(): string[] {
  const found = new Set<string>();
  function collect(from: string): void {
    const { dependencies, optionalDependencies } = LOCKED[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placesFor(name, from).find((candidate) => candidate in LOCKED);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      collect(place);
    }
  }
  collect('');
  return [...found].sort();
}

/** Returns the name of the package at a place. */
export function packageAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
