import { Type } from 'typebox';
import { accept } from '../../core/model/parsed.ts';
import { TERM_NAMES, termOf } from '../../core/model/terms.ts';
import { MAX_LISTED_FILES, parseFilesQuery } from '../../core/rules/list-query.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { FileList } from '../file-schemas.ts';
import { limitUnknownCodes, requesterOf } from '../limit-requests.ts';
import { prepareDescribe, sendsLink } from '../returned-links.ts';
import { optionalText } from '../schemas.ts';

const OF_LINK = { tag: 'Links', needs: 'read', ofLink: true, port: 'public' } as const;

const SHOWN_TO_CHANGERS = TERM_NAMES.filter((name) => termOf(name).shownTo === 'changers')
  .map((name) => `\`${name}\``)
  .join(', ');

const FilesQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LISTED_FILES, default: MAX_LISTED_FILES })),
  cursor: optionalText('`next` of the page before'),
});

/** The endpoints that describe a link and its files. */
export function describeLinkEndpoints(deps: HttpDependencies): Endpoint[] {
  const { findLink } = limitUnknownCodes(deps);
  const describe = prepareDescribe(deps);
  return [
    endpoint('GET /api/links/:shortCode', 'Describe a link without opening it', {
      ...OF_LINK,
      description:
        `Spends no view and writes no audit record. The target, a text, the file of a link with a password or ` +
        `\`verifiedRecipients\`, ${SHOWN_TO_CHANGERS} are shown only to those who may change the link.`,
      ...sendsLink(deps),
      async run({ path: { shortCode }, request, reply }) {
        const link = await findLink(shortCode, request);
        const fetches = await deps.useCases.readFetches(requesterOf(request, reply), [link]);
        const { server } = deps.config.mail;
        const unsentMails = server ? await deps.stores.notifications.listUnsentMails(link.shortCode) : [];
        return accept({ link, unsentMails, fetches: fetches.get(link.shortCode) });
      },
    }),
    endpoint('GET /api/links/:shortCode/files', 'List the files of a link without opening it', {
      ...OF_LINK,
      description:
        'In the order of their bytes, so that the `firstByte` of a download says which file it sent. Empty for a link without ' +
        'files, and without the right to see them.',
      query: { schema: FilesQuery, read: parseFilesQuery },
      sends: FileList,
      async run({ path: { shortCode }, query: { limit, cursor: first }, request }) {
        const link = await findLink(shortCode, request);
        const { file } = describe(link, request);
        if (file && !file.fileCount) return accept({ files: [file], next: null });
        const parts = file ? await deps.useCases.readFiles(link) : [];
        const files = parts
          .slice(first, first + limit)
          .map(({ fileName: name, sizeBytes, sha256 }) => ({ name, sizeBytes, sha256 }));
        return accept({ files, next: first + limit < parts.length ? String(first + limit) : null });
      },
    }),
  ];
}
