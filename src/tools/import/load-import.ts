import { IMPORT_RULES } from '../../core/rules/import-rules.ts';
import { loadSettings, type Report } from '../../service/config/load-settings.ts';
import { type Arguments, describeUnknown } from '../../service/config/read-flags.ts';
import { quote, type Sources } from '../../service/config/read-property.ts';
import { PRODUCTS, type ProductName } from './products.ts';

/** The settings of an import, besides the configuration of the service. */
export type ImportSettings = {
  from: ProductName;
  file: string;
  isDryRun: boolean;
  onConflict: 'skip' | 'fail';
  withRefusal: 'pause' | 'skip';
  allowsBlocked: boolean;
  timeZone: string;
  /** The file that receives a line for each link. */
  reportPath: string | null;
};

export const IMPORT_OPTIONS = {
  'dry-run': { type: 'boolean', help: 'Writes nothing to the store, and prints the same report' },
  report: { type: 'string', value: 'FILE.csv', help: 'Writes a new file with a line for each link' },
  'on-conflict': {
    type: 'string',
    value: 'skip|fail',
    help: 'A short code that leads elsewhere: skip the link (default), or stop there',
  },
  'with-password': {
    type: 'string',
    value: 'pause|skip',
    help: 'A link with an unknown password, or banned: import it paused (default), or skip it',
  },
  'allow-blocked': { type: 'boolean', help: 'Imports targets on the hosts of app.links.blocked-hosts, too' },
  timezone: {
    type: 'string',
    value: 'ZONE',
    help: 'Of times without an offset, such as Europe/Berlin; default: UTC',
  },
} as const;

/** Reads what to import from the arguments, and the configuration of the service. */
export function loadImport(sources: Sources) {
  return loadSettings(sources, IMPORT_OPTIONS, readSettings);
}

function readSettings({ flags, words }: Arguments, report: Report): ImportSettings | undefined {
  const [source, file, ...more] = words;
  for (const word of more)
    report(`unexpected argument ${quote(word)}; quote the name of a file that has spaces`);
  const from = PRODUCTS.find((name) => name === source);
  if (!from) report(describeUnknown('source', source, PRODUCTS, 'and the name of the file; see --help'));
  else if (file === undefined)
    report(`${from} needs the name of the file, such as ${from} links.json; see --help`);
  const onConflict = readChoice('on-conflict', ['skip', 'fail'], flags, report);
  const withRefusal = readChoice('with-password', ['pause', 'skip'], flags, report);
  const timeZone = readTimeZone(flags.get('timezone') ?? 'UTC', report);
  const reportPath = flags.get('report') ?? null;
  if (reportPath === '') report('--report needs the name of a new file');
  if (!from || file === undefined) return undefined;
  return {
    ...{ from, file, onConflict, withRefusal, timeZone, reportPath },
    isDryRun: flags.has('dry-run'),
    allowsBlocked: flags.has('allow-blocked'),
  };
}

/** Returns the first choice where the flag is not given. */
function readChoice<Choice extends string>(
  flag: keyof typeof IMPORT_OPTIONS,
  choices: readonly [Choice, ...Choice[]],
  flags: ReadonlyMap<string, string>,
  report: Report,
): Choice {
  const text = flags.get(flag);
  const found = choices.find((choice) => choice === text);
  if (text !== undefined && found === undefined)
    report(`--${flag} ${quote(text)} must be ${choices.join(' or ')}`);
  return found ?? choices[0];
}

function readTimeZone(text: string, report: Report): string {
  const parsed = IMPORT_RULES.timeZone(text);
  if (parsed.ok) return parsed.value;
  report(`--timezone ${quote(text)} ${parsed.error.text}`);
  return 'UTC';
}
