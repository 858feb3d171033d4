import { beginFile, isIdentity, openFile } from '../../client/encryption/age-file.ts';
import { type Batch, DamagedError } from '../../client/encryption/payload.ts';
import { makeCipher } from './page-cipher.ts';

// The script of the worker threads that encrypt and decrypt, so that the page stays responsive.

const CALLS = {
  beginFile,
  isIdentity,
  openFile,
  runBatch: async (batch: Batch, key: Uint8Array<ArrayBuffer>, kind: 'encrypt' | 'decrypt') =>
    makeCipher(key, kind).run(batch),
};
export type Calls = typeof CALLS;
export type CallMessage = {
  [Name in keyof Calls]: { id: number; name: Name; args: Parameters<Calls[Name]> };
}[keyof Calls];
export type Reply = { id: number; result?: unknown; error?: { message: string; isDamage: boolean } };

function run(message: CallMessage): Promise<unknown> {
  switch (message.name) {
    case 'beginFile':
      return CALLS.beginFile(...message.args);
    case 'isIdentity':
      return CALLS.isIdentity(...message.args);
    case 'openFile':
      return CALLS.openFile(...message.args);
    case 'runBatch':
      return CALLS.runBatch(...message.args);
  }
}

addEventListener('message', async ({ data }: MessageEvent<CallMessage>) => {
  const { id, name } = data;
  const reply = (answer: Reply, transfer: Transferable[] = []): void => postMessage(answer, { transfer });
  try {
    const result = await run(data);
    reply({ id, result }, name === 'runBatch' && result instanceof Uint8Array ? [result.buffer] : []);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    reply({ id, error: { message, isDamage: error instanceof DamagedError } });
  }
});
