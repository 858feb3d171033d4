import type { Config } from '../../core/config/config.ts';
import { parseDatabaseUrl } from '../../core/config/database-url.ts';
import { type Parser, parseDirectory } from '../../core/config/parsers.ts';
import { parseStorageUrl } from '../../core/config/properties/stores.ts';
import type { Property } from '../../core/config/property.ts';
import { accept } from '../../core/model/parsed.ts';
import { CONFIG_FLAGS, loadConfig } from '../../service/config/load-config.ts';
import { type Arguments, readFlags } from '../../service/config/read-flags.ts';
import { readProperty, type Sources } from '../../service/config/read-property.ts';

/** The settings of a move: the configurations of the service to move from and to move to. */
export type LoadedMove =
  | { ok: true; from: Config; to: Config; movesLinks: boolean; movesFiles: boolean; restart: boolean }
  | { ok: false; errors: string[] };

export const MOVE_OPTIONS = {
  from: { type: 'string', value: 'URL', help: 'The database to move from; default: app.database.url' },
  to: { type: 'string', value: 'URL', help: 'The database to move to, new or empty; else links stay' },
  'files-from': {
    type: 'string',
    value: 'PLACE',
    help: 'The directory or s3://… to copy files from; default: that of the properties',
  },
  'files-to': {
    type: 'string',
    value: 'PLACE',
    help: 'The directory or s3://… to copy files to; else files stay',
  },
  restart: {
    type: 'boolean',
    help: 'Deletes what an unfinished move has copied into the target, and starts again',
  },
} as const;

/** Reads the settings of a move from its arguments and the environment, else those of the service. */
export function loadMove(sources: Sources): LoadedMove {
  const { flags, errors } = readFlags(sources.argv, { own: MOVE_OPTIONS, properties: CONFIG_FLAGS });
  const places = new Map([...flags].map(([name, text]) => [`move.${name}`, text]));
  const read = (name: keyof typeof MOVE_OPTIONS, parse: Parser<unknown>): string | null => {
    const found = readProperty(placeProperty(name, parse), places, sources);
    if (found.ok) return found.value;
    errors.push(found.error.replace('flag --move.', 'flag --'));
    return null;
  };
  const [from, to] = [read('from', parseDatabaseUrl), read('to', parseDatabaseUrl)];
  const [filesFrom, filesTo] = [read('files-from', parsePlace), read('files-to', parsePlace)];
  if (errors.length > 0) return { ok: false, errors };
  if (to === null && filesTo === null)
    return {
      ok: false,
      errors: ['nothing to move: set --to=URL for links, --files-to=PLACE for files, or both'],
    };
  const load = (database: string | null, files: string | null) =>
    loadConfig(sources, { words: [], flags: withPlaces(flags, database, files), errors: [] });
  const source = load(from, filesFrom);
  const target = load(to ?? from, filesTo ?? filesFrom);
  if (!source.ok || !target.ok) {
    const all = [source, target].flatMap((side) => (side.ok ? [] : side.errors));
    return { ok: false, errors: [...new Set(all)] };
  }
  return {
    ok: true,
    from: source.config,
    to: target.config,
    movesLinks: to !== null,
    movesFiles: filesTo !== null,
    restart: flags.has('restart'),
  };
}

/** Returns a property whose value is its text, so that it can be passed to the configuration of the service. */
function placeProperty(name: string, parse: Parser<unknown>): Property<string | null> {
  return {
    name: `move.${name}`,
    fallback: null,
    shown: '',
    meaning: '',
    confidential: true,
    parse(text) {
      const parsed = parse(text);
      return parsed.ok ? accept(text) : parsed;
    },
  };
}

const parsePlace: Parser<unknown> = (text) =>
  text.startsWith('s3:') ? parseStorageUrl(text) : parseDirectory(text);

/** Returns the flags of the service with these places instead of its own. */
function withPlaces(flags: Arguments['flags'], database: string | null, files: string | null) {
  const isBucket = files?.startsWith('s3:') === true;
  return new Map([
    ...flags,
    ...(database === null ? [] : ([['app.database.url', database]] as const)),
    ...(files === null ? [] : ([['app.storage.url', isBucket ? files : '']] as const)),
    ...(files === null || isBucket ? [] : ([['app.storage.path', files]] as const)),
  ]);
}
