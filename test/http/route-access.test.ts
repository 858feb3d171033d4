import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { collectRoutes } from '../../src/http/route-access.ts';

test('a route that does not declare its access stops the start', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  const checkRoutes = collectRoutes(app);
  app.get('/declared', { config: { access: { needs: 'read', port: 'both' } } }, () => '');
  app.register((scope, _, done) => {
    scope.get('/forgotten', () => '');
    done();
  });
  await app.ready();
  assert.throws(checkRoutes, /^Error: The route GET \/forgotten must declare its access in config\.access$/);
});

test('the declared routes include those of plugins and HEAD', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  const checkRoutes = collectRoutes(app);
  const access = { needs: 'read', port: 'both' } as const;
  app.register((scope, _, done) => {
    scope.get('/x', { config: { access } }, () => '');
    done();
  });
  await app.ready();
  checkRoutes();
  assert.deepEqual(app.declaredRoutes.map(({ method, url }) => `${method} ${url}`).sort(), [
    'GET /x',
    'HEAD /x',
  ]);
});
