import type { ChangeRefusal } from './decide-change.ts';
import type { CodeRefusal } from './decide-code-change.ts';
import type { FieldError, Parsed } from './parsed.ts';

/** The reasons why a request is refused, besides an error in its input. */
export type Refusal =
  | 'person-not-found'
  | 'team-not-found'
  | 'key-not-found'
  | 'name-taken'
  | 'last-administrator'
  | 'team-has-links'
  | 'cannot-grant'
  | 'needs-admin'
  | 'needs-create'
  | 'needs-manage'
  | 'session-not-found'
  | 'notification-not-found'
  | 'sends-no-notifications'
  | 'mails-no-links'
  | 'mails-no-invitations'
  | 'password-link-ended'
  | 'signs-no-checkpoints'
  /** Of a link. */
  | Exclude<(ChangeRefusal | CodeRefusal)['result'], 'refused'>;

/** The value of a change that was made, or why it was not. */
export type Outcome<T> = Parsed<T, FieldError | Refusal>;

/** Returns a refusal as an outcome. */
export const refused = (error: Refusal): Outcome<never> => ({ ok: false, error });
