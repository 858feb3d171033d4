import { fileParser, type Parser, parseDirectory, refuse, wholeNumber } from '../../core/config/parsers.ts';
import { toOpaqueString } from '../../core/model/opaque-string.ts';
import { accept } from '../../core/model/parsed.ts';
import { type LoadedBy, loadSettings, type Report } from '../../service/config/load-settings.ts';
import { quote, type Sources } from '../../service/config/read-property.ts';

/** The settings of a backup. `keep`: how many backups are kept; null for all. */
export type BackupSettings = LoadedBy<typeof loadBackup>['settings'];

/** The settings of a restore. `name`: of the backup; null for the newest. `identities`: the text of an identity file. */
export type RestoreSettings = LoadedBy<typeof loadRestore>['settings'];

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

const WITHOUT_FILES = {
  type: 'boolean',
  help: 'Leaves out the files, such as those in a bucket that keeps versions',
} as const;

export const BACKUP_OPTIONS = {
  keep: {
    type: 'string',
    value: 'N',
    help: 'Keeps the newest N backups, and removes the others; default: all',
    parse: wholeNumber(1, 10_000),
  },
  recipient: {
    type: 'string',
    value: 'age1…',
    help: 'Encrypts the backups in the folder for this recipient of age, also later ones',
    parse: parseRecipient,
  },
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    help: 'Encrypts the backups in the folder with the passphrase in this file, also later ones',
    parse: parseKeyFile,
  },
  'without-files': WITHOUT_FILES,
} as const;

export const RESTORE_OPTIONS = {
  backup: { type: 'string', value: 'TIME', help: 'The name of a backup below backups/; default: the newest' },
  'identity-file': {
    type: 'string',
    value: 'FILE',
    help: 'The identity file of age that decrypts the backup',
    parse: parseKeyFile,
  },
  'passphrase-file': {
    type: 'string',
    value: 'FILE',
    help: 'The file with the passphrase that decrypts the backup',
    parse: parseKeyFile,
  },
  'without-files': WITHOUT_FILES,
} as const;

/** Reads what a backup needs from the arguments, and the configuration of the service. */
export const loadBackup = (sources: Sources) =>
  loadSettings(sources, BACKUP_OPTIONS, ({ words, options }, report) => {
    const { keep, recipient, 'passphrase-file': passphrase, 'without-files': withoutFiles } = options;
    if (recipient !== null && passphrase !== null)
      report('--recipient and --passphrase-file are both given; give one');
    return { folder: readFolder(words, report), keep, recipient, passphrase, withoutFiles };
  });

/** Reads what a restore needs from the arguments, and the configuration of the service. */
export const loadRestore = (sources: Sources) =>
  loadSettings(sources, RESTORE_OPTIONS, ({ words, options }, report) => ({
    folder: readFolder(words, report),
    name: options.backup,
    identities: options['identity-file'],
    passphrase: options['passphrase-file'],
    withoutFiles: options['without-files'],
  }));

function readFolder([folder, ...more]: readonly string[], report: Report): string {
  for (const word of more)
    report(`unexpected argument ${quote(word)}; quote the name of a folder that has spaces`);
  if (folder === undefined || !parseDirectory(folder).ok)
    report('the folder of the backups is missing; write its path, such as /var/backups/postern');
  return folder ?? '';
}
