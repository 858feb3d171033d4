/**
 * The creator of a link, or the author of a change or a revocation. `name` is the name of the key or of the signed-in
 * user; it is null for the holder of the link's token, and for an anonymous client. A COMMAND is one of the
 * administrator's, such as `import`.
 */
export type Author = {
  kind: 'KEY' | 'USER' | 'LINK_TOKEN' | 'ANONYMOUS' | 'COMMAND';
  name: string | null;
  ipAddress: string | null;
};

/** Returns the author for a client who needed no credentials. */
export function anonymous(ipAddress: string | null): Author {
  return { kind: 'ANONYMOUS', name: null, ipAddress };
}
