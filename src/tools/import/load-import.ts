import { oneOf, type Parser, refuse } from '../../core/config/parsers.ts';
import { accept } from '../../core/model/parsed.ts';
import { IMPORT_RULES } from '../../core/rules/import-rules.ts';
import { type Given, type LoadedBy, loadSettings, type Report } from '../../service/config/load-settings.ts';
import { describeUnknown } from '../../service/config/read-flags.ts';
import { quote, type Sources } from '../../service/config/read-property.ts';
import { PRODUCTS } from './products.ts';

const parseNewFile: Parser<string> = (text) =>
  text === '' ? refuse('must be the name of a new file') : accept(text);

const parseTimeZone: Parser<string> = (text) => {
  const parsed = IMPORT_RULES.timeZone(text);
  return parsed.ok ? parsed : refuse(parsed.error.text);
};

export const IMPORT_OPTIONS = {
  'dry-run': { type: 'boolean', help: 'Writes nothing to the store, and prints the same report' },
  report: {
    type: 'string',
    value: 'FILE.csv',
    help: 'Writes a new file with a line for each link',
    parse: parseNewFile,
  },
  'on-conflict': {
    type: 'string',
    value: 'skip|fail',
    help: 'A short code that leads elsewhere: skip the link (default), or stop after at most 499 more',
    parse: oneOf(['skip', 'fail']),
  },
  'with-password': {
    type: 'string',
    value: 'pause|skip',
    help: 'A link with an unknown password, banned or deleted: import it paused (default), or skip it',
    parse: oneOf(['pause', 'skip']),
  },
  'allow-blocked': { type: 'boolean', help: 'Imports targets on the hosts of app.links.blocked-hosts, too' },
  timezone: {
    type: 'string',
    value: 'ZONE',
    help: 'Of times without an offset, such as Europe/Berlin; default: UTC',
    parse: parseTimeZone,
  },
} as const;

/** The settings of an import. `reportPath`: the file that receives a line for each link. */
export type ImportSettings = LoadedBy<typeof loadImport>['settings'];

/** Reads what to import from the arguments, and the configuration of the service. */
export function loadImport(sources: Sources) {
  return loadSettings(sources, IMPORT_OPTIONS, readSettings);
}

function readSettings({ words, options }: Given<typeof IMPORT_OPTIONS>, report: Report) {
  const [source, file, ...more] = words;
  for (const word of more)
    report(`unexpected argument ${quote(word)}; quote the name of a file that has spaces`);
  const from = PRODUCTS.find((name) => name === source);
  if (!from) report(describeUnknown('source', source, PRODUCTS, 'and the name of the file; see --help'));
  else if (file === undefined)
    report(`${from} needs the name of the file, such as ${from} links.json; see --help`);
  if (!from || file === undefined) return undefined;
  return {
    ...{ from, file, reportPath: options.report, isDryRun: options['dry-run'] },
    onConflict: options['on-conflict'] ?? 'skip',
    withRefusal: options['with-password'] ?? 'pause',
    allowsBlocked: options['allow-blocked'],
    timeZone: options.timezone ?? 'UTC',
  };
}
