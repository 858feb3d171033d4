import type { FastifyInstance } from 'fastify';

/** For these the library throws errors, which would be server errors. No page needs them. */
const IGNORED = ['range', 'if-match', 'if-unmodified-since'];

/** Lets the routes of a scope send a file whole, also to a client that asks for a part or names a precondition. */
export function sendWholeFiles(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    for (const name of IGNORED) delete request.headers[name];
    done();
  });
}
