import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.ts';
import { fencedBlocks, readProjectFile } from './documents.ts';
import type { Server } from './http-client.ts';
import { freePort, startCommand, waitForPort } from './process.ts';
import { temporaryDirectory } from './service.ts';

/** The address of a proxy, the service behind it, and the directory that it may write to. */
type Place = { port: number; otherPort: number; service: string; directory: string };

/** A documented reverse proxy. `configure` returns its documented configuration for other ports and without TLS. */
type ReverseProxy = {
  program: string;
  configure(place: Place): string;
  command(configFile: string, directory: string): string[];
};

export const REVERSE_PROXIES: readonly ReverseProxy[] = [
  {
    program: 'nginx',
    configure({ port, service, directory }) {
      const server = replaceEach(documented('nginx'), {
        'listen 443 ssl': `listen 127.0.0.1:${port}`,
        '127.0.0.1:8080': service,
      });
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(' ');
      return `daemon off; master_process off; pid ${directory}/pid; events {}
        http { access_log off; ${paths} ${server} }`;
    },
    command: (configFile, directory) => ['nginx', '-e', 'stderr', '-p', directory, '-c', configFile],
  },
  {
    program: 'caddy',
    configure({ port, service }) {
      const site = replaceEach(documented('caddy'), {
        'links.example': `http://127.0.0.1:${port}`,
        '127.0.0.1:8080': service,
      });
      return `{\n admin off\n auto_https off\n default_bind 127.0.0.1\n}\n${site}`;
    },
    command: (configFile) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', configFile],
  },
  {
    program: 'haproxy',
    configure: ({ port, otherPort, service }) =>
      composedHaproxy({ port, otherPort, servers: `server postern ${service}` }),
    command: (configFile) => ['haproxy', '-f', configFile],
  },
];

/** Returns the configuration of Compose's load balancer for other ports, and for servers that need no name server. */
function composedHaproxy(place: { port: number; otherPort: number; servers: string }): string {
  const text = readProjectFile('deploy/haproxy.cfg');
  return replaceEach(text, {
    'bind :8080': `bind 127.0.0.1:${place.port}`,
    'bind :8081': `bind 127.0.0.1:${place.otherPort}`,
    'server-template postern 8 postern:8080': place.servers,
    'resolvers docker init-addr none': '',
    [/^resolvers docker\n(?: .*\n)+/m.exec(text)?.[0] ?? '']: '',
  });
}

/** Returns the first documented configuration in a language. */
function documented(language: string): string {
  const [block] = fencedBlocks(readProjectFile('docs/operations/reverse-proxy.md'), language);
  assert.ok(block, `a configuration of ${language} is documented`);
  return block.text;
}

function replaceEach(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((replaced, [from, to]) => {
    assert.ok(from !== '' && replaced.includes(from), `the configuration has "${from}"`);
    return replaced.replaceAll(from, to);
  }, text);
}

/** Starts the load balancer of Compose in front of instances, for users. It passes on the addresses that clients name. */
export function startHaproxy(t: Cleanup, instances: readonly string[]): Promise<Server> {
  const servers = instances.map((url, index) => `server instance${index} ${new URL(url).host}`).join('\n  ');
  return startReverseProxy(t, {
    program: 'haproxy',
    configure: ({ port, otherPort }) =>
      replaceEach(composedHaproxy({ port: otherPort, otherPort: port, servers }), {
        'http-request set-header X-Forwarded-For %[src]': '',
      }),
    command: (configFile) => ['haproxy', '-f', configFile],
  });
}

/** Returns why tests with a proxy are skipped; false when they run. */
export function withoutProxy({ program }: ReverseProxy): string | false {
  return spawnSync(program, ['-v']).error ? `no ${program} on the PATH` : false;
}

/** Starts a proxy in front of a service. */
export async function startReverseProxy(
  t: Cleanup,
  { configure, command }: ReverseProxy,
  service?: Server,
): Promise<Server> {
  const directory = temporaryDirectory(t);
  chmodSync(directory, 0o755);
  const [port, otherPort] = [await freePort(), await freePort()];
  const configFile = join(directory, 'config');
  writeFileSync(
    configFile,
    configure({ port, otherPort, service: service ? new URL(service.url).host : '', directory }),
  );
  const env = { PATH: process.env['PATH'], HOME: directory };
  const running = startCommand(t, command(configFile, directory), { cwd: directory, env });
  await Promise.race([
    waitForPort(port),
    running.exited.then(({ stdout, stderr }) => Promise.reject(new Error(stdout + stderr))),
  ]);
  return { url: `http://127.0.0.1:${port}` };
}
