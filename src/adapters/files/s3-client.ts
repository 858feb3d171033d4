import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Location } from '../../common/locations.ts';
import { StorageUnavailableError } from '../../core/model/unavailable.ts';
import type { OnStorageRequest } from '../../core/ports/file-store.ts';

/** A request that is cut off, times out or gets a 5xx is retried up to this many tries, with growing delays. */
const MAX_TRIES = 3;

/** Servers other than AWS ignore the region, but the signature needs one. */
const DEFAULT_REGION = 'us-east-1';

export function connectS3({ endpoint, region, pathStyle, timeoutMs }: S3Location): S3Client {
  const signingRegion = region ?? (endpoint === null ? null : DEFAULT_REGION);
  // A download holds a connection until its end: 50 slow clients would use up the SDK's default.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  return new S3Client({
    ...(endpoint !== null && { endpoint }),
    ...(signingRegion !== null && { region: signingRegion }),
    forcePathStyle: pathStyle,
    maxAttempts: MAX_TRIES,
    retryMode: 'standard',
    // Expect: 100-continue before each part would need another connection.
    expectContinueHeader: false,
    // The SDK checks uploads. A check of downloads passes them through another stream, which is too slow.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      // A socket timeout would cut off slow clients. `toOpenFile` limits the wait for each chunk instead.
      socketTimeout: 0,
    },
  });
}

/** Reports each request of a client from now on, with its retries. */
export function observeS3(client: S3Client, onRequest: OnStorageRequest): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (input) => {
        const startedAt = performance.now();
        try {
          return await next(input);
        } finally {
          onRequest(commandName.replace(/Command$/, ''), (performance.now() - startedAt) / 1000);
        }
      },
    { step: 'initialize', name: 'observe' },
  );
}

/**
 * Resolves like a request to object storage.
 *
 * @param operation completes "object storage failed …"
 * @throws StorageUnavailableError, which names the operation and the response
 */
export async function withS3Context<T>(operation: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (cause) {
    const message = `object storage failed ${operation}: ${reasonOf(cause)}`;
    throw new StorageUnavailableError(message, { cause });
  }
}

/** Does as `withS3Context`, but resolves to undefined for an error with one of these names. */
export function withS3ContextOrUndefined<T>(
  names: readonly string[],
  operation: string,
  request: Promise<T>,
): Promise<T | undefined> {
  const expected = request.catch((error: unknown) => {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  });
  return withS3Context(operation, expected);
}

/** Describes an error. Those of HEAD have no message, and some connection errors have only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const code = 'code' in error ? error.code : undefined;
  const parts = [error.name, code, status && `HTTP ${status}`, error.message];
  return [...new Set(parts.filter((part) => part && part !== 'Error' && part !== 'UnknownError'))].join(', ');
}
