import { accept } from '../links/rules/parsed.ts';
import { type Config, loadConfig, PROPERTY_NAMES } from './config.ts';
import {
  fileParser,
  type Parser,
  type PropertyParser,
  parseDirectory,
  refuse,
  wholeNumber,
} from './parsers.ts';
import { type OwnFlags, readFlags } from './read-flags.ts';
import { quote, type Sources } from './read-property.ts';

/** The settings of a backup. `keep`: how many backups are kept; null for all. */
export type BackupSettings = {
  folder: string;
  keep: number | null;
  recipient: string | null;
  passphrase: string | null;
  withoutFiles: boolean;
};

/** The settings of a restore. `name`: of the backup; null for the newest. `identities`: the text of an identity file. */
export type RestoreSettings = {
  folder: string;
  name: string | null;
  identities: string | null;
  passphrase: string | null;
  withoutFiles: boolean;
};

export type Loaded<Settings> =
  | { ok: true; settings: Settings; config: Config }
  | { ok: false; errors: string[] };

export const BACKUP_HELP = `
  FOLDER                 the folder of all backups; each is a folder of its own below backups/
  --keep=N               keeps the newest N backups, and removes all others; default: all
  --recipient=age1…      encrypts the backups for this recipient of age
  --passphrase-file=PATH encrypts the backups with the passphrase in this file. Either is needed once: later backups in
                         the folder are encrypted in the same way
  --without-files        backs up the database alone, such as when the bucket keeps versions

Exit code 0: the backup is complete. 3: it is, but the storage lacks files of links. 1: there is none.
`;

export const RESTORE_HELP = `
  FOLDER                 the folder of all backups
  --backup=TIME          the name of a backup below backups/; default: the newest
  --identity-file=PATH   the identity file of age that decrypts the backup
  --passphrase-file=PATH the file with the passphrase that decrypts the backup
  --without-files        restores the database alone, and compares it with the files of the storage

Exit code 0: all is restored. 3: it is, but files or records are lost or damaged. 1: nothing is restored; repeat the
command.
`;

const MAX_KEPT = 10_000;
const parseKeep = wholeNumber(1, MAX_KEPT);
const parseRecipient: Parser<string> = (text) =>
  /^age1[a-z0-9]+$/.test(text)
    ? accept(text)
    : refuse('must be a recipient of age, as age-keygen prints it: age1 and lower-case letters and digits');
const parseName: Parser<string> = (text) =>
  /^[\w.-]+$/.test(text)
    ? accept(text)
    : refuse('must be the name of a folder below backups/, such as 2026-11-22T03-45-00.000Z');
const parseKeyFile = fileParser<string>({
  content: 'a text file',
  maxBytes: 65_536,
  limit: '64 KB',
  parse(bytes) {
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    return text === '' ? refuse('is empty') : accept(text);
  },
});

/** Reads what a backup needs from the arguments, and the configuration of the service. */
export const loadBackup = (sources: Sources): Loaded<BackupSettings> =>
  load(sources, { keep: STRING, recipient: STRING, ...SHARED }, (read, folder) => {
    const settings = {
      folder,
      keep: read('keep', parseKeep),
      recipient: read('recipient', parseRecipient),
      passphrase: read('passphrase-file', parseKeyFile),
      withoutFiles: read('without-files', accept) !== null,
    };
    const isTwice = settings.recipient !== null && settings.passphrase !== null;
    return isTwice ? '--recipient and --passphrase-file are both given; give one' : settings;
  });

/** Reads what a restore needs from the arguments, and the configuration of the service. */
export const loadRestore = (sources: Sources): Loaded<RestoreSettings> =>
  load(sources, { backup: STRING, 'identity-file': STRING, ...SHARED }, (read, folder) => ({
    folder,
    name: read('backup', parseName),
    identities: read('identity-file', parseKeyFile),
    passphrase: read('passphrase-file', parseKeyFile),
    withoutFiles: read('without-files', accept) !== null,
  }));

const STRING = { type: 'string' } as const;
const SHARED = { 'passphrase-file': STRING, 'without-files': { type: 'boolean' } } as const;

type Read = <T>(flag: string, parse: PropertyParser<T>) => T | null;

/** `settle` returns the settings, or an error. */
function load<Settings>(
  sources: Sources,
  own: OwnFlags,
  settle: (read: Read, folder: string) => Settings | string,
): Loaded<Settings> {
  const args = readFlags(sources.argv, { own, properties: PROPERTY_NAMES, takesWords: true });
  const errors: string[] = [];
  const [folder, ...more] = args.words;
  for (const word of more)
    errors.push(`unexpected argument ${quote(word)}; quote the name of a folder that has spaces`);
  if (folder === undefined || !parseDirectory(folder).ok)
    errors.push('the folder of the backups is missing; write its path, such as /var/backups/postern');
  const settings = settle((flag, parse) => {
    const text = args.flags.get(flag);
    if (text === undefined) return null;
    const parsed = parse(text, sources.readFile);
    if (parsed.ok) return parsed.value;
    errors.push(`--${flag}: ${text === '' ? 'an empty value' : quote(text)} ${parsed.error}`);
    return null;
  }, folder ?? '');
  if (typeof settings === 'string') errors.push(settings);
  const loaded = loadConfig(sources, args);
  if (!loaded.ok) errors.push(...loaded.errors);
  return loaded.ok && errors.length === 0 && typeof settings !== 'string'
    ? { ok: true, settings, config: loaded.config }
    : { ok: false, errors };
}
