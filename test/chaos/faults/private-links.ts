import type { Arena } from '../arena.ts';
import { planCreation } from '../requests.ts';

/** Creates a link that the clients of the load do not choose. Returns its short code. */
export async function createPrivateLink(arena: Arena, options: { maxViews?: number } = {}): Promise<string> {
  const { clients } = arena;
  const planned = { ...planCreation(clients.nextAgent(), options), isPrivate: true as const };
  await clients.sendOne(planned);
  const created = [...clients.history.links.values()].find(
    ({ target }) => target === planned.creates?.target,
  );
  if (!created) throw new Error(`${planned.agent} could not create a link`);
  return created.shortCode;
}
