import {
  fileParser,
  type Parser,
  type PropertyParser,
  parseDirectory,
  refuse,
  wholeNumber,
} from '../../core/config/parsers.ts';
import { toOpaqueString } from '../../core/model/opaque-string.ts';
import { accept } from '../../core/model/parsed.ts';
import { type LoadedSettings, loadSettings, type Report } from '../../service/config/load-settings.ts';
import { type OwnFlags, readFlag } from '../../service/config/read-flags.ts';
import { quote, type Sources } from '../../service/config/read-property.ts';

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

const WITHOUT_FILES = {
  type: 'boolean',
  help: 'Leaves out the files, such as those in a bucket that keeps versions',
} as const;

export const BACKUP_OPTIONS = {
  keep: {
    type: 'string',
    value: 'N',
    help: 'Keeps the newest N backups, and removes the others; default: all',
  },
  recipient: {
    type: 'string',
    value: 'age1…',
    help: 'Encrypts the backups in the folder for this recipient of age, also later ones',
  },
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    help: 'Encrypts the backups in the folder with the passphrase in this file, also later ones',
  },
  'without-files': WITHOUT_FILES,
} as const;

export const RESTORE_OPTIONS = {
  backup: { type: 'string', value: 'TIME', help: 'The name of a backup below backups/; default: the newest' },
  'identity-file': {
    type: 'string',
    value: 'FILE',
    help: 'The identity file of age that decrypts the backup',
  },
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    help: 'The file with the passphrase that decrypts the backup',
  },
  'without-files': WITHOUT_FILES,
} as const;

const parseRecipient: Parser<string> = (text) =>
  /^age1[a-z0-9]+$/.test(text)
    ? accept(text)
    : refuse('must be a recipient of age, as age-keygen prints it: age1 and lower-case letters and digits');
const parseKeyFile = fileParser<string>({
  content: 'a text file',
  maxBytes: 65_536,
  limit: '64 KB',
  parse(bytes) {
    const text = toOpaqueString(bytes.toString('utf8').replace(/\r?\n$/, ''));
    return text === '' ? refuse('is empty') : accept(text);
  },
});

/** Reads what a backup needs from the arguments, and the configuration of the service. */
export const loadBackup = (sources: Sources): LoadedSettings<BackupSettings> =>
  load(sources, BACKUP_OPTIONS, (read, folder, report) => {
    const recipient = read('recipient', parseRecipient);
    const passphrase = read('passphrase-file', parseKeyFile);
    const keep = read('keep', wholeNumber(1, 10_000));
    if (recipient !== null && passphrase !== null)
      report('--recipient and --passphrase-file are both given; give one');
    return { folder, keep, recipient, passphrase, withoutFiles: read('without-files', accept) !== null };
  });

/** Reads what a restore needs from the arguments, and the configuration of the service. */
export const loadRestore = (sources: Sources): LoadedSettings<RestoreSettings> =>
  load(sources, RESTORE_OPTIONS, (read, folder) => ({
    folder,
    name: read('backup', accept),
    identities: read('identity-file', parseKeyFile),
    passphrase: read('passphrase-file', parseKeyFile),
    withoutFiles: read('without-files', accept) !== null,
  }));

type Read = <T>(flag: string, parse: PropertyParser<T>) => T | null;

function load<Settings>(
  sources: Sources,
  own: OwnFlags,
  settle: (read: Read, folder: string, report: Report) => Settings,
): LoadedSettings<Settings> {
  return loadSettings(sources, own, ({ words: [folder, ...more], flags }, report) => {
    for (const word of more)
      report(`unexpected argument ${quote(word)}; quote the name of a folder that has spaces`);
    if (folder === undefined || !parseDirectory(folder).ok)
      report('the folder of the backups is missing; write its path, such as /var/backups/postern');
    const read: Read = (flag, parse) =>
      readFlag(flags, flag, (text) => parse(text, sources.readFile), report);
    return settle(read, folder ?? '', report);
  });
}
