import { MOVE_MARK, type MoveMark } from '../move-mark.ts';
import type { Connections } from './connection.ts';

/** Returns the mark of the move into this store, or null when there was none. */
export async function readMoveMark(connections: Connections): Promise<MoveMark | null> {
  const [mark] = await connections.read<MoveMark>(MOVE_MARK.select);
  return mark ?? null;
}
