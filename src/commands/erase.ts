import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { newIdAndSalt } from '../compose-use-cases.ts';
import { type Config, describeDatabase } from '../config/config.ts';
import { type Erasable, erase } from '../links/erase.ts';
import { toPlainAddress } from '../links/ip-address.ts';
import { openLinkStore } from '../open-stores.ts';
import type { Store } from '../stores/store.ts';
import { defineCommand, loadWith } from './command.ts';

const OPTIONS = {
  ip: { type: 'string', value: 'ADDRESS', help: 'The entries of this client address, attempts and changes' },
  link: { type: 'string', value: 'CODE', help: 'A link: its terms for people, and its entries' },
  recipient: { type: 'string', value: 'NAME', help: 'The same of all links that have this recipient' },
  'dry-run': { type: 'boolean', help: 'Erases nothing, and prints what it would erase' },
  yes: { type: 'boolean', help: 'Does not ask' },
} as const;

type Settings = { config: Config; flags: ReadonlyMap<string, string> };

async function run({ config, flags }: Settings): Promise<undefined> {
  const store = await openLinkStore(config);
  try {
    const erasable = await findErasable(store, flags);
    const parts = { links: store, erasures: store.erasures, clock: Date.now, newIdAndSalt };
    const options = { author: userInfo().username, newKey: () => randomBytes(16).toString('hex') };
    const count = await erase(parts, erasable, { ...options, isDryRun: true });
    const links = 'shortCodes' in erasable ? `, and the terms of ${erasable.shortCodes.join(', ')}` : '';
    process.stdout.write(
      `Found in ${describeDatabase(config.database)}: personal fields of ${count} entries${links}.\n`,
    );
    if (flags.has('dry-run')) return;
    if (!flags.has('yes')) await confirm();
    process.stdout.write(`Erased those of ${await erase(parts, erasable, options)} entries${links}.\n`);
  } finally {
    await store.close();
  }
}

async function findErasable(store: Store, flags: Settings['flags']): Promise<Erasable> {
  const given = (['ip', 'link', 'recipient'] as const).filter((flag) => flags.get(flag));
  const [flag] = given;
  if (!flag || given.length > 1)
    throw new Error('set one of --ip, --link and --recipient, such as --ip=203.0.113.7');
  const value = flags.get(flag) ?? '';
  if (flag === 'ip') {
    const ipAddress = toPlainAddress(value);
    if (ipAddress === null) throw new Error(`--ip ${value} must be an IP address`);
    return { kind: 'IP', ipAddress };
  }
  if (flag === 'link' && (await store.read(value))) return { kind: 'LINK', shortCodes: [value] };
  const shortCodes = flag === 'link' ? [] : await store.erasures.findRecipientLinks(value);
  if (shortCodes.length > 0) return { kind: 'RECIPIENT', shortCodes };
  throw new Error(`there is no link for --${flag}=${value}; look for it in the list of links`);
}

async function confirm(): Promise<void> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  if ((await lines.question('This cannot be undone. Type yes to erase them: ')) !== 'yes')
    throw new Error('not confirmed, so nothing was erased; type yes, or add --yes');
}

export const command = defineCommand({
  details:
    'Addresses, user agents, names and texts, for good. Results, times, statistics and the proof of histories stay. The\n' +
    'service may be running. After an interruption, run it again. Backups and logs keep what they have.',
  options: OPTIONS,
  examples: ['postern erase --ip=203.0.113.7 --dry-run', 'postern erase --recipient="Jane Doe"'],
  failure: 'The erasure failed:',
  load: loadWith(OPTIONS),
  run,
});
