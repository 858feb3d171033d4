import { buffer } from 'node:stream/consumers';
import { makeCipher } from '../../cli/age-cipher.ts';
import { beginFile, type EncryptionKey, encryptFile } from '../../client/encryption/age-file.ts';
import { toArchive } from '../../client/encryption/tar.ts';
import { uploadFile } from './links.ts';
import type { TestService } from './service.ts';

/** `plain`: encrypted instead of an archive. `damage`: changes the encrypted bytes. `fields`: terms of the link. */
type Options = {
  key?: EncryptionKey;
  isText?: boolean;
  plain?: AsyncIterable<Uint8Array<ArrayBuffer>>;
  fields?: Record<string, string>;
  damage?: (bytes: Buffer) => Buffer;
};

/** Encrypts files with their names and contents, and uploads them. Returns their link, with its key behind `#`. */
export async function uploadEncrypted(
  service: TestService,
  contents: readonly (readonly [string, Buffer | string])[],
  { key = { kind: 'random' }, isText = false, plain, fields = {}, damage = (bytes) => bytes }: Options = {},
): Promise<string> {
  const file = await beginFile(key);
  const files = contents.map(([name, content]) => {
    const bytes = new Uint8Array(Buffer.from(content));
    const read = async function* () {
      yield bytes;
    };
    return { name, sizeBytes: bytes.length, modifiedAt: 0, read };
  });
  const content = plain ?? toArchive(files, isText ? { isText } : {}).read();
  const bytes = damage(await buffer(encryptFile(file, content, makeCipher)));
  const sent = { fileName: 'secret name', fields: { encrypted: 'true', ...fields } };
  const code = await uploadFile(service, bytes, sent);
  return `${service.url}/l/${code}${file.fragment === null ? '' : `#${file.fragment}`}`;
}
