import type { TermsPolicy } from '../links/rules/link-terms.ts';
import type { TargetPolicy } from '../links/rules/target-policy.ts';
import type { HttpDependencies } from './dependencies.ts';

/** Returns what the administrator allows in links. @param mayNotify whether the client has credentials for it */
export function termsPolicyOf(deps: HttpDependencies, mayNotify: boolean): TermsPolicy & TargetPolicy {
  const { linkPolicy, baseUrl, blockedHosts } = deps;
  return {
    ...linkPolicy,
    baseUrl,
    blockedHosts,
    notify: deps.notifyPolicy(mayNotify),
    mail: deps.mailPolicy(mayNotify),
  };
}
