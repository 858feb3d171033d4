import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { newOwnerOf } from '../../access/caller.ts';
import type { ClientState } from '../../links/ports.ts';
import type { NewLinkRequest } from '../../links/rules/creation.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS } from '../errors.ts';
import { createOnce, type KeyedItem, type OnceResult } from '../idempotency.ts';
import { toCreatedItem, withLanguage } from './create-link.ts';

/** The name under which a text is saved. */
const FILE_NAME = 'text.txt';

/** Creates a link to a text, which is stored as a small file. When that fails, or is repeated, the file is removed. */
export async function createText(
  deps: HttpDependencies,
  request: FastifyRequest,
  { text, ...wanted }: NewLinkRequest & { text: string },
  { client, keyed }: { client: ClientState; keyed: KeyedItem | undefined },
): Promise<OnceResult> {
  const bytes = Buffer.from(text);
  const space = await deps.uploadSpace.reserve(bytes.length);
  if (!space?.receive(bytes.length)) throw ERRORS.storageFull();
  let fileId: string | undefined;
  try {
    const received = await deps.receiveFile(
      Readable.from([{ fileName: FILE_NAME, bytes: Readable.from([bytes]) }]),
    );
    fileId = received.fileId;
    const file = { ...received, fileName: FILE_NAME, traits: { text: true } } as const;
    const requested = withLanguage(wanted, request);
    const owner = newOwnerOf(request.caller);
    const target = { type: 'DOWNLOAD', file } as const;
    return await createOnce(
      keyed,
      (once) => deps.createLink(request.id, target, requested, request.author, { ...client, once, owner }),
      (created) => toCreatedItem(created, wanted, deps),
    );
  } catch (error) {
    if (fileId !== undefined) await deps.discardFile(fileId);
    throw error;
  } finally {
    space.release();
  }
}
