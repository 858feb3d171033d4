import type { NewLink } from '../links/link.ts';
import type { LinkChange } from '../links/link-change.ts';

/** A link to create, with its author. Both are committed in one transaction. */
export type Creation = { link: NewLink; change: LinkChange };
