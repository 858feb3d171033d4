import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Config } from '../core/config/config.ts';
import { PROBLEMS } from '../core/model/problem.ts';
import { ERRORS } from './errors.ts';
import { correlationIdOf, keepCorrelationBytes, prepareCommonHeaders } from './headers.ts';
import { pathOf } from './path.ts';
import { JSON_HEADERS, NO_STORE, sendText, toErrorResponse } from './response.ts';

const DATABASE = {
  status: 'DOWN',
  details: { database: 'unreachable', problems: { database_disk_full: PROBLEMS.database_disk_full } },
};
const LIVE = JSON.stringify({ status: 'UP' }); // a restart frees no space

/**
 * Creates the servers of a service that waits for space on the disk of its database. They respond with 503 to all but
 * liveness, because no attempt can be recorded, and health says why.
 */
export function createWaitingServers({ access, server: settings }: Pick<Config, 'access' | 'server'>) {
  const { healthDetails, managementPort } = settings;
  const commonHeaders = prepareCommonHeaders(settings.corsAllowedOrigins);
  const show = (components: object): string => JSON.stringify({ status: 'DOWN', ...components });
  const servers: Server[] = [];
  const serve =
    (showsDetails: boolean): RequestListener =>
    (request, response) => {
      const path = pathOf(request);
      const isLive = path === '/actuator/health/liveness';
      const down = show(
        showsDetails && healthDetails && access.mode === 'open' ? { components: { database: DATABASE } } : {},
      );
      const health = {
        status: isLive ? 200 : 503,
        headers: [...JSON_HEADERS, ...NO_STORE],
        body: isLive ? LIVE : down,
      };
      const failure = toErrorResponse(ERRORS.databaseUnavailable(), path, Date.now(), NO_STORE);
      keepCorrelationBytes(request, response);
      const common = [...commonHeaders(request, correlationIdOf(request)), 'connection', 'close'];
      sendText(response, common, path.startsWith('/actuator/health') ? health : failure);
      request.resume();
    };
  const create = (showsDetails: boolean): Server => {
    const server = createServer(serve(showsDetails));
    servers.push(server);
    return server;
  };
  const server = create(managementPort === null);
  return {
    app: {
      listen: ({ host, port }: { host: string; port: number }) =>
        once(server.listen(port, host), 'listening'),
    },
    managementServer: managementPort === null ? undefined : create(true),
    async close(): Promise<void> {
      const listening = servers.filter((each) => each.listening);
      const closed = listening.map(async (each): Promise<void> => void (await once(each.close(), 'close')));
      for (const each of servers) each.closeAllConnections();
      await Promise.all(closed);
    },
  };
}
