import { type Config, loadConfig } from './config.ts';
import type { Sources } from './read-property.ts';

/** Two configurations of the service: the one that is moved from, and the one that takes over. */
export type LoadedMove =
  | { ok: true; from: Config; to: Config; movesLinks: boolean; movesFiles: boolean }
  | { ok: false; errors: string[] };

/** What a move is told, by the names of the service's own properties that it stands for. */
const FLAGS = ['from', 'to', 'files-from', 'files-to'] as const;
type Flag = (typeof FLAGS)[number];

/**
 * Reads where a move comes from and where it goes: `--from` and `--to` are databases as in `app.database.url`,
 * `--files-from` and `--files-to` directories as in `app.storage.path` or object storage as in `app.storage.url`.
 * Each may be in the environment too, as `MOVE_FROM` and so on, or in a file that `MOVE_FROM_FILE` names. Without
 * them, what the service itself is set to is moved. All other properties are those of the service, for both sides.
 */
export function loadMove(sources: Sources): LoadedMove {
  const { given, argv } = takeFlags(sources.argv);
  const rest = { ...sources, argv };
  const isGiven = (flag: Flag) => sourceOf(flag, given, sources.env) !== undefined;
  const [movesLinks, movesFiles] = [isGiven('to'), isGiven('files-to')];
  const from = loadSide(rest, given, ['from', 'files-from']);
  const to = loadSide(rest, given, [
    isGiven('to') ? 'to' : 'from',
    isGiven('files-to') ? 'files-to' : 'files-from',
  ]);
  if (from.ok && to.ok && (movesLinks || movesFiles)) {
    return { ok: true, from: from.config, to: to.config, movesLinks, movesFiles };
  }
  const errors = [...(from.ok ? [] : from.errors), ...(to.ok ? [] : to.errors)];
  if (!movesLinks && !movesFiles) {
    errors.push(
      'nothing is to be moved; say where to with --to=… for links, --files-to=… for files, or both',
    );
  }
  return { ok: false, errors: [...new Set(errors)] };
}

export const MOVE_HELP = [
  '  --from=URL          the database to move from; else app.database.url',
  '  --to=URL            the database to move to: new, or empty. Without it, links and records stay',
  '  --files-from=PLACE  the directory, or s3://…, to copy files from; else app.storage.path or app.storage.url',
  '  --files-to=PLACE    the directory, or s3://…, to copy files to. Without it, files stay',
  '',
  'A password in an argument can be seen by everybody on this machine. Better put the URL into a file that only',
  'you can read and name it: MOVE_FROM_FILE, MOVE_TO_FILE. MOVE_FROM, MOVE_TO, MOVE_FILES_FROM and MOVE_FILES_TO',
  'do as well. All other properties are those of the service:',
].join('\n');

/** The flags of a move, with `=` or a space before the value, and all other arguments. */
function takeFlags(argv: readonly string[]): { given: Map<Flag, string>; argv: string[] } {
  const given = new Map<Flag, string>();
  const rest: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index] ?? '';
    const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    const flag = FLAGS.find((each) => each === name);
    const follows = argv[index + 1];
    if (flag === undefined || given.has(flag)) rest.push(argument);
    else if (value !== undefined) given.set(flag, value);
    else if (follows !== undefined && !follows.startsWith('--')) {
      given.set(flag, follows);
      index += 1;
    } else rest.push(argument);
  }
  return { given, argv: rest };
}

/** Where a place is told: a flag, a variable, or a variable that names a file. */
type Told = { text: string; by: 'flag' | 'variable' | 'file' };

function sourceOf(flag: Flag, given: ReadonlyMap<Flag, string>, env: Sources['env']): Told | undefined {
  const variable = variableOf(flag);
  const byFlag = given.get(flag);
  if (byFlag !== undefined) return { text: byFlag, by: 'flag' };
  const [direct, file] = [env[variable], env[`${variable}_FILE`]];
  if (direct) return { text: direct, by: 'variable' };
  return file ? { text: file, by: 'file' } : undefined;
}

const variableOf = (flag: Flag): string => `MOVE_${flag.toUpperCase().replaceAll('-', '_')}`;

/** The configuration of one side: that of the service, with the places of this side instead of its own. */
function loadSide(sources: Sources, given: ReadonlyMap<Flag, string>, flags: readonly Flag[]) {
  let { argv, env } = sources;
  const renamed: [string, string][] = [];
  for (const flag of flags) {
    const told = sourceOf(flag, given, env);
    if (told === undefined) continue;
    const property = propertyFor(flag, told);
    const variable = property.toUpperCase().replaceAll(/[.-]/g, '_');
    const others = flag.startsWith('files') ? ['app.storage.path', 'app.storage.url'] : ['app.database.url'];
    argv = argv.filter((argument) => !others.some((other) => argument.startsWith(`--${other}=`)));
    env = { ...env, ...Object.fromEntries(others.flatMap(environmentOf)) };
    if (told.by === 'flag') argv = [...argv, `--${property}=${told.text}`];
    else env = { ...env, [told.by === 'file' ? `${variable}_FILE` : variable]: told.text };
    renamed.push([`flag --${property}`, `flag --${flag}`], [variable, variableOf(flag)]);
    renamed.push([`${property}: `, `--${flag}: `]);
  }
  const loaded = loadConfig({ argv, env, readFile: sources.readFile });
  if (loaded.ok) return loaded;
  // What is at fault is told by the name that it was given under.
  const rename = (fault: string) => renamed.reduce((text, [own, told]) => text.replace(own, told), fault);
  return { ok: false as const, errors: loaded.errors.map(rename) };
}

function propertyFor(flag: Flag, { text, by }: Told): string {
  if (!flag.startsWith('files')) return 'app.database.url';
  return by !== 'file' && text.startsWith('s3:') ? 'app.storage.url' : 'app.storage.path';
}

function environmentOf(property: string): [string, undefined][] {
  const variable = property.toUpperCase().replaceAll(/[.-]/g, '_');
  return [
    [variable, undefined],
    [`${variable}_FILE`, undefined],
  ];
}
