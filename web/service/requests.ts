import { type Outcome, parse, toRefusal } from './outcome.ts';

/** The service is where the page is, below whatever path. */
export function serviceUrl(path: string): URL {
  return new URL(path, document.baseURI);
}

/** Asks for a JSON document of the service. One status besides success may bear one too. */
export async function askJson<Value>(
  path: string,
  options: RequestInit = {},
  otherStatus?: number,
): Promise<Outcome<Value>> {
  const answer = await ask(path, options);
  if (!answer) return isAborted(options) ? { kind: 'CANCELLED' } : { kind: 'UNREACHABLE' };
  const isDocument = answer.ok || answer.status === otherStatus;
  if (!isDocument) return toRefusal(answer.status, await textOf(answer));
  const value = parse(await textOf(answer));
  // The page and the service are of one version: what the service answers has the shape of its schemas.
  return value === undefined ? { kind: 'UNREACHABLE' } : { kind: 'DONE', value: value as Value };
}

/** Asks the service to delete; what is not there is deleted. */
export async function deleteAt(path: string): Promise<Outcome<null>> {
  const answer = await ask(path, { method: 'DELETE' });
  if (!answer) return { kind: 'UNREACHABLE' };
  if (answer.ok || answer.status === 404) return { kind: 'DONE', value: null };
  return toRefusal(answer.status, await textOf(answer));
}

async function ask(path: string, options: RequestInit): Promise<Response | undefined> {
  try {
    const headers = { accept: 'application/json', ...options.headers };
    return await fetch(serviceUrl(path), { ...options, headers });
  } catch {
    return undefined;
  }
}

function isAborted({ signal }: RequestInit): boolean {
  return signal?.aborted === true;
}

async function textOf(answer: Response): Promise<string> {
  try {
    return await answer.text();
  } catch {
    return '';
  }
}
