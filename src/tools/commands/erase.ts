import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { toPlainAddress } from '../../core/model/ip-address.ts';
import { type Erasable, erase } from '../../core/use-cases/change/erase.ts';
import { notifiedLinksOf, toSubscriptions } from '../../core/use-cases/notify/settings.ts';
import { newIdAndSalt } from '../../service/compose-use-cases.ts';
import { type Config, describeDatabase } from '../../service/config/config.ts';
import { openLinkStore } from '../../service/open-stores.ts';
import type { Store } from '../../stores/store.ts';
import { defineCommand, loadWith } from './command.ts';
import { print, printNote } from './terminal.ts';

const OPTIONS = {
  ip: { type: 'string', value: 'ADDRESS', help: 'The entries of this client address, attempts and changes' },
  link: { type: 'string', value: 'CODE', help: 'The entries of a link, and its terms for people' },
  recipient: { type: 'string', value: 'NAME', help: 'The same of all links with this recipient' },
  'dry-run': { type: 'boolean', help: 'Only prints what it would erase' },
  yes: { type: 'boolean', help: 'Does not ask' },
} as const;

type Settings = { config: Config; flags: ReadonlyMap<string, string> };

async function run({ config, flags }: Settings): Promise<undefined> {
  const store = await openLinkStore(config);
  try {
    const erasable = await findErasable(store, flags);
    const notifiedLinks = notifiedLinksOf(toSubscriptions(config.webhooks, config.mail), ['link.changed']);
    const ids = { newIdAndSalt, newKey: randomUUID };
    const parts = { links: store, ...store, clock: Date.now, ...ids, notifiedLinks };
    const author = userInfo().username;
    const describe = ({ entries, terms }: Awaited<ReturnType<typeof erase>>) =>
      `${entries} entries${'shortCodes' in erasable ? ` and the terms of ${terms} links` : ''}`;
    const found = await erase(parts, erasable, { author, isDryRun: true });
    if (found.entries + found.terms === 0) {
      if (!flags.has('dry-run') && (await completeErasure(store))) return;
      throw new Error('nothing to erase was found; check the spelling, unless it was erased before');
    }
    print(`Found ${describe(found)} in ${describeDatabase(config.database)}.\n`);
    if (flags.has('dry-run')) return;
    if (!flags.has('yes')) await confirm();
    print(`Erased ${describe(await erase(parts, erasable, { author }))}.\n`);
  } finally {
    await store.close();
  }
}

/** Completes an erasure that was interrupted after its last entry. Returns false if there was none. */
async function completeErasure({ erasures }: Store): Promise<boolean> {
  if (!(await erasures.updateOrigins())) return false;
  while (await erasures.updateOrigins());
  print('Completed an earlier erasure. Nothing else to erase was found.\n');
  return true;
}

async function findErasable({ erasures }: Store, flags: Settings['flags']): Promise<Erasable> {
  const given = [...flags].filter(([name]) => /^(ip|link|recipient)$/.test(name));
  const [[flag, value] = ['', '']] = given;
  const ipAddress = flag === 'ip' ? toPlainAddress(value) : null;
  if (given.length > 1 || value === '' || (flag === 'ip' && ipAddress === null))
    throw new Error('set one of --ip, --link and --recipient, such as --ip=203.0.113.7');
  if (ipAddress !== null) return { kind: 'IP', ipAddress };
  if (flag === 'link') return { kind: 'LINK', shortCodes: [value] };
  return { kind: 'RECIPIENT', shortCodes: await erasures.findRecipientLinks(value) };
}

async function confirm(): Promise<void> {
  printNote('This cannot be undone. Type yes to erase them: ');
  for await (const line of createInterface({ input: process.stdin })) if (line === 'yes') return;
  throw new Error('not confirmed, so nothing was erased; type yes, or add --yes');
}

export const command = defineCommand({
  details:
    'Results, times, statistics and the proof of histories stay. The service may be running. After an interruption, run it\n' +
    'again. Backups and logs keep what they have.',
  options: OPTIONS,
  examples: ['postern erase --ip=203.0.113.7 --dry-run', 'postern erase --recipient="Jane Doe"'],
  failure: 'The erasure failed:',
  load: loadWith(OPTIONS),
  run,
});
