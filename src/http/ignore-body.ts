import type { FastifyInstance } from 'fastify';
import { sendContinue } from './expect-continue.ts';

/** Lets the routes of a scope take no body: one that a client sends anyway of any type is discarded. */
export function ignoreBody(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    delete request.headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume();
    sendContinue(request.raw);
    done(null);
  });
}
