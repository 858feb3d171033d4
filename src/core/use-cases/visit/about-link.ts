import {
  type EpochMs,
  type FilePartInfo,
  type FileRequest,
  isShownText,
  type LinkDefinition,
} from '../../model/link.ts';
import type { LinkType } from '../../model/link-type.ts';
import { type ShownHost, toShownHost } from '../../model/shown-host.ts';
import type { LinkStore } from '../../ports/ports.ts';
import { type ShownFile, toShownFile } from '../change/describe-link.ts';

/**
 * The part of a link that the confirmation page shows: of a target URL only its host. `viewsLeft` is null without a limit.
 * `confirm`: the creator wants the visitor to see it before the link opens, such as a `message`. `isText`: the file is shown as a text.
 * `hasPassword`: files are sent with it, too.
 */
export type AboutLink = {
  confirm: boolean;
  message: string | null;
  type: LinkType;
  isText: boolean;
  host: ShownHost | null;
  file: ShownFile | null;
  request: FileRequest | null;
  hasPassword: boolean;
  /** The files of a set. */
  files: readonly FilePartInfo[] | undefined;
  viewsLeft: number | null;
  expiresAt: EpochMs | null;
};

/** Reads the facts of a confirmation page. The views left are not negative: no limit is below the views so far. */
export async function readAboutLink(
  links: LinkStore,
  { shortCode, target, terms, passwordHash }: LinkDefinition,
  { files, viewCount }: { files: AboutLink['files']; viewCount: number },
): Promise<{ kind: 'CONFIRM'; verdict: 'SUCCESS'; about: AboutLink }> {
  const { maxViews = null, expiresAt = null } = (await links.read(shortCode)) ?? {};
  const { confirm, message } = terms;
  const about = {
    ...{ confirm: confirm || message !== null, message, type: target.type, files, expiresAt },
    isText: target.type === 'DOWNLOAD' && isShownText(target.file),
    host: target.type === 'REDIRECT' ? toShownHost(target.url) : null,
    file: toShownFile(target),
    request: target.type === 'REQUEST' ? target.request : null,
    hasPassword: passwordHash !== null,
    viewsLeft: maxViews === null ? null : maxViews - viewCount,
  };
  return { kind: 'CONFIRM', verdict: 'SUCCESS', about };
}
