import { type Connection, call } from './connection.ts';

export type HistoryFilters = { result?: string; address?: string; start?: string; end?: string };

/** Requests the history of a link as NDJSON, the form that verify checks. */
export async function exportHistory(
  connection: Connection,
  { shortCode, headers }: { shortCode: string; headers: Record<string, string> },
  query: HistoryFilters = {},
): Promise<Response> {
  const request = connection.client.GET('/api/links/{shortCode}/history', {
    params: { path: { shortCode }, query },
    headers: { ...headers, accept: 'application/x-ndjson' },
    parseAs: 'stream',
  });
  return (await call(connection, request)).response;
}
