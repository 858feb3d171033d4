import type { FastifyInstance } from 'fastify';
import type { HttpDependencies } from '../dependencies.ts';

/** An SVG that is opened as a page of its own runs no script and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** GET of the logo and of the style sheet of the brand, where the administrator has set them */
export function brandFileRoutes(app: FastifyInstance, { brand }: HttpDependencies): void {
  for (const file of [brand.logo, brand.style]) {
    if (file === null) continue;
    const config = { access: { needs: 'nothing', port: 'both' } } as const;
    app.get(`/${file.path}`, { schema: { hide: true }, config }, (_, reply) =>
      reply
        .headers({
          'content-type': file.mediaType,
          'content-security-policy': POLICY,
          // The path contains a digest of the content, so the content never changes.
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(file.bytes),
    );
  }
}
