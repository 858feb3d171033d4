import { json, member, type Server, send } from '../support/http-client.ts';

/** Returns the status that health reports. Rejects when there is no response. */
export async function readHealth({ server }: { server: Server }): Promise<string> {
  return String(member(json(await send(server, '/actuator/health')), 'status'));
}
