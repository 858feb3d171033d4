/** The only text that becomes part of a path or a key: no separator, no dot, one spelling for each id. */
const FILE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isFileId = (text: string): boolean => FILE_ID.test(text);

/** @throws TypeError when the text is not a UUID in lower case */
export function assertFileId(fileId: string): void {
  if (!isFileId(fileId)) throw new TypeError('a file id must be a UUID in lower case');
}
