import { tokenHeader } from '../client/client.ts';
import type { Options } from './command.ts';
import { readSecret } from './prompt.ts';

const HELP = 'The token of the link, which postern create printed, in place of a key; - asks for it';

export const TOKEN_OPTION = {
  token: { type: 'string', value: 'TOKEN', help: HELP },
} as const satisfies Options;

/** Returns the header of the token that the options have. Other users of a machine may see its arguments. */
export async function readTokenHeader({
  token,
}: {
  token?: string | undefined;
}): Promise<Record<string, string>> {
  return tokenHeader(token === '-' ? await readSecret('Token of the link') : token);
}
