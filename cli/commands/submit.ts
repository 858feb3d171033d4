import type { Receipt } from '../../client/client.ts';
import { countOf } from '../../src/common/format.ts';
import { defineCommand } from '../command.ts';
import { encryptFiles } from '../encrypt-paths.ts';
import { Failure, usageFailure } from '../failure.ts';
import { readAddress, visitLink } from '../link-visitor.ts';
import { findFiles, type LocalFile, readComparedFile } from '../local-file.ts';
import type { Output } from '../output.ts';
import { joinFiles, toSource, type UploadRoute, uploadResumably } from '../resumable-upload.ts';
import { formatBytes, formatZonedTime } from '../texts.ts';
import { withProgress } from './upload.ts';

export const submit = defineCommand({
  count: { min: 2, max: 1_000 },
  details:
    'It needs no key. A broken upload goes on by itself and, unless it is encrypted, when the command is run again. Files\n' +
    'are encrypted if the file request has a public key. Asks for a password, without showing it, when the link has one. Without a terminal,\n' +
    'the first line of standard input is the password.',
  options: {
    password: { type: 'boolean', help: 'Asks for the password at once' },
    sender: { type: 'string', value: 'TEXT', help: 'Who sends the files' },
    note: { type: 'string', value: 'TEXT', help: 'A message to those who asked for them' },
  },
  examples: ['postern submit https://links.example/l/yEqUrNbx contract.pdf --sender Jane'],
  async run([text = '', ...paths], { password, sender, note }, { output, connect, environment }) {
    const address = readAddress(text, () => connect().url);
    const visitor = await visitLink(address, { asksAtOnce: password });
    const { request } = await visitor.preview().catch(refuseUsedUp);
    if (!request)
      throw new Failure('failed', 'this link does not ask for files', {
        remedy: `Use: postern open ${text}`,
      });
    const { maxFiles, recipientKey } = request;
    const files = await findFiles(paths, output);
    if (maxFiles !== null && files.length > maxFiles)
      throw usageFailure(
        `the file request takes ${countOf(maxFiles, 'file')} at once, and these are ${files.length}`,
      );
    const encrypted =
      recipientKey === null
        ? undefined
        : await encryptFiles(files, { kind: 'recipient', recipient: recipientKey });
    const source = encrypted ? toSource(encrypted.file) : joinFiles(files, undefined);
    const { origin: url, pathname } = new URL(address.target);
    const settings = { url, key: undefined, source: 'the link' };
    const route: UploadRoute = {
      path: `${pathname}/uploads`,
      headers: visitor.passwordHeader(),
      completion: pathname,
      toBody: ({ uploadId }) => ({ uploadId, sender, note, encrypted: encrypted !== undefined }),
    };
    const { record, sha256 } = await withProgress(settings, source.sizeBytes, (onProgress) =>
      uploadResumably(settings, source, route, { environment, onProgress }),
    ).catch(refuseUsedUp);
    const receipt = record as Receipt; // as the service documents it
    requireSame(receipt, source.files ? await digestAll(files) : [sha256]);
    printReceipt(output, receipt);
    if (encrypted)
      output.note(
        `It has ${countOf(files.length, 'file')}, which only the owner of ${recipientKey} can read.`,
      );
  },
});

/** Throws a failure. A file request without submissions left was not viewed too often. */
function refuseUsedUp(error: unknown): never {
  if (!(error instanceof Failure && error.code === 'VIEW_LIMIT_REACHED')) throw error;
  throw new Failure('failed', 'the file request takes no more files', {
    code: error.code,
    remedy: 'Ask those who sent you its link for another one.',
  });
}

async function digestAll(files: readonly LocalFile[]): Promise<string[]> {
  const digests: string[] = [];
  for (const { path } of files) digests.push((await readComparedFile(path)).sha256);
  return digests;
}

/** Compares the files that arrived with those that were sent, in their order: the service may have changed their names. */
function requireSame({ files }: Receipt, sent: readonly string[]): void {
  const isSame = files.length === sent.length && files.every(({ sha256 }, index) => sha256 === sent[index]);
  if (!isSame)
    throw new Failure('failed', 'what arrived has another SHA-256 than the files', {
      remedy: 'They were changed on their way, or while they were sent. Send them again.',
    });
}

function printReceipt(output: Output, receipt: Receipt): void {
  if (output.isJson) output.printJson(receipt);
  else
    output.printTable(
      [{ title: 'SHA-256' }, { title: 'SIZE', isNumber: true }, { title: 'FILE' }],
      receipt.files.map(({ name, sizeBytes, sha256 }) => [sha256, formatBytes(sizeBytes), name]),
    );
  output.note(`Received ${formatZonedTime(receipt.receivedAt)}. Keep this as a receipt.`);
}
