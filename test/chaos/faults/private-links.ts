import type { Arena } from '../arena.ts';
import { planCreation } from '../requests.ts';

/** Creates a link that the clients of the load do not choose. Returns its short code. */
export async function createPrivateLink(arena: Arena, options: { maxViews?: number } = {}): Promise<string> {
  const { clients } = arena;
  const planned = { ...planCreation(clients.nextAgent(), options), isPrivate: true as const };
  const created = await clients.create(planned);
  return created.shortCode;
}
