import type { LinkDescription } from './contract.ts';
import {
  changeLink,
  type LinkReference,
  PRECONDITION_FAILED,
  readTaggedLink,
  type TypedPatch,
} from './links.ts';
import type { Outcome } from './outcome.ts';

// Changes of many links, a request each: a few at once, so that other requests of the page still get through.

const MAX_PARALLEL = 4;
/** Between the reading of a link and its change, a visitor may open it. */
const MAX_TRIES = 3;

type Terms = Pick<TypedPatch, 'expiresAt' | 'tags' | 'paused' | 'owner' | 'team'>;

/** Returns what to change of a link, or null for a link that stays as it is. */
export type ToPatch = (link: LinkDescription) => Terms | null;

/** The terms of a link as a change has set them, and what they were before. */
export type ChangedLink = { shortCode: string; set: Terms; former: Terms };
type Failure = Exclude<Outcome<never>, { kind: 'DONE' }>;

/** The result for a link: null when it stayed as it is. */
export type ChangeResult =
  | { ok: true; link: LinkDescription; changed: ChangedLink | null }
  | { ok: false; failure: Failure };

/** Changes links, and reports the result of each as soon as it is there. */
export async function changeLinks(
  links: LinkReference[],
  toPatch: ToPatch,
  onResult: (shortCode: string, result: ChangeResult) => void,
): Promise<void> {
  const waiting = [...links];
  const work = async (): Promise<void> => {
    for (let link = waiting.shift(); link; link = waiting.shift()) {
      onResult(link.shortCode, await changeOne(link, toPatch));
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL }, work));
}

async function changeOne(reference: LinkReference, toPatch: ToPatch, tries = 1): Promise<ChangeResult> {
  const read = await readTaggedLink(reference);
  if (read.kind !== 'DONE') return { ok: false, failure: read };
  const { link, entityTag } = read.value;
  const patch = toPatch(link);
  if (!patch) return { ok: true, link, changed: null };
  const sent = await changeLink(reference, patch, entityTag);
  if (sent.kind === 'DONE') {
    const { link: latest } = sent.value;
    const { shortCode } = reference;
    const changed = { shortCode, set: termsOf(latest, patch), former: termsOf(link, patch) };
    return { ok: true, link: latest, changed };
  }
  const isOvertaken = sent.kind === 'REFUSED' && sent.status === PRECONDITION_FAILED;
  if (isOvertaken && tries < MAX_TRIES) return changeOne(reference, toPatch, tries + 1);
  return { ok: false, failure: sent };
}

/** Returns what a link has of the terms that a patch names. */
function termsOf({ expiresAt, tags = [], state, team = null }: LinkDescription, patch: Terms): Terms {
  return {
    ...('expiresAt' in patch && { expiresAt }),
    ...('tags' in patch && { tags }),
    ...('paused' in patch && { paused: state === 'PAUSED' }),
    ...('owner' in patch && { owner: patch.owner }),
    ...('team' in patch && { team }),
  };
}

/** Returns a function that restores changed links, except those whose terms have been changed again. */
export function toUndo(changed: ChangedLink[]): ToPatch {
  const byCode = new Map(changed.map((each) => [each.shortCode, each]));
  return (link) => {
    const { set, former } = byCode.get(link.shortCode) ?? {};
    return set && former && JSON.stringify(termsOf(link, set)) === JSON.stringify(set) ? former : null;
  };
}

// What can be done with many links at once.

/** Returns nothing for links that cannot be opened: a pause would have no effect. */
export const pause = ({ state }: Pick<LinkDescription, 'state'>): Terms | null =>
  state === 'ACTIVE' || state === 'SCHEDULED' ? { paused: true } : null;

export const resume: ToPatch = ({ state }) => (state === 'PAUSED' ? { paused: false } : null);

/** Extends the lifetime of links. An expired link counts from now on; one without an end stays as it is. */
export function extendBy(ms: number, now: number): ToPatch {
  return ({ expiresAt }) =>
    expiresAt === null
      ? null
      : { expiresAt: new Date(Math.max(now, Date.parse(expiresAt)) + ms).toISOString() };
}

export function addTag(tag: string): ToPatch {
  return ({ tags = [] }) => (tags.includes(tag) ? null : { tags: [...tags, tag] });
}

export function removeTag(tag: string): ToPatch {
  return ({ tags = [] }) => (tags.includes(tag) ? { tags: tags.filter((each) => each !== tag) } : null);
}

/** Returns a change of the owner to an active person. */
export function handOver(name: string): ToPatch {
  return ({ owner }) => (owner?.kind === 'USER' && owner.name === name ? null : { owner: name });
}

/** Returns a change that shares links with a team, or with none. */
export function shareWith(wanted: string | null): ToPatch {
  return ({ team = null }) => (team === wanted ? null : { team: wanted });
}
