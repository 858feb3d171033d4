import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type ClientRequest, get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import process from 'node:process';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { IMAGE_STAGE, textsOf } from '../../packaging/dockerfile.ts';
import { IMAGE } from '../../packaging/places.ts';
import { VERSION } from '../../src/common/version.ts';
import { PROPERTIES } from '../../src/core/config/properties.ts';
import { IDLE_CONNECTION_MS, MAX_HEADER_BYTES } from '../../src/http/server.ts';
import { PROBE_TIMEOUT_MS } from '../../src/observability/problems.ts';
import {
  assertSettings,
  configFrom,
  POSTGRES_CONNECTIONS,
  STOP_AT_LAST_SECONDS,
} from '../support/deployed-settings.ts';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { COMPOSED_HAPROXY, startReverseProxy, withoutProxy } from '../support/reverse-proxies.ts';
import { temporaryDirectory } from '../support/service.ts';

type Container = {
  image: string;
  environment?: Record<string, string>;
  secrets?: string[];
  command?: string[];
  ports?: string[];
  networks: string[];
  stop_grace_period?: string;
  tmpfs?: string[];
  deploy?: { replicas: number };
  logging?: { driver: string; options: Record<string, string> };
};
type Name = 'load-balancer' | 'postern' | 'database' | 'storage' | 'storage-bucket';
type Composition = {
  services: Record<Name, Container>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean } | null>;
};
const { services, secrets, networks }: Composition = parse(readProjectFile('deploy/compose.yaml'));
const { postern, database, storage } = services;
const SECRETS_SCRIPT = join(ROOT, 'deploy/make-secrets.sh');

/** The environment of the service where the administrator sets no variable. */
const environment = Object.fromEntries(
  Object.entries(postern.environment ?? {}).map(([name, value]) => [
    name,
    value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
  ]),
);

/** Returns the head of a response. */
async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(request, 'response');
  response.destroy();
  return response;
}

/** Runs the script that makes the secrets, and returns them by name. */
function makeSecrets(t: TestContext): { directory: string; made: Record<string, string> } {
  const directory = join(temporaryDirectory(t), 'secrets');
  execFileSync('sh', [SECRETS_SCRIPT, directory]);
  const names = readdirSync(directory);
  return {
    directory,
    made: Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')])),
  };
}

describe('compose.yaml', () => {
  test('compose.yaml lets the service send webhooks and mails, on a network that no other container is in', () => {
    const outward = postern.networks.filter((network) => networks[network]?.internal !== true);
    assert.equal(outward.length, 1, 'an internal network leads nowhere else');
    for (const [name, { networks: own }] of Object.entries(services)) {
      if (name !== 'postern') assert.ok(!own.includes(outward[0] ?? ''), name);
    }
  });

  test('compose.yaml bounds the logs of every container', () => {
    for (const [name, { logging }] of Object.entries(services)) {
      assert.equal(logging?.driver, 'json-file', name);
      assert.match(logging?.options['max-size'] ?? '', /^\d+m$/, name);
      assert.match(logging?.options['max-file'] ?? '', /^[2-9]$/, name);
    }
  });

  test('compose.yaml asks for keys, and never creates a database by itself', () => {
    assert.equal(environment['APP_ACCESS'], 'keys');
    assert.equal(environment['APP_DATABASE_MUST_EXIST'], 'true');
  });

  test('compose.yaml has valid settings, and a database URL for the database that it starts', (t) => {
    const { made } = makeSecrets(t);
    assertSettings(environment, '/run/secrets');
    const mounted = (postern.secrets ?? []).map((name) => [`/run/secrets/${name}`, made[name] ?? '']);
    const config = configFrom(environment, Object.fromEntries(mounted));
    assert.ok(config.database.kind === 'postgres');
    assert.deepEqual(config.database.hosts, [{ host: 'database', port: 5432 }]);
    assert.equal(config.database.user, database.environment?.['POSTGRES_USER']);
    assert.equal(config.database.database, database.environment?.['POSTGRES_DB']);
    assert.equal(config.database.password, made['database-password']?.trim());
    assert.equal(config.secret, made['app-secret']);
  });

  test('compose.yaml keeps files in the bucket that it creates, at the port of the object storage', () => {
    const [, bucket] = /^s3:\/\/([^/]+)/.exec(environment['APP_STORAGE_URL'] ?? '') ?? [];
    const createsBucket = String(services['storage-bucket'].command);
    assert.match(createsBucket, new RegExp(`s3\\.bucket\\.create -name ${bucket}\\b`));
    const port = storage.command?.find((word) => word.startsWith('-s3.port='))?.split('=')[1];
    assert.equal(environment['APP_STORAGE_ENDPOINT'], `http://storage:${port}`);
  });

  test('compose.yaml has secrets in files alone, and the script makes each of them', (t) => {
    const { directory, made } = makeSecrets(t);
    const used = Object.values(services).flatMap((service) => service.secrets ?? []);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(secrets).sort());
    assert.deepEqual(Object.keys(made).sort(), Object.keys(secrets).sort());
    for (const [name, { file }] of Object.entries(secrets)) assert.equal(file, `./secrets/${name}`);
    for (const { environment = {}, command = [] } of Object.values(services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|CREDENTIALS|DATABASE_URL/.test(name)) {
          assert.match(value, /^\/run\/secrets\//, name);
        }
      }
      assert.doesNotMatch(command.join(' '), /password|secret-?key|access-?key/i);
    }
    const { identities } = JSON.parse(made['storage-identities'] ?? '');
    const [{ accessKey, secretKey }] = identities[0].credentials;
    assert.equal(
      made['storage-credentials'],
      `[default]\naws_access_key_id = ${accessKey}\naws_secret_access_key = ${secretKey}\n`,
    );
    assert.ok(accessKey.length >= 20 && secretKey.length >= 40);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
  });

  test('the script never replaces secrets, and makes others each time', (t) => {
    const { directory, made } = makeSecrets(t);
    const again = spawnSync('sh', [SECRETS_SCRIPT, directory], { encoding: 'utf8' });
    assert.equal(again.status, 1);
    assert.match(again.stderr, /nothing was changed/);
    assert.equal(readFileSync(join(directory, 'database-password'), 'utf8'), made['database-password']);
    const other = makeSecrets(t).made;
    for (const name of ['database-password', 'app-secret']) assert.notEqual(other[name], made[name], name);
  });

  const skip = withoutProxy(COMPOSED_HAPROXY);
  test('the load balancer encrypts with the certificate that the script makes, and redirects to it', {
    skip,
  }, async (t) => {
    const { directory, made } = makeSecrets(t);
    const [, name = ''] = / crt \/run\/secrets\/(\S+) /.exec(section('frontend public')['bind'] ?? '') ?? [];
    assert.ok(services['load-balancer'].secrets?.includes(name));
    let plainPort = 0;
    const { url } = await startReverseProxy(t, {
      ...COMPOSED_HAPROXY,
      configure({ port, otherPort }) {
        plainPort = otherPort;
        return readProjectFile('deploy/haproxy.cfg')
          .replace('bind :8443', `bind 127.0.0.1:${port}`)
          .replace('bind :8080', `bind 127.0.0.1:${otherPort}`)
          .replace('bind :8081', `bind ${directory}/inside`)
          .replace('/run/secrets', directory);
      },
    });
    const encrypted = await responseTo(
      get(`https://localhost:${new URL(url).port}/l/code`, { ca: made[name] }),
    );
    assert.equal(encrypted.statusCode, 503, 'no instance runs');
    const plain = await responseTo(getPlain(`http://127.0.0.1:${plainPort}/l/code`));
    assert.equal(plain.statusCode, 302);
    assert.equal(plain.headers.location, `https://127.0.0.1:${plainPort}/l/code`);
    assert.equal(environment['APP_BASE_URL'], 'https://localhost');
  });

  test('the backup copies the database first, and starts the storage again, also after an error', (t) => {
    const directory = temporaryDirectory(t);
    const deployed = join(directory, 'deploy');
    mkdirSync(deployed);
    execFileSync('sh', [SECRETS_SCRIPT, join(deployed, 'secrets')]);
    copyFileSync(join(ROOT, 'deploy/backup.sh'), join(deployed, 'backup.sh'));
    // It prints its arguments, and fails at the one that the test names.
    const docker = 'echo "$*"; echo "$*" >> "$LOG"; case "$*" in *"$FAILS"*) exit 1; esac';
    writeFileSync(join(directory, 'docker'), `#!/bin/sh\n${docker}\n`, { mode: 0o755 });
    const run = (name: string, fails: string) => {
      const [log, backup] = [join(directory, `${name}.log`), join(directory, 'backup', name)];
      const env = { PATH: `${directory}:${process.env['PATH']}`, LOG: log, FAILS: fails };
      const { status } = spawnSync('sh', [join(deployed, 'backup.sh'), backup], { env });
      const words = [
        ...readFileSync(log, 'utf8').matchAll(/(pg_dump|stop storage|entrypoint tar|start storage)/g),
      ];
      return { status, steps: words.map(([word]) => word), files: readdirSync(backup).sort() };
    };
    const steps = ['pg_dump', 'stop storage', 'entrypoint tar', 'start storage'];
    assert.deepEqual(run('whole', 'nothing'), {
      status: 0,
      steps,
      files: ['database.dump', 'secrets', 'storage.tar'],
    });
    const failed = run('failed', 'tar');
    assert.deepEqual([failed.status, failed.steps], [1, steps]);
  });

  test('compose.yaml keeps the secrets out of the repository and the image', () => {
    assert.match(readProjectFile('.gitignore'), /^deploy\/secrets\/$/m);
    assert.match(
      readProjectFile('.gitignore'),
      /^\/backup\/$/m,
      'where install.md puts a backup, with the secrets',
    );
    assert.doesNotMatch(readProjectFile('.dockerignore'), /^!deploy/m);
  });

  test('compose.yaml runs the image of this version, whose user can write to its volume', () => {
    assert.equal(postern.image, `${IMAGE}:${VERSION}`);
    const [uid, gid] = textsOf(IMAGE_STAGE, 'USER')[0]?.split(':') ?? [];
    const volume = `${textsOf(IMAGE_STAGE, 'VOLUME')[0]}:size=1m,uid=${uid},gid=${gid},mode=0700`;
    assert.deepEqual(postern.tmpfs, [volume]);
  });

  test('compose.yaml leaves the service and the load balancer enough time to stop', () => {
    assert.ok(seconds(postern.stop_grace_period) > STOP_AT_LAST_SECONDS);
    const { stop_grace_period } = services['load-balancer'];
    assert.ok(seconds(stop_grace_period) > seconds(section('global')['hard-stop-after']));
  });

  test('compose.yaml opens nothing to the network but the public port of the load balancer', () => {
    for (const [name, { networks: own, ports }] of Object.entries(services)) {
      assert.equal(ports !== undefined, name === 'load-balancer', name);
      const isInside = own.every((network) => networks[network]?.internal === true);
      assert.equal(isInside, !['load-balancer', 'postern'].includes(name), name);
    }
    const [redirects, opens, ...inside] = services['load-balancer'].ports ?? [];
    const [plain = '', encrypted = ''] = section('frontend public')['bind']?.split('\n') ?? [];
    assert.equal(`80${plain}`, redirects);
    assert.equal(`443${encrypted.split(' ')[0]}`, opens);
    for (const published of inside) assert.match(published, /^127\.0\.0\.1:/);
  });
});

/** Returns a section of haproxy.cfg by keyword. The lines of a repeated keyword are joined. */
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

describe('haproxy.cfg', () => {
  test('haproxy.cfg finds every instance at its port, and no more than PostgreSQL has connections for', () => {
    const template = section('backend instances')['server-template'] ?? '';
    const [, instances, port] = /^postern (\d+) postern:(\d+)$/.exec(template) ?? [];
    assert.equal(Number(port), PROPERTIES.server.port.fallback);
    assert.ok((postern.deploy?.replicas ?? 0) <= Number(instances));
    assert.equal(environment['APP_DATABASE_POOL_SIZE'], undefined, 'the default applies');
    assert.ok(Number(instances) * PROPERTIES.database.poolSize.fallback <= POSTGRES_CONNECTIONS);
  });

  test('haproxy.cfg passes on the address of the client in the header that the service trusts', () => {
    for (const name of ['frontend public', 'frontend inside']) {
      assert.match(section(name)['http-request'] ?? '', /^set-header X-Forwarded-For %\[src\]$/m);
    }
    assert.equal(environment['APP_TRUSTED_PROXIES'], undefined, 'the default has private networks');
  });

  test('haproxy.cfg lets visitors open links and nothing else', () => {
    assert.match(
      section('frontend public')['http-request'] ?? '',
      /^deny deny_status 404 unless \{ path_beg \/l\/ \} \{ method GET HEAD POST PATCH \}$/m,
    );
  });

  test('haproxy.cfg checks the health that the image checks', () => {
    const [, path = ''] = / uri (\S+) /.exec(section('backend instances')['http-check'] ?? '') ?? [];
    assert.equal(path, '/actuator/health/readiness', 'which fails while an instance stops');
    assert.ok(readProjectFile('Dockerfile').includes(path));
  });

  test('haproxy.cfg never repeats a request that an instance may have received', () => {
    assert.equal(section('defaults')['retry-on'], 'conn-failure');
  });

  test('haproxy.cfg has time-outs longer than those of the service, and none for a whole transfer', () => {
    const defaults = section('defaults');
    const idleSeconds = IDLE_CONNECTION_MS / 1000;
    const probeSeconds = PROBE_TIMEOUT_MS / 1000;
    assert.ok(seconds(defaults['timeout client']) > idleSeconds);
    assert.ok(seconds(defaults['timeout server']) > idleSeconds);
    assert.ok(seconds(defaults['timeout check']) > probeSeconds);
    assert.equal(defaults['timeout tunnel'], undefined);
  });

  test('haproxy.cfg accepts the headers that the service accepts', () => {
    const RESERVED_BYTES = 1024; // tune.maxrewrite, by default
    assert.ok(Number(section('global')['tune.bufsize']) - RESERVED_BYTES >= MAX_HEADER_BYTES);
  });
});
