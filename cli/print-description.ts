import type { FileRequest, LinkDescription, Owner } from '../client/client.ts';
import { PLAIN_NAMES, type PlainTerm } from '../src/core/model/terms.ts';
import { lastOpeningOf } from '../src/core/model/user-agent.ts';
import type { Field, Output } from './output.ts';
import { optionOf } from './terms.ts';
import { describeConfirmation, formatBytes, formatZonedTime } from './texts.ts';

/** Returns what a file request asks for. */
export const requestFields = ({
  message,
  maxFiles,
  maxBytes,
  recipientKey,
}: Partial<FileRequest>): Field[] => [
  ['Message', message],
  ['Files', maxFiles ? `at most ${maxFiles} at once` : null],
  ['Size', maxBytes ? `at most ${formatBytes(maxBytes)} at once` : null],
  ['Encrypted to', recipientKey],
];

/** Prints a link, as far as the service describes it to this client, and its version from the headers. */
export function printDescription(output: Output, link: LinkDescription, headers: Headers): void {
  const etag = headers.get('etag');
  const version = etag === null ? null : Number(etag.replaceAll('"', ''));
  const lastOpenedAt = lastOpeningOf(link);
  output.printRecord({ ...link, version }, [
    ['Link', link.accessUrl],
    ['State', link.state],
    ['Type', link.type === 'REQUEST' ? 'file request' : null],
    ...requestFields(link.request ?? {}),
    ['Target', link.targetUrl ?? link.file?.name],
    ['Files', link.file?.fileCount === undefined ? null : String(link.file.fileCount)],
    ['SHA-256', link.file?.fileCount === undefined ? link.file?.sha256 : null],
    ['Created', formatZonedTime(link.createdAt)],
    ['Starts', link.startsAt && formatZonedTime(link.startsAt)],
    ['Expires', link.expiresAt === null ? 'never' : formatZonedTime(link.expiresAt)],
    [
      link.type === 'REQUEST' ? 'Submissions' : 'Views',
      link.maxViews === null ? `${link.viewCount}, unlimited` : `${link.viewCount} of ${link.maxViews}`,
    ],
    ['Last opened', lastOpenedAt && formatZonedTime(lastOpenedAt)],
    ['Password', link.passwordProtected ? 'yes' : 'no'],
    ['Confirmation', describeConfirmation(link.confirm)],
    ['Owner', link.owner && describeOwner(link.owner)],
    ['Team', link.team],
    ...PLAIN_NAMES.filter((name) => name !== 'confirm').map((name) => toField(name, link)),
    ['Fingerprint', link.fingerprint],
    ['Version', version === null ? null : String(version)],
  ]);
}

const describeOwner = ({ kind, name }: Owner): string =>
  name === null ? 'none' : `${name} (${kind.toLowerCase()})`;

/** Returns a term under the name of its option. */
function toField(name: PlainTerm, link: Readonly<Record<string, unknown>>): Field {
  const value = link[name];
  const text = typeof value === 'boolean' ? (value ? 'yes' : '') : String(value ?? '');
  const words = optionOf(name).replaceAll('-', ' ');
  const shown = Array.isArray(value) ? value.join(', ') : text;
  return [words.charAt(0).toUpperCase() + words.slice(1), shown || null];
}
