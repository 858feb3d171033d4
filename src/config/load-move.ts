import { accept } from '../links/rules/parsed.ts';
import { type Config, loadConfig } from './config.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { type Parser, parseDirectory } from './parsers.ts';
import { parseStorageUrl } from './properties/stores.ts';
import type { Property } from './property.ts';
import { readFlags } from './read-flags.ts';
import { readProperty, type Sources } from './read-property.ts';

/** The settings of a move: the configurations of the service to move from and to move to. */
export type LoadedMove =
  | { ok: true; from: Config; to: Config; movesLinks: boolean; movesFiles: boolean; restart: boolean }
  | { ok: false; errors: string[] };

export const MOVE_HELP = `
  --from=URL          the database to move from; default: app.database.url
  --to=URL            the database to move to, new or empty; without it, links and records stay
  --files-from=PLACE  the directory or s3://… to copy files from; default: app.storage.path or app.storage.url
  --files-to=PLACE    the directory or s3://… to copy files to; without it, files stay
  --restart           deletes what an unfinished move has copied into the target, and starts again

Every user of this machine can see the passwords in arguments. Put a URL with a password into a file that only
you can read, and name the file: MOVE_FROM_FILE, MOVE_TO_FILE. MOVE_FROM, MOVE_TO, MOVE_FILES_FROM and
MOVE_FILES_TO work, too. All other settings are those of the service, from its environment variables.
`;

const FLAGS = {
  from: { type: 'string' },
  to: { type: 'string' },
  'files-from': { type: 'string' },
  'files-to': { type: 'string' },
  restart: { type: 'boolean' },
} as const;

/** Reads the settings of a move from its arguments and the environment, else those of the service. */
export function loadMove(sources: Sources): LoadedMove {
  const { flags, errors } = readFlags(sources.argv, { own: FLAGS });
  const places = new Map([...flags].map(([name, text]) => [`move.${name}`, text]));
  const read = (name: keyof typeof FLAGS, parse: Parser<unknown>): string | null => {
    const found = readProperty(placeProperty(name, parse), places, sources);
    if (found.ok) return found.value;
    errors.push(found.error.replace('flag --move.', 'flag --'));
    return null;
  };
  const [from, to] = [read('from', parseDatabaseUrl), read('to', parseDatabaseUrl)];
  const [filesFrom, filesTo] = [read('files-from', parsePlace), read('files-to', parsePlace)];
  if (errors.length > 0) return { ok: false, errors };
  if (to === null && filesTo === null) {
    return {
      ok: false,
      errors: ['nothing to move: set --to=URL for links, --files-to=PLACE for files, or both'],
    };
  }
  const source = loadSide(sources, from, filesFrom);
  const target = loadSide(sources, to ?? from, filesTo ?? filesFrom);
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

/** A property whose value is its text, so that it can be passed to the service's configuration. */
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

/** Loads the configuration of the service with these places instead of its own. */
function loadSide(sources: Sources, database: string | null, files: string | null) {
  const isBucket = files?.startsWith('s3:') === true;
  const argv = [
    ...(database === null ? [] : [`--app.database.url=${database}`]),
    ...(files === null ? [] : [`--app.storage.url=${isBucket ? files : ''}`]),
    ...(files === null || isBucket ? [] : [`--app.storage.path=${files}`]),
  ];
  return loadConfig({ ...sources, argv });
}
