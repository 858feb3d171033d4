type Json = null | boolean | number | string | Json[] | JsonObject;
type JsonObject = { [name: string]: Json };

/**
 * Returns an OpenAPI document in which each record with a title is written once, below `components`, and referred to
 * elsewhere. The service writes it wherever it occurs. Throws when two records that differ have the same title.
 */
export function shareRecords(openApi: object): JsonObject {
  const document: JsonObject = JSON.parse(JSON.stringify(openApi));
  const schemas: JsonObject = {};
  const paths = share(document['paths'] ?? {}, schemas);
  const shared = isObject(document['components']) ? document['components'] : {};
  const components = { ...shared, responses: share(shared['responses'] ?? {}, schemas), schemas };
  return { ...document, paths, components };
}

function share(value: Json, schemas: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => share(item, schemas));
  if (!isObject(value)) return value;
  const shared = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, share(member, schemas)]),
  );
  const { title } = value;
  if (typeof title !== 'string') return shared;
  schemas[title] = merge(title, schemas[title], shared);
  return { $ref: `#/components/schemas/${title}` };
}

/** Merges the codes of errors: each status has its own. */
function merge(title: string, known: Json | undefined, schema: JsonObject): JsonObject {
  if (!isObject(known)) return schema;
  if (Array.isArray(known['enum']) && Array.isArray(schema['enum'])) {
    return { ...schema, enum: [...new Set([...known['enum'], ...schema['enum']])].sort() };
  }
  if (JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two records with the title ${title} differ; give each a title of its own`);
  }
  return schema;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
