import type { AttemptEntry, ChangeEntry } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';

/** An entry, which has its place in the history by its number: clocks of instances differ. */
type Moment = Pick<Entry, 'number' | 'at'>;

/** What a history says of one recipient: the first mail, the first and the last request for a code, the first opening. */
type Steps = {
  address: string;
  sent?: Moment;
  firstAsked?: Moment;
  lastAsked?: Moment;
  opened?: Moment;
};

/** `isRemoved`: the link named the recipient, and no longer does. */
export type RecipientSteps = Steps & { isRemoved: boolean };

/** What some entries say of recipients, in a form that threads can pass on. */
export type CollectedRecipients = {
  recipients: Map<string, Steps>;
  mailed: Map<string, Moment>;
  newest: { number: number; addresses: string[] } | undefined;
};

/** Collects the recipients that any number of entries name, in any order. */
export function createRecipientReader() {
  let recipients = new Map<string, Steps>();
  let mailed = new Map<string, Moment>();
  let newest: CollectedRecipients['newest'];
  const find = (address: string): Steps => {
    const known = recipients.get(keyOf(address)) ?? { address };
    recipients.set(keyOf(address), known);
    return known;
  };
  const addChange = (entry: ChangeEntry): void => {
    const { mailedTo, verifiedRecipients } = entry.details;
    if (typeof mailedTo === 'string')
      mailed.set(keyOf(mailedTo), earlier(mailed.get(keyOf(mailedTo)), entry));
    if (verifiedRecipients === undefined) return;
    const isChange = typeof verifiedRecipients === 'object' && verifiedRecipients !== null;
    const addresses = toAddresses(isChange ? verifiedRecipients.new : verifiedRecipients);
    for (const address of [...toAddresses(isChange && verifiedRecipients.old), ...addresses]) find(address);
    if (entry.number > (newest?.number ?? 0)) newest = { number: entry.number, addresses };
  };
  return {
    add(entry: Entry): void {
      if (entry.kind !== 'ATTEMPT') addChange(entry);
      else if (entry.recipientAddress !== undefined) addAttempt(find(entry.recipientAddress), entry);
    },
    /** Returns what the entries so far say, and forgets it. */
    take(): CollectedRecipients {
      const taken = { recipients, mailed, newest };
      [recipients, mailed, newest] = [new Map(), new Map(), undefined];
      return taken;
    },
    /** Adds what other entries say. */
    merge(other: CollectedRecipients): void {
      for (const steps of other.recipients.values()) mergeSteps(find(steps.address), steps);
      for (const [key, moment] of other.mailed) mailed.set(key, earlier(mailed.get(key), moment));
      if (other.newest && other.newest.number > (newest?.number ?? 0)) newest = other.newest;
    },
    /** @param named the addresses that the link names now; without them, those of the newest entry that has some */
    read(named: readonly string[] | undefined = newest?.addresses): RecipientSteps[] {
      for (const address of named ?? []) find(address);
      const keys = named && new Set(named.map(keyOf));
      return [...recipients].map(([key, steps]) => {
        const sent = mailed.get(key);
        return { ...steps, ...(sent && { sent }), isRemoved: keys?.has(key) === false };
      });
    },
  };
}

/** The case of a letter makes no other mailbox. */
const keyOf = (address: string): string => address.toLowerCase();

/** Returns the addresses in the value of an entry. */
const toAddresses = (value: unknown): string[] =>
  typeof value === 'string' && value !== '' ? value.split(',') : [];

const earlier = (known: Moment | undefined, { number, at }: Moment): Moment =>
  known === undefined || number < known.number ? { number, at } : known;

function addAttempt(steps: Steps, entry: AttemptEntry): void {
  if (entry.result === 'SUCCESS') steps.opened = earlier(steps.opened, entry);
  if (entry.result !== 'RECIPIENT_REQUIRED') return;
  steps.firstAsked = earlier(steps.firstAsked, entry);
  if (entry.number > (steps.lastAsked?.number ?? 0)) steps.lastAsked = { number: entry.number, at: entry.at };
}

function mergeSteps(steps: Steps, { firstAsked, lastAsked, opened }: Steps): void {
  if (firstAsked) steps.firstAsked = earlier(steps.firstAsked, firstAsked);
  if (lastAsked && lastAsked.number > (steps.lastAsked?.number ?? 0)) steps.lastAsked = lastAsked;
  if (opened) steps.opened = earlier(steps.opened, opened);
}

/** The steps of a recipient, in their order. */
export type Step = 'sent' | 'asked' | 'opened';

/**
 * Returns the known steps of a recipient with their times: the last request for a code of one who did not open the link,
 * otherwise the first one before the opening.
 */
export function listSteps({ sent, firstAsked, lastAsked, opened }: Steps): [Step, at: string][] {
  const asked = opened ? firstAsked : lastAsked;
  const isBefore = !opened || (asked && asked.number < opened.number);
  const steps: [Step, Moment | undefined][] = [
    ['sent', sent],
    ['asked', isBefore ? asked : undefined],
    ['opened', opened],
  ];
  return steps.flatMap(([step, moment]) => (moment ? [[step, moment.at]] : []));
}
