import { composeFiles } from '../../../src/service/open-stores.ts';
import { configOf } from '../../drive/arena.ts';
import type { Arena } from '../arena.ts';

/** Removes the files of links that the database lacks, which `postern verify` lists for the administrator. */
export async function removeStrays(arena: Arena): Promise<void> {
  const files = await composeFiles(configOf(arena));
  const { links } = await arena.readState();
  const linked = new Set(links.map(({ file }) => file?.id));
  const stored = await Array.fromAsync(files.list());
  for (const { fileId } of stored.filter((file) => !linked.has(file.fileId))) await files.remove(fileId);
}
