/** The part of Trusted Types that makes the address of a script, which the types of the DOM do not have. */
type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string };
};
const { trustedTypes }: { trustedTypes?: TrustedTypes } = globalThis as object;

/** Returns a function that starts a worker. Only this script becomes one: the policy of the page allows no other. */
export function prepareWorkers(url: string): () => Worker {
  const policy = trustedTypes?.createPolicy('worker', { createScriptURL: () => url });
  return () => new Worker(policy?.createScriptURL('') ?? url, { type: 'module' });
}
