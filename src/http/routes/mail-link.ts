import { Type } from 'typebox';
import { isGuarded, isShownText, type Link, shownStateAt } from '../../core/model/link.ts';
import { accept } from '../../core/model/parsed.ts';
import { refused } from '../../core/model/refusal.ts';
import { parseEmail } from '../../core/rules/people-bodies.ts';
import { findRecipient } from '../../core/rules/verified-recipients.ts';
import type { LinkMailPayload } from '../../core/use-cases/notify/payload.ts';
import { mayMailLinks } from '../../core/use-cases/notify/settings.ts';
import { findDisplayName } from '../../core/use-cases/people/display-names.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { prepareLimitChanges } from '../limit-requests.ts';
import { readLanguage } from '../pages/visitor.ts';
import { titled } from '../schemas.ts';
import { CHANGE, toReturned } from './change-link.ts';

const Recipient = titled('MailRecipient', { email: Type.String({ format: 'email', maxLength: 254 }) });

/** The endpoint that mails a link. */
export const mailLinkEndpoints = (deps: HttpDependencies): Endpoint[] => [
  endpoint('POST /api/links/:shortCode/mail', 'Mail a link to its recipient', {
    ...CHANGE,
    description:
      'The service sends the mail in the name of the person who has signed in, in the language of Accept-Language. It has the ' +
      'address and the limits of the link, and neither its password nor the key of what is encrypted. The history says to whom.',
    takes: { schema: Recipient, read: ({ email }) => parseEmail(email ?? '') },
    before: [prepareLimitChanges(deps, 'mails')],
    refuses: ['mails-no-links', 'not-found', 'revoked', 'ended'],
    async run({ path: { shortCode }, body: to, request }) {
      const { caller, author } = request;
      if (caller.kind !== 'USER' || !mayMailLinks(deps.config.mail, caller)) return refused('mails-no-links');
      const link = await deps.stores.read(shortCode);
      if (!link) return refused('not-found');
      const state = shownStateAt(link, deps.clock());
      if (state === 'USED_UP' || state === 'EXPIRED') return refused('ended');
      const displayName = await findDisplayName(deps.stores.people, caller.name);
      const sender = { name: displayName ?? caller.name, email: caller.email ?? null };
      const sent = { to: to ?? '', ...sender, url: deps.addresses.urlOf(link) };
      const payload = JSON.stringify(toPayload(link, sent));
      const mail = { to: sent.to, language: readLanguage(request.headers['accept-language']), payload };
      const requested = { patch: { mail }, versions: null };
      const outcome = toReturned(await deps.useCases.changeLink(request.id, shortCode, requested, author));
      return outcome.ok ? accept(undefined) : outcome;
    },
  }),
];

/** Returns how a mail may name what a link leads to: as all who have the link read it, or the recipient who proves the mailbox. */
function toShownNames(
  link: Link,
  to: string,
): Pick<LinkMailPayload, 'fileName' | 'isSet' | 'content' | 'requestMessage'> {
  const { target, passwordHash, terms } = link;
  if (passwordHash !== null) return {};
  const isNamed = !isGuarded(link) || findRecipient(terms.verifiedRecipients, to) !== undefined;
  if (target.type === 'REQUEST') return isNamed ? { requestMessage: target.request.message } : {};
  if (target.type !== 'DOWNLOAD') return {};
  const { fileName, traits } = target.file;
  if (traits?.encrypted) return {};
  if (isShownText(target.file)) return { content: 'TEXT' };
  const isSet = traits?.fileCount !== undefined;
  return isNamed ? { fileName, ...(isSet && { isSet }) } : { content: isSet ? 'FILES' : 'FILE' };
}

/** Returns what the mail says: nothing that only the password or a key shows, and no label, which is for the sender. */
function toPayload(
  link: Link,
  { to, name, email, url }: { to: string; name: string; email: string | null; url: string },
): LinkMailPayload {
  const { target, startsAt, expiresAt, maxViews, viewCount, passwordHash, terms } = link;
  return {
    ...{ url, sender: name, replyTo: email, startsAt, expiresAt },
    isRequest: target.type === 'REQUEST',
    ...toShownNames(link, to),
    viewsLeft: maxViews === null ? null : maxViews - viewCount,
    isProtected: passwordHash !== null,
    needsCode: terms.verifiedRecipients.length > 0,
    isEncrypted: target.type === 'DOWNLOAD' && target.file.traits?.encrypted === true,
  };
}
