import {
  type Serializer,
  type SerializerFactory,
  SerializerSelector,
} from '@fastify/fast-json-stringify-compiler';

/** Serializers by what they are compiled from. They keep no state, so routes and services of a process share them. */
const compiled = new Map<string, Serializer>();

/**
 * Builds the compiler of serializers for Fastify. Fastify's own compiles one for each response of each route, also where
 * routes have the same schema.
 */
export const buildSerializer: SerializerFactory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  const context = JSON.stringify([externalSchemas, options]);
  return (route) => {
    const key = context + JSON.stringify(route.schema);
    const serializer = compiled.get(key) ?? compile(route);
    compiled.set(key, serializer);
    return serializer;
  };
};
