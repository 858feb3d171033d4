/** Only this goes into a path or a key: neither a separator, nor a dot, nor a second spelling of the same id can. */
const FILE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isFileId = (text: string): boolean => FILE_ID.test(text);

/** @throws TypeError for anything but a UUID in lower case */
export function assertFileId(fileId: string): void {
  if (!isFileId(fileId)) throw new TypeError('a file id must be a UUID in lower case');
}
