import type { EpochMs } from '../../model/link.ts';
import { accept } from '../../model/parsed.ts';
import type { Actor } from '../../model/people/caller.ts';
import { personStateOf } from '../../model/people/decide-person-change.ts';
import { hashSecret } from '../../model/people/hash-secret.ts';
import { mayGrant, withLinks } from '../../model/people/may-grant.ts';
import { passwordPageOf, scopesOf } from '../../model/people/person.ts';
import { toPersonName, toSignInName } from '../../model/people/person-name.ts';
import { type Outcome, refused } from '../../model/refusal.ts';
import type { Delivery } from '../../ports/notifications.ts';
import type { PersonStore } from '../../ports/people.ts';
import type { Clock } from '../../ports/ports.ts';
import { findDisplayName } from './display-names.ts';

/** A mail with the link with which a person sets a password. It is in memory alone, so that no database has the secret. */
export type InvitationMail = {
  address: string;
  url: string;
  /** The name with which the person signs in. */
  name: string;
  /** The administrator who sends it; null for a program. */
  sender: string | null;
  service: string;
  /** False for a person who has signed in before. */
  isNew: boolean;
  expiresAt: EpochMs;
  language: string;
  at: EpochMs;
};

export type SendInvitation = (mail: InvitationMail, signal: AbortSignal) => Promise<Delivery>;

/** What the mail has besides the facts of the person. `token`: the secret of the link, which was made before. */
type Given = Pick<InvitationMail, 'service' | 'language'> & { name: string; token: string };

type Parts = {
  people: PersonStore;
  /** Undefined where the service sends no mails. */
  send: SendInvitation | undefined;
  baseUrl: string;
  clock: Clock;
};

/**
 * Prepares mailing a password link to its person, as an administrator asks for who may make such a link. Resolves when the
 * mail server has taken the mail, or has not.
 */
export function prepareMailInvitation({ people, send, baseUrl, clock }: Parts) {
  return async (
    { name: sent, token, service, language }: Given,
    { caller }: Pick<Actor, 'caller'>,
    signal: AbortSignal,
  ): Promise<Outcome<{ name: string; delivery: Delivery }>> => {
    const person = await people.findPerson(toPersonName(sent));
    if (!person) return refused('person-not-found');
    if (!mayGrant(caller, withLinks(scopesOf(person)))) return refused('cannot-grant');
    const { email, link, name } = person;
    if (!send || email === null) return refused('mails-no-invitations');
    const at = clock();
    if (
      link === null ||
      link.hash !== hashSecret(token) ||
      at >= link.expiresAt ||
      person.deactivatedAt !== null
    )
      return refused('password-link-ended');
    const sender = caller.kind === 'USER' ? caller.name : null;
    const mail = {
      ...{ address: email, service, language, at, expiresAt: link.expiresAt },
      url: passwordPageOf(baseUrl, token),
      name: toSignInName(person),
      sender: sender && ((await findDisplayName(people, sender)) ?? sender),
      isNew: personStateOf(person) === 'INVITED',
    };
    return accept({ name, delivery: await send(mail, signal) });
  };
}
