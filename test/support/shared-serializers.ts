import { createRequire } from 'node:module';

// Fastify compiles a serializer for each response schema of each route when a service starts: half of the processor
// time of a file with many tests over HTTP. A serializer keeps no state, so the services that one process starts share
// them. The first service compiles each one with the compiler of Fastify.

type Compile = (route: { schema: unknown }) => unknown;
type BuildSerializer = (externalSchemas: unknown, options: unknown) => Compile;
type Compiler = { SerializerSelector: () => BuildSerializer };

const require = createRequire(import.meta.resolve('fastify'));
const NAME = '@fastify/fast-json-stringify-compiler';

/** Makes every Fastify of this process compile a serializer only for a schema that none has compiled before. */
export function shareSerializers(): void {
  const { SerializerSelector }: Compiler = require(NAME);
  const serializers = new Map<string, unknown>();
  const build: BuildSerializer = (externalSchemas, options) => {
    const compile = SerializerSelector()(externalSchemas, options);
    const context = JSON.stringify([externalSchemas, options]);
    return (route) => {
      const key = context + JSON.stringify(route.schema);
      if (!serializers.has(key)) serializers.set(key, compile(route));
      return serializers.get(key);
    };
  };
  const loaded = require.cache[require.resolve(NAME)];
  if (!loaded) throw new Error(`${NAME} is not loaded`);
  // Fastify calls `require` for each instance.
  loaded.exports = () => build;
}
