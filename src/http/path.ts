/** The path of a request as it was sent, without its query. */
export function pathOf(request: { url?: string | undefined }): string {
  const url = request.url ?? '/';
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
