import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ERRORS } from '../errors.ts';

/** A compressed body is refused: its size says nothing of what it unpacks to. */
export const refuseContentEncoding: onRequestHookHandler = (request, _, done) => {
  const encoding = request.headers['content-encoding'];
  done(encoding && encoding.toLowerCase() !== 'identity' ? ERRORS.unsupportedContentEncoding() : undefined);
};

/** "Another content type: 415", which names the one that the routes of `app` take. */
export function refuseOtherContentTypes(app: FastifyInstance, accepted: string): void {
  app.addContentTypeParser('*', (_, __, done) => done(ERRORS.unsupportedContentType(accepted)));
}
