import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { makeCipher } from '../../cli/age-cipher.ts';
import { beginFile, encryptFile } from '../../client/encryption/age-file.ts';
import { toArchive } from '../../client/encryption/tar.ts';

// Encrypts a file as the command line does, and writes it to nowhere: encrypt-file.ts FILE RECIPIENT

const [path = '', recipient = ''] = process.argv.slice(2);
const read = () => createReadStream(path, { highWaterMark: 1024 * 1024 });
const archive = toArchive([{ name: 'file', sizeBytes: statSync(path).size, modifiedAt: 0, read }]);
const file = await beginFile({ kind: 'recipient', recipient });
await pipeline(encryptFile(file, archive.read(), makeCipher), createWriteStream('/dev/null'));
