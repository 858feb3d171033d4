/**
 * What came of a request. `REFUSED` has the service's own words, and the field that they concern where they name
 * one; `UNREACHABLE` got no answer; `CANCELLED` was given up by the reader.
 */
export type Outcome<Value> =
  | { kind: 'DONE'; value: Value }
  | { kind: 'REFUSED'; status: number; field: string | null; text: string }
  | { kind: 'UNREACHABLE' }
  | { kind: 'CANCELLED' };

const FIELD_MESSAGE = /^(?<field>[a-zA-Z]+): (?<text>.+)$/s;

/** Reads an error record, whose message is "<field>: <text>" where it concerns a field. */
export function toRefusal(status: number, body: string): Outcome<never> {
  const record = parse(body);
  const message = isRecord(record) && typeof record['message'] === 'string' ? record['message'] : '';
  const { field = null, text = message } = FIELD_MESSAGE.exec(message)?.groups ?? {};
  return { kind: 'REFUSED', status, field, text: text || `HTTP ${status}` };
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
