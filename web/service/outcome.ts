/**
 * The outcome of a request. `REFUSED` carries the message of the service, and the field that it names, if any.
 * `UNREACHABLE` got no response. `CANCELLED` was aborted by the user.
 */
export type Outcome<Value> =
  | { kind: 'DONE'; value: Value }
  | { kind: 'REFUSED'; status: number; field: string | null; text: string }
  | { kind: 'UNREACHABLE' }
  | { kind: 'CANCELLED' };

const FIELD_MESSAGE = /^(?<field>[a-zA-Z]+): (?<text>.+)$/s;

/** Reads an error record, whose message is "<field>: <text>" when it concerns a field. */
export function toRefusal(status: number, body: string): Outcome<never> {
  const record = parseJson(body);
  const message = isRecord(record) && typeof record['message'] === 'string' ? record['message'] : '';
  const { field = null, text = message } = FIELD_MESSAGE.exec(message)?.groups ?? {};
  return { kind: 'REFUSED', status, field, text: text || `HTTP ${status}` };
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
