import type { LinkDescription } from './contract.ts';
import { type LinkReference, tokenHeader } from './links.ts';
import type { Outcome } from './outcome.ts';
import { type Reply, request, toDocument } from './requests.ts';

/** A link with its entity tag. A change names the tag, so that it does not overwrite a change of another user. */
export type TaggedLink = {
  link: LinkDescription;
  entityTag: string | null;
  /** Only in the response to a change of the webhook, unless that removed it. */
  webhookSecret: string | null;
};

/** The terms to change. Null removes a term, and a missing one stays as it is. */
export type LinkPatch = {
  targetUrl?: string;
  startsAt?: string | null;
  expiresAt?: string | null;
  /** Text that is not a number is sent as typed: the API returns an error that explains it. */
  maxViews?: number | string | null;
  password?: string | null;
  confirm?: boolean;
  paused?: boolean;
  label?: string | null;
  note?: string | null;
  tags?: string[];
  recipient?: string | null;
  notifyUrl?: string | null;
  notifyEmail?: string | null;
};

/** The link has changed since its entity tag was read. */
export const PRECONDITION_FAILED = 412;

export async function readTaggedLink({ shortCode, token }: LinkReference): Promise<Outcome<TaggedLink>> {
  return toTaggedLink(await request(pathOf(shortCode), { headers: tokenHeader(token) }));
}

/** Changes a link, with an entity tag only if it is still in that version. */
export async function changeLink(
  { shortCode, token }: LinkReference,
  patch: LinkPatch,
  entityTag: string | null,
): Promise<Outcome<TaggedLink>> {
  const headers = {
    'content-type': 'application/merge-patch+json',
    ...tokenHeader(token),
    ...(entityTag !== null && { 'if-match': entityTag }),
  };
  return toTaggedLink(
    await request(pathOf(shortCode), { method: 'PATCH', headers, body: JSON.stringify(patch) }),
  );
}

function pathOf(shortCode: string): string {
  return `api/links/${encodeURIComponent(shortCode)}`;
}

function toTaggedLink(outcome: Outcome<Reply>): Outcome<TaggedLink> {
  if (outcome.kind !== 'DONE') return outcome;
  const { body, entityTag, webhookSecret } = outcome.value;
  const link = toDocument<LinkDescription>(body);
  if (link.kind !== 'DONE') return link;
  return { kind: 'DONE', value: { link: link.value, entityTag, webhookSecret } };
}
