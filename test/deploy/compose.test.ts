import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { PROPERTIES } from '../../src/config/properties.ts';
import { prepareClientAddress } from '../../src/http/client-address.ts';
import { MAX_HEADER_BYTES } from '../../src/http/server.ts';
import {
  assertSettings,
  configFrom,
  constantIn,
  STOP_AT_LAST_SECONDS,
} from '../support/deployed-settings.ts';
import { execForm, readDockerfile, textsOf } from '../support/dockerfile.ts';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { temporaryDirectory } from '../support/service.ts';

type Container = {
  image: string;
  environment?: Record<string, string>;
  secrets?: string[];
  command?: string[];
  ports?: string[];
  volumes?: string[];
  networks: string[];
  stop_grace_period?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
};
type Name = 'load-balancer' | 'postern' | 'database' | 'storage' | 'storage-bucket';
type Composition = {
  services: Record<Name, Container>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, unknown>;
};
const { services, secrets, networks, volumes }: Composition = parse(readProjectFile('deploy/compose.yaml'));
const { postern, database, storage } = services;
const SECRETS_SCRIPT = join(ROOT, 'deploy/make-secrets.sh');

/** What Compose makes of the environment where nobody has set a variable of its own. */
const environment = Object.fromEntries(
  Object.entries(postern.environment ?? {}).map(([name, value]) => [
    name,
    value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
  ]),
);

/** Secrets as the script draws them, by name. */
function drawSecrets(t: TestContext): { directory: string; drawn: Record<string, string> } {
  const directory = join(temporaryDirectory(t), 'secrets');
  execFileSync('sh', [SECRETS_SCRIPT, directory]);
  const names = readdirSync(directory);
  return {
    directory,
    drawn: Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')])),
  };
}

describe('compose.yaml', () => {
  test('has two instances of the service, on PostgreSQL and object storage, with settings that it takes', (t) => {
    const { drawn } = drawSecrets(t);
    assert.equal(postern.deploy?.replicas, 2);
    assertSettings(environment, '/run/secrets');
    const mounted = (postern.secrets ?? []).map((name) => [`/run/secrets/${name}`, drawn[name] ?? '']);
    const config = configFrom(environment, Object.fromEntries(mounted));
    assert.ok(config.database.kind === 'postgres');
    assert.deepEqual(config.database.hosts, [{ host: 'database', port: 5432 }]);
    assert.equal(config.database.user, database.environment?.['POSTGRES_USER']);
    assert.equal(config.database.database, database.environment?.['POSTGRES_DB']);
    assert.equal(config.database.password, drawn['database-password']?.trim());
  });

  test('keeps files in the bucket that it makes, at the port where the object storage listens', () => {
    const [, bucket] = /^s3:\/\/([^/]+)/.exec(environment['APP_STORAGE_URL'] ?? '') ?? [];
    const makesBucket = String(services['storage-bucket'].command);
    assert.match(makesBucket, new RegExp(`s3\\.bucket\\.create -name ${bucket}\\b`));
    assert.equal(services['storage-bucket'].image, storage.image);
    const port = storage.command?.find((word) => word.startsWith('-s3.port='))?.split('=')[1];
    assert.equal(environment['APP_STORAGE_ENDPOINT'], `http://storage:${port}`);
    assert.equal(environment['APP_STORAGE_PATH_STYLE'], 'true', 'a bucket is no host name there');
  });

  test('gives each container only secrets that are declared, as files, and each is drawn by the script', (t) => {
    const { directory, drawn } = drawSecrets(t);
    const used = Object.values(services).flatMap((service) => service.secrets ?? []);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(secrets).sort());
    assert.deepEqual(Object.keys(drawn).sort(), Object.keys(secrets).sort());
    for (const [name, { file }] of Object.entries(secrets)) assert.equal(file, `./secrets/${name}`);
    for (const { environment = {}, command = [] } of Object.values(services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|CREDENTIALS|DATABASE_URL/.test(name))
          assert.match(value, /^\/run\/secrets\//, name);
      }
      assert.doesNotMatch(command.join(' '), /password|secret-?key|access-?key/i);
    }
    const credentials = drawn['storage-credentials'] ?? '';
    const { identities } = JSON.parse(drawn['storage-identities'] ?? '');
    const [{ accessKey, secretKey }] = identities[0].credentials;
    assert.equal(
      credentials,
      `[default]\naws_access_key_id = ${accessKey}\naws_secret_access_key = ${secretKey}\n`,
    );
    assert.ok(accessKey.length >= 20 && secretKey.length >= 40);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
  });

  test('never draws secrets over others, nor the same ones again', (t) => {
    const { directory, drawn } = drawSecrets(t);
    const again = spawnSync('sh', [SECRETS_SCRIPT, directory], { encoding: 'utf8' });
    assert.equal(again.status, 1);
    assert.match(again.stderr, /nothing was changed/);
    assert.equal(readFileSync(join(directory, 'database-password'), 'utf8'), drawn['database-password']);
    assert.notEqual(drawSecrets(t).drawn['database-password'], drawn['database-password']);
  });

  test('keeps the secrets out of the repository and out of the image', () => {
    assert.match(readProjectFile('.gitignore'), /^deploy\/secrets\/$/m);
    assert.doesNotMatch(readProjectFile('.dockerignore'), /^!deploy/m);
  });

  test('runs the service on a root that is read-only, with no rights that it does not need', () => {
    for (const service of [postern, services['load-balancer']]) {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
    }
    const image = readDockerfile(readProjectFile('Dockerfile')).at(-1);
    assert.ok(image);
    const [uid, gid] = textsOf(image, 'USER')[0]?.split(':') ?? [];
    assert.deepEqual(postern.tmpfs, [
      `${textsOf(image, 'VOLUME')[0]}:size=1m,uid=${uid},gid=${gid},mode=0700`,
    ]);
  });

  test('gives the service more time to stop than it takes, and the load balancer more than it waits', () => {
    assert.ok(seconds(postern.stop_grace_period) > STOP_AT_LAST_SECONDS);
    assert.ok(
      seconds(services['load-balancer'].stop_grace_period) > seconds(section('global')['hard-stop-after']),
    );
  });

  test('starts each part when those are healthy which it needs, and each of them can tell', () => {
    for (const [name, { depends_on = {} }] of Object.entries(services)) {
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        const [, other] = Object.entries(services).find(([name]) => name === needed) ?? [];
        const isTold = needed === 'postern' || other?.healthcheck !== undefined;
        assert.equal(condition === 'service_healthy', isTold, `${name} needs ${needed}`);
      }
    }
  });

  test('keeps what has to last in volumes that it declares', () => {
    const kept = [database, storage].flatMap((service) => service.volumes?.map((text) => text.split(':')[0]));
    assert.deepEqual(kept, Object.keys(volumes));
  });

  test('lets nobody reach the service, the database and the files but through the load balancer', () => {
    for (const [name, service] of Object.entries(services)) {
      const isInside = service.networks.every((network) => networks[network]?.internal === true);
      assert.equal(isInside, name !== 'load-balancer', name);
      assert.equal(service.ports !== undefined, name === 'load-balancer', name);
    }
    const [open, ...inside] = services['load-balancer'].ports ?? [];
    const port = section('frontend public')['bind']?.slice(1);
    assert.equal(open, `${port}:${port}`);
    for (const published of inside) assert.match(published, /^127\.0\.0\.1:/);
  });

  test('names the version of each image, and of ours the one of the package', () => {
    const { version } = JSON.parse(readProjectFile('package.json'));
    assert.equal(postern.image, `postern:${version}`);
    for (const { image } of Object.values(services)) assert.match(image, /^[a-z/]+:\d[\w.-]*$/);
  });
});

/** One section of haproxy.cfg, by keyword; where a keyword stands more than once, its lines are joined. */
function section(heading: string): Record<string, string> {
  const text = readProjectFile('deploy/haproxy.cfg');
  const [, body] = new RegExp(`^${RegExp.escape(heading)}\\n((?:[ \\t].*\\n|\\n)*)`, 'm').exec(text) ?? [];
  assert.ok(body, `there is no ${heading}`);
  const keywords: Record<string, string> = {};
  for (const line of body.split('\n').filter((line) => !/^\s*(#|$)/.test(line))) {
    const [, name = '', rest = ''] = /^\s+((?:timeout |option )?\S+) ?(.*)$/.exec(line) ?? [];
    keywords[name] = name in keywords ? `${keywords[name]}\n${rest}` : rest;
  }
  return keywords;
}

function seconds(text: string | undefined): number {
  const [, digits] = /^(\d+)s$/.exec(text ?? '') ?? [];
  assert.ok(digits, `${text} is a number of seconds`);
  return Number(digits);
}

/** Docker's bridge networks, and a client of the world. */
const LOAD_BALANCER = '172.18.0.5';
const CLIENT = '203.0.113.9';

/** As many as HAProxy looks for. */
const MOST_INSTANCES = 8;

describe('haproxy.cfg', () => {
  test('looks for no more instances than PostgreSQL has connections for, and for those that are started', () => {
    const DEFAULT_CONNECTIONS = 100 - 3; // max_connections without superuser_reserved_connections
    assert.equal(environment['APP_DATABASE_POOL_SIZE'], undefined, 'the default holds');
    assert.ok(MOST_INSTANCES * PROPERTIES.poolSize.fallback <= DEFAULT_CONNECTIONS);
    assert.ok((postern.deploy?.replicas ?? 0) <= MOST_INSTANCES);
  });

  const FRONTENDS = ['frontend public', 'frontend inside'] as const;

  test('tells the address of the client in the header that the service believes, and only its own', () => {
    for (const name of FRONTENDS) {
      assert.match(section(name)['http-request'] ?? '', /^set-header X-Forwarded-For %\[src\]$/m);
    }
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: LOAD_BALANCER });
    const request = new IncomingMessage(socket);
    request.headers['x-forwarded-for'] = CLIENT;
    assert.equal(environment['APP_TRUSTED_PROXIES'], undefined, 'the default holds');
    assert.equal(prepareClientAddress(PROPERTIES.trustedProxies.fallback)(request), CLIENT);
  });

  test('lets strangers open links and nothing else', () => {
    assert.match(
      section('frontend public')['http-request'] ?? '',
      /^deny deny_status 404 unless \{ path_beg \/l\/ \} \{ method GET HEAD POST \}$/m,
    );
  });

  test('asks each instance of the composition for a health that it has, at the port where it listens', () => {
    const { 'http-check': check = '', 'server-template': template } = section('backend instances');
    const [, path = ''] = / uri (\S+) /.exec(check) ?? [];
    assert.equal(path.split('/').at(-1), 'readiness', 'which tells that an instance stops');
    assert.match(check, /^expect status 200$/m);
    assert.equal(template, `postern ${MOST_INSTANCES} postern:${PROPERTIES.port.fallback}`);
    assert.ok('postern' in services);
    const image = readDockerfile(readProjectFile('Dockerfile')).at(-1);
    const [healthCheck = ''] = image ? textsOf(image, 'HEALTHCHECK') : [];
    assert.ok(execForm(healthCheck).at(-1)?.includes(path), 'as the image does, whose health check is run');
  });

  test('never sends a request again that an instance may have got', () => {
    assert.equal(section('defaults')['retry-on'], 'conn-failure');
  });

  test('has time-outs of silence only, longer than those of the service, and holds no body back', () => {
    const defaults = section('defaults');
    const idleSeconds = constantIn('src/http/server.ts', 'IDLE_CONNECTION_MS') / 1000;
    assert.ok(seconds(defaults['timeout client']) > idleSeconds);
    assert.ok(seconds(defaults['timeout server']) > idleSeconds);
    assert.ok(
      seconds(defaults['timeout check']) >
        constantIn('src/observability/health.ts', 'PROBE_TIMEOUT_MS') / 1000,
    );
    const text = readProjectFile('deploy/haproxy.cfg').replaceAll(/^\s*#.*$/gm, '');
    assert.doesNotMatch(
      text,
      /http-buffer-request|wait-for-body|req\.body|compression|\bcache\b|timeout tunnel/,
    );
  });

  test('takes the headers that the service takes', () => {
    const KEPT_FREE = 1024; // tune.maxrewrite, by default
    assert.ok(Number(section('global')['tune.bufsize']) - KEPT_FREE >= MAX_HEADER_BYTES);
  });
});
