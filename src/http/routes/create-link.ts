import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatInstant } from '../../core/model/instant.ts';
import { isShownText, type StoredFile, type Target } from '../../core/model/link.ts';
import { accept } from '../../core/model/parsed.ts';
import { newOwnerOf } from '../../core/model/people/caller.ts';
import { hasScope, holderOf } from '../../core/model/people/decide-access.ts';
import type { LinkTerms } from '../../core/model/terms.ts';
import type { ClientState } from '../../core/ports/ports.ts';
import { type NewLinkRequest, parseNewLink, type WantedTarget } from '../../core/rules/creation.ts';
import type { FilePolicy } from '../../core/rules/file-request.ts';
import type { TargetPolicy } from '../../core/rules/target-url.ts';
import type { TermsPolicy } from '../../core/rules/term-rules.ts';
import type { KeyedRequest } from '../../core/use-cases/create/begin-request.ts';
import type { CreatedLink } from '../../core/use-cases/create/create-link.ts';
import { fileOf } from '../../core/use-cases/files/receive-file.ts';
import { mailPolicyOf, notifyPolicyOf } from '../../core/use-cases/notify/settings.ts';
import { acceptJson, takeBody } from '../accepted-bodies.ts';
import type { CreatedLinkItem } from '../bulk-schemas.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { requireValid } from '../errors.ts';
import {
  createFirst,
  createOnce,
  type KeyedItem,
  markReplayed,
  type OnceResult,
  prepareSingleCreation,
} from '../idempotency.ts';
import { readLanguage } from '../pages/visitor.ts';
import { IdempotencyHeaders, LinkCreated, LinkRequest } from '../schemas.ts';
import { receiveUpload, uploadOwnerOf } from './received-upload.ts';

/** The endpoint that creates a link. */
export function createLinkEndpoints(deps: HttpDependencies): Endpoint[] {
  const creation = prepareSingleCreation(deps, 'creations');
  return [
    endpoint('POST /api/links', 'Create a link to a URL, a text or an upload, or a file request', {
      ...{ tag: 'Links', needs: 'create', port: 'public' },
      description:
        'An optional member that is null or an empty text counts as absent, but for the `maxViews` of a text.',
      headers: IdempotencyHeaders.properties,
      takes: {
        schema: LinkRequest,
        receive: (scope) => acceptJson(scope, { ...deps, takesText: true }, 'application/json'),
      },
      before: [creation.onRequest],
      ...SENDS_CREATED,
      fails: [404, 409, 422, 423, 429, 507],
      async run({ request, reply }) {
        const client = clientStateOf(reply.raw);
        return accept(await creation.run(request, (started) => create(deps, request, client, started)));
      },
    }),
  ];
}

/** Creates the link. It is not async, and so keeps nothing of the body meanwhile. */
function create(
  deps: HttpDependencies,
  request: FastifyRequest,
  client: ClientState,
  started: KeyedRequest | undefined,
): Promise<OnceResult> {
  const body = takeBody(request);
  return createFirst(started, request, body, (keyed) => {
    const policy = { ...termsPolicyOf(deps, request), ...filePolicyOf(deps) };
    const { target, wanted } = requireValid(parseNewLink(body, deps.clock(), policy));
    return createWanted(deps, request, { target, wanted }, { client, keyed });
  });
}

type Creation = { client: ClientState; keyed: KeyedItem | undefined };

/** Creates a link to what a client names as its target, once if its request has an Idempotency-Key. */
async function createWanted(
  deps: HttpDependencies,
  request: FastifyRequest,
  { target, wanted }: { target: WantedTarget; wanted: NewLinkRequest },
  creation: Creation,
): Promise<OnceResult> {
  if (target.type === 'TEXT') return createText(deps, request, { text: target.text, wanted }, creation);
  if (target.type !== 'UPLOAD') return createTo(deps, request, { target, wanted }, creation);
  const file = await receiveUpload(deps, target.file, uploadOwnerOf(request));
  return createTo(deps, request, { target: { type: 'DOWNLOAD', file }, wanted }, creation);
}

/** The name under which a text is saved. */
const TEXT_NAME = 'text.txt';

/** Creates a link to a text, which is stored as a small file. */
function createText(
  deps: HttpDependencies,
  request: FastifyRequest,
  { text, wanted }: { text: string; wanted: NewLinkRequest },
  creation: Creation,
): Promise<OnceResult> {
  const sent = fileOf(TEXT_NAME, Buffer.from(text), uploadOwnerOf(request));
  return deps.useCases.receiveFile(sent, (received) => {
    const file = { ...received, traits: { text: true } } as const;
    return createTo(deps, request, { target: { type: 'DOWNLOAD', file }, wanted }, creation);
  });
}

/** Creates a link to a target, once if its request has an Idempotency-Key. */
export function createTo(
  deps: HttpDependencies,
  request: FastifyRequest,
  { target, wanted }: { target: Target; wanted: NewLinkRequest },
  { client, keyed }: Creation,
): Promise<OnceResult> {
  const requested = withLanguage(wanted, request);
  const owner = newOwnerOf(request.caller);
  return createOnce(
    keyed,
    (once) =>
      deps.useCases.createLink(request.id, target, requested, request.author, { ...client, once, owner }),
    (created) => toCreatedItem(created, wanted, deps),
  );
}

/**
 * Returns everything that the client gets of a new link. "The response repeats the text as it was sent"; an expiry
 * from `app.link.default-ttl` is in UTC. `confirm` is included only when the client sent it: a client that follows the
 * specification alone gets exactly its members.
 */
function toCreatedItem(
  { link, token, history }: CreatedLink,
  sent: Pick<NewLinkRequest, 'expiresAtText' | 'confirm'>,
  { addresses, useCases }: Pick<HttpDependencies, 'addresses' | 'useCases'>,
): CreatedLinkItem {
  const { shortCode, expiresAt, maxViews, target } = link;
  const webhookSecret = link.terms.notifyUrl ? useCases.linkSecret(shortCode) : undefined;
  return {
    shortCode,
    accessUrl: addresses.urlOf(link),
    expiresAt: sent.expiresAtText ?? (expiresAt === null ? null : formatInstant(expiresAt)),
    maxViews,
    ...(sent.confirm !== null && { confirm: sent.confirm }),
    fingerprint: history.fingerprint,
    ...(target.type === 'DOWNLOAD' && toFileItem(target.file)),
    token,
    ...(webhookSecret !== undefined && { webhookSecret }),
  };
}

/** Returns what the client gets of the file of a new link: not the SHA-256 of a text, by which it could be guessed. */
function toFileItem(file: StoredFile): Pick<CreatedLinkItem, 'sha256' | 'scan'> {
  const { sha256, traits } = file;
  return { ...(!isShownText(file) && { sha256 }), ...(traits?.scan && { scan: traits.scan }) };
}

/**
 * How an endpoint sends a new link. Its token, its fingerprint, the SHA-256 of its file and the secret of its webhooks are
 * in headers, so that the body is that of the specification. A repeat lacks the secrets.
 */
export const SENDS_CREATED = {
  sends: LinkCreated,
  status: 201,
  show({ item, isReplayed }: OnceResult, { reply }: { reply: FastifyReply }) {
    const { token, fingerprint, sha256, webhookSecret, ...record } = item;
    if (isReplayed) markReplayed(reply);
    if (sha256 !== undefined) reply.header('x-link-file-sha256', sha256);
    if (token !== undefined) reply.header('x-link-token', token);
    if (webhookSecret !== undefined) reply.header('x-link-webhook-secret', webhookSecret);
    reply.header('x-link-fingerprint', fingerprint);
    return record;
  },
} as const;

/** Adds the language of the client, in which the mails about its link are written. */
export function withLanguage<Wanted extends { terms?: Partial<LinkTerms> }>(
  wanted: Wanted,
  { headers }: FastifyRequest,
): Wanted {
  if (!wanted.terms?.notifyEmail) return wanted;
  return { ...wanted, terms: { ...wanted.terms, notifyLanguage: readLanguage(headers['accept-language']) } };
}

/** Returns what the administrator allows files. */
export const filePolicyOf = ({ config }: HttpDependencies): FilePolicy => ({
  maxFileBytes: config.uploads.maxFileBytes,
  isScanRequired: config.uploads.scan.isRequired,
});

/** Returns what the administrator allows in links. @param mayNotify whether the client has credentials for it */
export function termsPolicyOf(
  deps: HttpDependencies,
  { caller, isAuthorized }: Pick<FastifyRequest, 'caller' | 'isAuthorized'>,
  mayNotify = isAuthorized,
): TermsPolicy & TargetPolicy {
  const { baseUrl, hosts, links, webhooks, mail } = deps.config;
  return {
    ...links.policy,
    baseUrl,
    hosts,
    blockedHosts: deps.useCases.blockedHosts,
    notify: notifyPolicyOf(webhooks, mayNotify),
    mail: mailPolicyOf(mail, mayNotify, caller),
    teams: hasScope(caller, 'manage') ? 'ANY' : holderOf(caller).teams,
  };
}
