/** What a key, or a signed-in user, may do. `read` includes lists and statistics, `manage` changes of any link. */
export const SCOPES = ['create', 'read', 'manage', 'metrics'] as const;
export type Scope = (typeof SCOPES)[number];
