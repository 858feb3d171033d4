/** Returns a document in which what a reference names stands in its place. */
export function resolveReferences<Document extends object>(document: Document): Document {
  const find = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((value, name) => Object(value)[name], document);
  const replaced: unknown = JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    const reference: unknown = Object(value).$ref;
    return typeof reference === 'string' ? find(reference) : value;
  });
  return replaced as Document; // with the same members
}
