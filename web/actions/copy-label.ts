import type { LinkDescription } from '../service/contract.ts';

/** Returns the label of the button that copies the address of a link, which lacks the key of an encrypted one. */
export function copyLabelOf({ file, requestCode }: Partial<Pick<LinkDescription, 'file' | 'requestCode'>>) {
  // What arrived with a file request is encrypted to the key of its owner.
  return file?.encrypted && requestCode === undefined ? 'copy.withoutKey' : 'copy.link';
}
