import type { FastifyError, FastifyInstance, onRequestHookHandler } from 'fastify';
import { ERRORS } from '../errors.ts';

/** Refuses a compressed body, because its size does not bound its decompressed size. */
export const refuseContentEncoding: onRequestHookHandler = (request, _, done) => {
  const encoding = request.headers['content-encoding'];
  done(encoding && encoding.toLowerCase() !== 'identity' ? ERRORS.unsupportedContentEncoding() : undefined);
};

/** Refuses other content types: "Another content type: 415". The message names the accepted one. */
export function refuseOtherContentTypes(app: FastifyInstance, accepted: string): void {
  app.addContentTypeParser('*', (_, __, done) => done(ERRORS.unsupportedContentType(accepted)));
  // The framework refuses a malformed content type itself. An error thrown here goes on to the error handler.
  app.setErrorHandler<FastifyError>((error) => {
    throw error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? ERRORS.unsupportedContentType(accepted) : error;
  });
}
