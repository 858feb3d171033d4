import type { TermsPolicy } from '../links/rules/link-terms.ts';
import type { TargetPolicy } from '../links/rules/target-url.ts';
import type { Parts } from './parts.ts';

/** Returns what the administrator allows in links. @param mayNotify whether the client has credentials for it */
export function termsPolicyOf(parts: Parts, mayNotify: boolean): TermsPolicy & TargetPolicy {
  const { linkPolicy, baseUrl, blockedHosts } = parts;
  return {
    ...linkPolicy,
    baseUrl,
    blockedHosts,
    notify: parts.notifyPolicy(mayNotify),
    mail: parts.mailPolicy(mayNotify),
  };
}
