import type { FastifyError, FastifyInstance, onRequestHookHandler } from 'fastify';
import { ERRORS } from '../errors.ts';

/** A compressed body is refused: its size says nothing of what it unpacks to. */
export const refuseContentEncoding: onRequestHookHandler = (request, _, done) => {
  const encoding = request.headers['content-encoding'];
  done(encoding && encoding.toLowerCase() !== 'identity' ? ERRORS.unsupportedContentEncoding() : undefined);
};

/** "Another content type: 415", which names the one that the routes of `app` take. */
export function refuseOtherContentTypes(app: FastifyInstance, accepted: string): void {
  app.addContentTypeParser('*', (_, __, done) => done(ERRORS.unsupportedContentType(accepted)));
  // The library refuses a malformed one by itself. What is thrown here goes on to the handler of all errors.
  app.setErrorHandler<FastifyError>((error) => {
    throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? ERRORS.unsupportedContentType(accepted) : error;
  });
}
