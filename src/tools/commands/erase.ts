import { createInterface } from 'node:readline';
import { countOf } from '../../common/format.ts';
import { describeDatabase } from '../../common/locations.ts';
import { toPlainAddress } from '../../core/model/ip-address.ts';
import type { ErasureResult } from '../../http/routes/erasures-and-backups.ts';
import { type LoadedBy, loadSettings } from '../../service/config/load-settings.ts';
import { quote, type Sources } from '../../service/config/read-property.ts';
import { defineCommand } from './command.ts';
import { administrate } from './send-to-service.ts';
import { print, printNote } from './terminal.ts';

const OPTIONS = {
  ip: { type: 'string', value: 'ADDRESS', help: 'The entries of this client address, attempts and changes' },
  link: { type: 'string', value: 'CODE', help: 'The entries of a link, and its terms for people' },
  recipient: {
    type: 'string',
    value: 'NAME',
    help: 'The same of links with, mailed to or verified for this recipient',
  },
  'dry-run': { type: 'boolean', help: 'Only prints what it would erase' },
  yes: { type: 'boolean', help: 'Does not ask' },
} as const;

/** Reads what to erase: exactly one of the three. */
const load = (sources: Sources) =>
  loadSettings(
    sources,
    OPTIONS,
    ({ options: { ip, link, recipient, yes, 'dry-run': onlyPrints } }, report) => {
      const body = { ipAddress: ip ?? '', shortCode: link ?? '', recipient: recipient ?? '' };
      if (Object.values(body).filter((value) => value !== '').length !== 1)
        report('set one of --ip, --link and --recipient, such as --ip=203.0.113.7');
      else if (ip && toPlainAddress(ip) === null) report(`--ip: ${quote(ip)} must be an IP address`);
      return { body, yes, onlyPrints };
    },
    { takesWords: false },
  );
type Loaded = LoadedBy<typeof load>;

async function run({ config, settings }: Loaded): Promise<undefined> {
  const { body, yes, onlyPrints } = settings;
  const describe = ({ entries, links }: ErasureResult) =>
    countOf(entries, 'entry', 'entries') +
    (body.ipAddress === '' ? ` and the terms of ${countOf(links, 'link')}` : '');
  await administrate(config, { command: 'erase' }, async ({ send }) => {
    const erase = (isDryRun: boolean) =>
      send<ErasureResult>('POST', '/api/erasures', { ...body, isDryRun }, { isLong: true });
    const found = await erase(true);
    const isNothing = found.entries + found.links === 0;
    if (!isNothing) print(`Found ${describe(found)} in ${describeDatabase(config.database)}.\n`);
    if (onlyPrints && !isNothing) return;
    if (isNothing && (onlyPrints || (await erase(false)).hours === 0))
      throw new Error('nothing to erase was found; check the spelling, unless it was erased before');
    if (isNothing) return print('Completed an earlier erasure. Nothing else to erase was found.\n');
    if (!yes) await confirm();
    print(`Erased ${describe(await erase(false))}.\n`);
  });
}

async function confirm(): Promise<void> {
  printNote('This cannot be undone. Type yes to erase them: ');
  for await (const line of createInterface({ input: process.stdin })) if (line === 'yes') return;
  throw new Error('not confirmed, so nothing was erased; type yes, or add --yes');
}

export const command = defineCommand({
  details:
    'Results, times, counts of attempts and the proof of histories stay; statistics lose addresses, browsers and referring\n' +
    'hosts. Links with verified recipients are revoked. The service may be running. After an interruption, run it again.\n' +
    'Backups and logs keep what they have.',
  options: OPTIONS,
  examples: ['postern erase --ip=203.0.113.7 --dry-run', 'postern erase --recipient="Jane Doe"'],
  failure: 'The erasure failed:',
  load,
  run,
});
