import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { createSigner, hashHex, type Signer } from '../../src/core/model/ed25519.ts';
import { isConsistent, type TreeHead, toRoot } from '../../src/core/model/merkle-tree.ts';
import {
  base64ToHex,
  COSIGNATURE,
  formatSignature,
  formatVerifierKey,
  parseCheckpoint,
  toVerifierKey,
  type VerifierKey,
} from '../../src/core/model/signed-note.ts';

/** Returns the line by which a key signs the text of a checkpoint as a witness. */
export function cosign(signer: Signer, key: VerifierKey, text: string): string {
  const at = 1_781_524_800;
  const signed = signer.sign(`cosignature/v1\ntime ${at}\n${text}`);
  const signature = Buffer.from(/\S+\n$/.exec(signed)?.[0].trim() ?? '', 'base64')
    .subarray(4)
    .toString('hex');
  return formatSignature(key, at.toString(16).padStart(16, '0') + signature);
}

/** A witness as https://c2sp.org/tlog-witness specifies it, which trusts the key of the first log that it gets. */
export async function startWitness(t: TestContext, name = 'witness.example') {
  const signer = createSigner(name);
  const key = toVerifierKey(hashHex, name, COSIGNATURE, signer.key.publicKey);
  const state = {
    known: undefined as TreeHead | undefined,
    isDown: false,
    conflict: undefined as string | undefined,
    isSilent: false,
    requests: [] as number[],
  };
  /** Resolves at the first request that gets no response. */
  const asked = Promise.withResolvers<void>();

  function respond(body: string): [status: number, text: string] {
    const [head = '', ...parts] = body.split('\n\n');
    const [old = '', ...hashes] = head.split('\n');
    const checkpoint = parseCheckpoint(parts.join('\n\n'));
    if (!checkpoint) return [400, ''];
    const size = Number(old.replace('old ', ''));
    state.requests.push(size);
    if (state.conflict !== undefined) return [409, state.conflict];
    const from = state.known ?? { size: 0, root: toRoot(hashHex, []) };
    if (size !== from.size) return [409, `${from.size}\n`];
    const proof = hashes.map((each) => base64ToHex(each) ?? '');
    if (!isConsistent(hashHex, { from, to: checkpoint }, proof)) return [422, ''];
    state.known = checkpoint;
    const other = { ...key, keyId: '00000000' }; // of a key that the service does not know
    const { text } = checkpoint.note;
    return [200, cosign(signer, other, text) + cosign(signer, key, text)];
  }

  const server = createServer(async (request, response) => {
    const body = await readText(request);
    if (state.isSilent) return asked.resolve();
    const [status, text] = state.isDown || request.url !== '/w/add-checkpoint' ? [503, ''] : respond(body);
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const flag = `--app.evidence.witnesses=${formatVerifierKey(key)} http://127.0.0.1:${port}/w/`;
  return { key, state, flag, asked: asked.promise };
}
