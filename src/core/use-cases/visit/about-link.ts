import {
  type EpochMs,
  type FilePartInfo,
  type FileRequest,
  isShownText,
  type Link,
  type LinkDefinition,
} from '../../model/link.ts';
import type { LinkType } from '../../model/link-type.ts';
import { parseOwner } from '../../model/owner.ts';
import { toSignInName } from '../../model/people/person-name.ts';
import { type ShownHost, toShownHost } from '../../model/shown-host.ts';
import type { VisitTerms } from '../../model/terms.ts';
import type { LinkStore } from '../../ports/ports.ts';
import { type ShownFile, toShownFile } from '../change/describe-link.ts';
import { type DisplayNames, findDisplayName } from '../people/display-names.ts';

/**
 * What visitors read of the person who owns a link. `account`: the name with which that person signs in, as it was typed; null
 * where there is none. `senderName`: what the creator typed in, otherwise the display name of that person. `isReceived`: the
 * files arrived with a file request, so that they were sent to that person.
 */
export type Introduction = {
  senderName: string | null;
  message: string | null;
  account: string | null;
  isReceived: boolean;
};

/**
 * The part of a link that the confirmation page shows: of a target URL only its host. `viewsLeft` is null without a limit.
 * `confirm`: the creator wants the visitor to see it before the link opens, such as a `message`. `isText`: the file is shown as a text.
 * `hasPassword`: files are sent with it, too.
 */
export type AboutLink = Introduction & {
  confirm: boolean;
  type: LinkType;
  isText: boolean;
  host: ShownHost | null;
  file: ShownFile | null;
  request: FileRequest | null;
  hasPassword: boolean;
  /** True if it opens with a code by mail alone, which binds a download to one browser. */
  needsCode: boolean;
  /** The files of a set. */
  files: readonly FilePartInfo[] | undefined;
  viewsLeft: number | null;
  expiresAt: EpochMs | null;
};

type Stores = { links: LinkStore; people: DisplayNames };

/** Returns whether the creator wants visitors to see a page before the link opens. */
export const needsPage = ({ confirm, message, senderName }: VisitTerms): boolean =>
  confirm || message !== null || senderName !== null;

/** Returns what visitors read of who sends a link, whose owner may have changed since. */
export async function introduce(
  people: DisplayNames,
  { target, terms }: Pick<LinkDefinition, 'target' | 'terms'>,
  current: Pick<Link, 'owner' | 'requestCode'> | undefined,
): Promise<Introduction> {
  const { kind, name } = parseOwner(current?.owner ?? '');
  const user = kind === 'USER' ? name : null;
  const displayName = (user && (await findDisplayName(people, user))) || null;
  return {
    senderName: terms.senderName ?? displayName,
    message: target.type === 'REQUEST' ? target.request.message : terms.message,
    account: user && toSignInName({ name: user, displayName: displayName ?? user }),
    isReceived: current?.requestCode !== undefined && terms.senderName === null,
  };
}

/** Reads what visitors of a guarded link may read before they type its password, or a code. */
export async function readIntroduction(
  { links, people }: Stores,
  link: LinkDefinition,
): Promise<Introduction | undefined> {
  return link.terms.shownBeforePassword
    ? introduce(people, link, await links.read(link.shortCode))
    : undefined;
}

/** Reads the facts of a confirmation page. The views left are not negative: no limit is below the views so far. */
export async function readAboutLink(
  { links, people }: Stores,
  { shortCode, target, terms, passwordHash }: LinkDefinition,
  { files, viewCount }: { files: AboutLink['files']; viewCount: number },
): Promise<{ kind: 'CONFIRM'; verdict: 'SUCCESS'; about: AboutLink }> {
  const current = await links.read(shortCode);
  const { maxViews = null, expiresAt = null } = current ?? {};
  const about = {
    ...(await introduce(people, { target, terms }, current)),
    ...{ confirm: needsPage(terms), type: target.type, files, expiresAt },
    isText: target.type === 'DOWNLOAD' && isShownText(target.file),
    host: target.type === 'REDIRECT' ? toShownHost(target.url) : null,
    file: toShownFile(target),
    request: target.type === 'REQUEST' ? target.request : null,
    hasPassword: passwordHash !== null,
    needsCode: terms.verifiedRecipients.length > 0,
    viewsLeft: maxViews === null ? null : maxViews - viewCount,
  };
  return { kind: 'CONFIRM', verdict: 'SUCCESS', about };
}
