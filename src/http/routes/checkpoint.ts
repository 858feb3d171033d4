import { type Static, Type } from 'typebox';
import { accept, mapParsed, type Parsed, refuse } from '../../core/model/parsed.ts';
import { refused } from '../../core/model/refusal.ts';
import { parseSize } from '../../core/model/signed-note.ts';
import { refuseParameter } from '../../core/rules/time-range.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint, rawEndpoint } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { wantsPage } from '../headers.ts';
import { CheckpointOfLink } from '../history-schemas.ts';
import { limitUnknownCodes, requesterOf } from '../limit-requests.ts';
import { sendPage } from '../pages/page.ts';
import { checkpointPage } from '../pages/service-pages.ts';
import { readVisitor } from '../pages/visitor.ts';
import { ADMIN } from '../route-access.ts';
import { nullable, text, titled } from '../schemas.ts';

const LOG = { tag: 'History', needs: 'nothing', port: 'public' } as const;
const PLAIN = { 'text/plain': { schema: Type.String() } };

const Sizes = Type.Object({
  from: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The number of entries of the smaller checkpoint' }),
  ),
  to: Type.Optional(
    Type.Integer({ minimum: 0, description: 'That of the greater one; without it, the newest' }),
  ),
});

type AskedSizes = { from: number | null; to: number | null };

/** Reads the sizes of two checkpoints. The second needs the first. */
function readSizes({ from, to }: Record<string, unknown>): Parsed<AskedSizes> {
  const first = readSize('from', from);
  if (!first.ok) return first;
  if (to !== undefined && first.value === null)
    return refuse('from', 'NOT_AN_INTEGER', 'must be an integer, because there is a to');
  return mapParsed(readSize('to', to), (size) => ({ from: first.value, to: size }));
}

function readSize(name: string, value: unknown): Parsed<number | null> {
  if (value === undefined) return accept(null);
  const size = typeof value === 'string' ? parseSize(value) : undefined;
  return size === undefined
    ? refuseParameter(name, value, 'NOT_AN_INTEGER', 'must be an integer from 0')
    : accept(size);
}

const NewKey = titled('NewLogKey', {
  isNewLog: Type.Optional(
    Type.Boolean({
      description: 'True: the key is that of a new log, also without the old key',
    }),
  ),
});
export type LogKey = Static<typeof LogKey>;
const LogKey = titled('LogKey', {
  key: text('The new key'),
  formerKey: nullable(Type.String(), { description: 'The key before it, which has signed the new one' }),
});

/** The endpoints of checkpoints of the log. */
export function checkpointEndpoints(deps: HttpDependencies): Endpoint[] {
  const { findLink } = limitUnknownCodes(deps);
  const { useCases } = deps;
  return [
    rawEndpoint('GET /checkpoint', 'Read the newest checkpoint of the log', {
      ...LOG,
      description:
        'A signed note, see https://c2sp.org/tlog-checkpoint; its page for a browser. With `from`, the proof that a later ' +
        'checkpoint continues the one with so many entries (RFC 6962).',
      query: { schema: Sizes, read: readSizes },
      sends: {
        200: { description: 'A text', content: { ...PLAIN, 'text/html': { schema: Type.String() } } },
      },
      fails: [404, 409],
      async respond({ query: { from, to }, request, reply }) {
        const reads = useCases.evidence(requesterOf(request, reply));
        reply.header('cache-control', 'no-store').header('vary', 'Accept');
        if (from !== null) {
          const proof = await reads.proveConsistency(from, to);
          if (proof === 'NO_CHECKPOINT') throw ERRORS.noCheckpoint();
          if (proof === 'ENTRIES_DETACHED') throw ERRORS.entriesDetached();
          return reply.type('text/plain; charset=utf-8').send(proof.text);
        }
        const signed = await reads.readSigned();
        if (!signed) throw ERRORS.noCheckpoint();
        if (!wantsPage(request.headers.accept))
          return reply.type('text/plain; charset=utf-8').send(signed.note);
        return sendPage(reply, checkpointPage(readVisitor(request.headers['accept-language'], deps), signed));
      },
    }),
    rawEndpoint('GET /checkpoint/key', 'Read the key of the log', {
      ...LOG,
      description: 'Keep it with a checkpoint. In the form of https://c2sp.org/signed-note.',
      ...{ sends: { 200: { description: 'A text', content: PLAIN } }, fails: [404] },
      async respond({ request, reply }) {
        const signed = await useCases.evidence(requesterOf(request, reply)).readSigned();
        if (!signed) throw ERRORS.noCheckpoint();
        return reply
          .header('cache-control', 'no-store')
          .type('text/plain; charset=utf-8')
          .send(`${signed.key}\n`);
      },
    }),
    endpoint('GET /api/links/:shortCode/checkpoint', 'Read the checkpoint of a link', {
      ...{ tag: 'History', needs: 'read', alsoWhenOpen: true, ofLink: true, port: 'public' },
      description: 'With the proof that it has an entry of the link; null where there is none.',
      sends: titled('LinkCheckpoint', { checkpoint: nullable(CheckpointOfLink, {}) }),
      async run({ path, request, reply }) {
        const { shortCode, history } = await findLink(path.shortCode, request);
        const reads = useCases.evidence(requesterOf(request, reply));
        return accept({ checkpoint: await reads.proveEntry(shortCode, history) });
      },
    }),
    endpoint('POST /api/checkpoint-key', 'Give the log a new key, which the old one signs', {
      ...{ ...ADMIN, tag: 'Administration' },
      takes: { schema: NewKey, read: ({ isNewLog = false }) => accept(isNewLog === true) },
      ...{ sends: LogKey, refuses: ['signs-no-checkpoints'] },
      async run({ body: isNewLog }) {
        const rotated = await useCases.rotateLogKey?.(isNewLog);
        return rotated ? accept(rotated) : refused('signs-no-checkpoints');
      },
      logs: (_, { key }) => ({ change: 'log_key_changed', name: key }),
    }),
  ];
}
