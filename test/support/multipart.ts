import { type RequestOptions, type Server, send, type TestResponse } from './http-client.ts';

/** One part of a form. A part with a `fileName`, even an empty one, is a file. */
export type Part = {
  name?: string;
  fileName?: string | undefined;
  contentType?: string;
  content: string | Buffer;
};

const BOUNDARY = '----postern-test-boundary';

export const MULTIPART_HEADERS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
export const END_OF_FORM = `--${BOUNDARY}--\r\n`;

/** Encodes a part as a browser does (HTML, "multipart/form-data encoding algorithm"). */
export function encodePart({ name, fileName, contentType, content }: Part): Buffer {
  const disposition = ['form-data'];
  if (name !== undefined) disposition.push(`name="${escapeName(name)}"`);
  if (fileName !== undefined) disposition.push(`filename="${escapeName(fileName)}"`);
  const head = [`--${BOUNDARY}`, `Content-Disposition: ${disposition.join('; ')}`];
  if (contentType !== undefined) head.push(`Content-Type: ${contentType}`);
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

function escapeName(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Encodes a whole form. */
export function encodeForm(parts: Part[]): Buffer {
  return Buffer.concat([...parts.map(encodePart), Buffer.from(END_OF_FORM)]);
}

/** Returns parts that are text fields. */
export function fields(values: Record<string, string>): Part[] {
  return Object.entries(values).map(([name, content]) => ({ name, content }));
}

/** Returns the part of the file. */
export function file(content: string | Buffer, fileName = 'report.pdf'): Part {
  return { name: 'file', fileName, contentType: 'application/octet-stream', content };
}

/** Sends a form, to create a link to its file unless the options name another path. */
export function sendForm(
  server: Server,
  parts: Part[],
  { path = '/api/links/upload', headers, ...options }: Omit<RequestOptions, 'body'> & { path?: string } = {},
): Promise<TestResponse> {
  const body = encodeForm(parts);
  return send(server, path, {
    method: 'POST',
    ...options,
    headers: { ...MULTIPART_HEADERS, ...headers },
    body,
  });
}
