/** Returns a short code as it is written in an address. */
export function encodeCode(shortCode: string): string {
  return shortCode.split('/').map(encodeURIComponent).join('/');
}
