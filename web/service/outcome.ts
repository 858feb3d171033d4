import { findProxyError } from '../../client/proxy-response.ts';

/** The values of an error, such as the maximum `max`. */
export type ErrorParams = Readonly<Record<string, string | number>>;

/**
 * The outcome of a request. `REFUSED` carries the error of the service, and the field that it names, if any.
 * `UNREACHABLE` got no response. `CANCELLED` was aborted by the user.
 */
export type Outcome<Value> =
  | { kind: 'DONE'; value: Value }
  | Refusal
  | { kind: 'UNREACHABLE' }
  | { kind: 'CANCELLED' };

export type Refusal = {
  kind: 'REFUSED';
  status: number;
  code: string | null;
  field: string | null;
  text: string;
  params: ErrorParams;
};

const FIELD_MESSAGE = /^(?<field>[a-zA-Z]+): (?<text>.+)$/s;

/**
 * Reads an error record, whose message is "<field>: <text>" when it concerns a field. What a proxy responded gets a code of
 * its own.
 *
 * @param header returns a header of the response; without it the record is part of a response of the service
 */
export function toRefusal(
  status: number,
  body: string,
  header?: (name: string) => string | null | undefined,
): Refusal {
  const parsed = parseJson(body);
  const record = isRecord(parsed) ? parsed : {};
  const found = header && findProxyError({ status, header, record });
  if (found) {
    const params = { proxy: found.proxy, status };
    return { kind: 'REFUSED', status, code: found.code, field: null, text: `HTTP ${status}`, params };
  }
  const message = typeof record['message'] === 'string' ? record['message'] : '';
  const { field = null, text = message } = FIELD_MESSAGE.exec(message)?.groups ?? {};
  const code = typeof record['code'] === 'string' ? record['code'] : null;
  const params = readParams(record['params']);
  return { kind: 'REFUSED', status, code, field, text: text || `HTTP ${status}`, params };
}

function readParams(value: unknown): ErrorParams {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).flatMap(([name, param]): [string, string | number][] =>
    typeof param === 'string' || typeof param === 'number' ? [[name, param]] : [],
  );
  return Object.fromEntries(entries);
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
