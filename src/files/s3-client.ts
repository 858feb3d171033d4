import { S3Client } from '@aws-sdk/client-s3';

/** Where files are in object storage, and how it is reached. Credentials are found by the SDK's usual chain. */
export type S3Location = Readonly<{
  bucket: string;
  /** Begins each key, without a slash at its end; empty for none. */
  prefix: string;
  /** A server that speaks S3; null: that of AWS for the region. */
  endpoint: string | null;
  /** null: as the SDK's usual chain has it. */
  region: string | null;
  /** Whether the bucket is in the path of each URL, and not in its host name. */
  pathStyle: boolean;
  /** How long each try of a request may take until its answer begins, and each wait for further bytes. */
  timeoutMs: number;
}>;

/** A request that is cut, times out or is answered with 5xx is made again so often, a little later each time. */
const MAX_TRIES = 3;

/** Servers but AWS ask for some region all the same, to sign for. */
const REGION_OF_OTHERS = 'us-east-1';

export function connectS3({ endpoint, region, pathStyle, timeoutMs }: S3Location): S3Client {
  const signedFor = region ?? (endpoint === null ? null : REGION_OF_OTHERS);
  // Each download holds a connection for as long as it lasts: with the SDK's 50, as many slow clients would be all.
  const agent = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  return new S3Client({
    ...(endpoint !== null && { endpoint }),
    ...(signedFor !== null && { region: signedFor }),
    forcePathStyle: pathStyle,
    maxAttempts: MAX_TRIES,
    retryMode: 'standard',
    // Asking before each part whether it may come would take a connection of its own for it.
    expectContinueHeader: false,
    // The SDK checks what it sends; what is read it would check through one more stream, which is the end of its pace.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: timeoutMs,
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      // It would cut downloads whose clients are slow. How long bytes may take is watched where they are read.
      socketTimeout: 0,
    },
  });
}

/** What object storage answers; when it fails, an error that says at what, and what it answered. */
export async function withS3Context<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Error(`object storage failed ${what}: ${reasonOf(cause)}`, { cause });
  }
}

/** As `told`, but undefined where the error has one of these names. */
export function withS3ContextOrUndefined<T>(
  names: readonly string[],
  what: string,
  answer: Promise<T>,
): Promise<T | undefined> {
  const expected = answer.catch((error: unknown) => {
    if (error instanceof Error && names.includes(error.name)) return undefined;
    throw error;
  });
  return withS3Context(what, expected);
}

/** Its errors to HEAD have no text, and those of connections sometimes only a code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown };
  const status = $metadata?.httpStatusCode;
  const parts = [error.name, code, status && `HTTP ${status}`, error.message];
  return [...new Set(parts.filter((part) => part && part !== 'Error' && part !== 'UnknownError'))].join(', ');
}
