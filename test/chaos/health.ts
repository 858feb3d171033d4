import { json, member, type Server, send } from '../support/http-client.ts';

/** Returns the status that health reports, and the components to which it is due. Rejects without a response. */
export async function readHealth({ server }: { server: Server }): Promise<string> {
  const health = json(await send(server, '/actuator/health'));
  const status = String(member(health, 'status'));
  const components = Object.entries(Object(member(health, 'components')));
  const causes = components.filter(([, component]) => member(component, 'status') !== 'UP');
  return [status, ...causes.map(([name]) => name)].join(' ');
}
