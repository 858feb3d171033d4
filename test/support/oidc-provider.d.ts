declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  type Interaction = {
    prompt: { name: string };
    params: { client_id: string };
    session?: { accountId: string };
  };
  type Grant = { addOIDCScope(scopes: string): void; save(): Promise<string> };

  /** A provider of OpenID Connect. Only the parts in use are declared. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Grant;
    use(
      middleware: (context: { path: string; body: unknown }, next: () => Promise<void>) => Promise<void>,
    ): void;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  /** Returns the storage of one provider. The default one is the same, with a warning. */
  export function createMemoryAdapter(clockToleranceSeconds: number): unknown;
}
