import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from './certificates.ts';
import type { Cleanup } from './cleanup.ts';
import { ROOT, readProjectFile } from './documents.ts';
import type { Server } from './http-client.ts';
import { freePort, startCommand, waitForPort } from './process.ts';
import { temporaryDirectory } from './service.ts';

/** The address of a proxy, the service behind it, and the directory that it may write to. */
type Place = { port: number; otherPort: number; service: string; directory: string };

/** A reverse proxy with a file in `deploy/`. `configure` returns the file for other ports and without TLS. */
type ReverseProxy = {
  program: string;
  file: string;
  configure(place: Place): string;
  command(configFile: string, directory: string): string[];
  /** Prepares a directory as an administrator does, and returns the command that checks the file as it is. */
  check(directory: string): string[];
};

/** Writes a self-signed certificate and its key, apart and together. */
function writeCertificate(directory: string): void {
  const { key, certificate } = makeCertificate('links.example');
  writeFileSync(join(directory, 'privkey.pem'), key);
  writeFileSync(join(directory, 'fullchain.pem'), certificate);
  writeFileSync(join(directory, 'postern.pem'), certificate + key);
}

const fileOf = (name: string): string => `deploy/reverse-proxy/${name}`;

export const REVERSE_PROXIES: readonly ReverseProxy[] = [
  {
    program: 'nginx',
    file: fileOf('nginx.conf'),
    configure({ port, service, directory }) {
      const text = readProjectFile(this.file);
      const [redirect = ''] = /^server \{\n {2}listen 80;[^}]*\}\n/m.exec(text) ?? [];
      const server = replaceEach(text.replaceAll(/^ *ssl_.*\n/gm, ''), {
        [redirect]: '',
        'listen 443 ssl': `listen 127.0.0.1:${port}`,
        '127.0.0.1:8080': service,
      });
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(' ');
      return `daemon off; master_process off; pid ${directory}/pid; events {}
        http { access_log off; ${paths} ${server} }`;
    },
    command: (configFile, directory) => ['nginx', '-e', 'stderr', '-p', directory, '-c', configFile],
    check(directory) {
      mkdirSync(join(directory, 'postern'));
      writeCertificate(join(directory, 'postern'));
      const configFile = join(directory, 'nginx.conf');
      const http = `access_log off; include ${join(ROOT, this.file)};`;
      writeFileSync(configFile, `pid ${directory}/pid; events {} http { ${http} }`);
      return ['nginx', '-t', '-e', 'stderr', '-p', directory, '-c', configFile];
    },
  },
  {
    program: 'caddy',
    file: fileOf('Caddyfile'),
    configure({ port, service }) {
      const site = replaceEach(readProjectFile(this.file), {
        'links.example': `http://127.0.0.1:${port}`,
        '127.0.0.1:8080': service,
      });
      return `{\n admin off\n auto_https off\n default_bind 127.0.0.1\n}\n${site}`;
    },
    command: (configFile) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', configFile],
    check() {
      return ['caddy', 'validate', '--adapter', 'caddyfile', '--config', join(ROOT, this.file)];
    },
  },
  {
    program: 'haproxy',
    file: fileOf('haproxy.cfg'),
    configure({ port, service }) {
      return replaceEach(readProjectFile(this.file), {
        'bind :80\n': '\n',
        'bind :443 ssl crt postern.pem alpn h2,http/1.1': `bind 127.0.0.1:${port}`,
        'http-request redirect scheme https unless { ssl_fc }': '',
        '127.0.0.1:8080': service,
      });
    },
    command: (configFile) => ['haproxy', '-f', configFile],
    check(directory) {
      writeCertificate(directory);
      writeFileSync(join(directory, 'haproxy.cfg'), readProjectFile(this.file));
      return ['haproxy', '-c', '-f', join(directory, 'haproxy.cfg')];
    },
  },
];

/** An nginx as a hoster sets it up: it limits the body of a request. */
export const limitedNginx = (limit: string): Omit<ReverseProxy, 'check'> => ({
  program: 'nginx',
  file: `nginx with a limit of ${limit}`,
  configure({ port, service, directory }) {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(' ');
    const place = `location / { proxy_pass http://${service}; proxy_set_header Host $http_host; }`;
    return `daemon off; master_process off; pid ${directory}/pid; events {}
      http { access_log off; ${paths} client_max_body_size ${limit}; server { listen 127.0.0.1:${port}; ${place} } }`;
  },
  command: (configFile, directory) => ['nginx', '-e', 'stderr', '-p', directory, '-c', configFile],
});

/** The load balancer of Compose. */
export const COMPOSED_HAPROXY: Omit<ReverseProxy, 'check'> = {
  program: 'haproxy',
  file: 'deploy/haproxy.cfg',
  configure: ({ port, otherPort, service }) =>
    composedHaproxy({ port, otherPort, servers: `server postern ${service}` }),
  command: (configFile) => ['haproxy', '-f', configFile],
};

/** Returns the configuration of Compose's load balancer for other ports, and for servers that need no name server. */
function composedHaproxy(place: { port: number; otherPort: number; servers: string }): string {
  const text = readProjectFile('deploy/haproxy.cfg');
  return replaceEach(text, {
    'bind :8080': `bind 127.0.0.1:${place.port}`,
    'bind :8443 ssl crt /run/secrets/certificate alpn h2,http/1.1': '',
    'http-request redirect scheme https unless { ssl_fc }': '',
    'bind :8081': `bind 127.0.0.1:${place.otherPort}`,
    'server-template postern 8 postern:8080': place.servers,
    'resolvers docker init-addr none': '',
    [/^resolvers docker\n(?: .*\n)+/m.exec(text)?.[0] ?? '']: '',
  });
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
    ...COMPOSED_HAPROXY,
    configure: ({ port, otherPort }) =>
      replaceEach(composedHaproxy({ port: otherPort, otherPort: port, servers }), {
        'http-request set-header X-Forwarded-For %[src]': '',
      }),
  });
}

/** Returns why tests with a proxy are skipped; false when they run. */
export function withoutProxy({ program }: Pick<ReverseProxy, 'program'>): string | false {
  return spawnSync(program, ['-v']).error ? `no ${program} on the PATH` : false;
}

/** Starts a proxy in front of a service. */
export async function startReverseProxy(
  t: Cleanup,
  proxy: Omit<ReverseProxy, 'check'>,
  service?: Server,
): Promise<Server> {
  const directory = temporaryDirectory(t);
  chmodSync(directory, 0o755);
  const [port, otherPort] = [await freePort(), await freePort()];
  const configFile = join(directory, 'config');
  writeFileSync(
    configFile,
    proxy.configure({ port, otherPort, service: service ? new URL(service.url).host : '', directory }),
  );
  const env = { PATH: process.env['PATH'], HOME: directory };
  const running = startCommand(t, proxy.command(configFile, directory), { cwd: directory, env });
  await Promise.race([
    waitForPort(port),
    running.exited.then(({ stdout, stderr }) => Promise.reject(new Error(stdout + stderr))),
  ]);
  return { url: `http://127.0.0.1:${port}` };
}
