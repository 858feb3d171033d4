import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import { isDefaultStorage } from '../../src/core/config/config.ts';
import { ALL_PROPERTIES } from '../../src/core/config/properties.ts';
import { environmentName } from '../../src/core/config/property.ts';
import { LINK_EVENT_TYPES } from '../../src/core/model/link-event.ts';
import { assertRefused, configOf, errorsOf } from '../support/config.ts';

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PRIVATE_RANGES =
  '127.0.0.0/8 ::1/128 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fc00::/7 fe80::/10'.split(' ');
const FILES = { '/etc/hosts.txt': 'evil.example', '/etc/logo.svg': '<svg>' };
const WITNESS =
  'witness.example+0bab1173+BAoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK https://witness.example';
const SECOND_WITNESS =
  'second.example+0d721a2d+BAoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK https://second.example/two/';
const LOGO = { bytes: Buffer.from('<svg>'), mediaType: 'image/svg+xml', extension: 'svg' };
const SERVER = { host: 'mail.example', port: 2525, security: 'STARTTLS', credentials: null };
const HOOKS = ['https://a.example', 'https://b.example/c?d=e'];
const DAY_MS = 86_400_000;

/** Properties, each with the place of its value in the configuration, its default, a text, and the value of that. */
const VALUES: [name: string, place: string, byDefault: unknown, text: string, value: unknown][] = [
  ['server.host', 'server.host', '::', '127.0.0.1', '127.0.0.1'],
  ['server.port', 'server.port', 8080, '1234', 1234],
  ['app.base-url', 'baseUrl', 'http://localhost:8080', 'https://a.example/go/', 'https://a.example/go'],
  ['app.management.port', 'server.managementPort', null, '4321', 4321],
  ['app.cors.allowed-origins', 'server.corsAllowedOrigins', [], 'https://a.example', ['https://a.example']],
  ['app.trusted-proxies', 'server.trustedProxies', PRIVATE_RANGES, '203.0.113.7', ['203.0.113.7']],
  ['management.endpoint.health.show-details', 'server.healthDetails', true, 'never', false],
  ['app.log.level', 'log.level', 'info', 'silent', 'silent'],
  ['app.log.addresses', 'log.hasAddresses', false, 'true', true],
  ['otel.exporter.otlp.endpoint', 'tracing.url', undefined, 'http://otel:4318', 'http://otel:4318/v1/traces'],
  ['otel.exporter.otlp.headers', 'tracing.headers', undefined, 'api-key=secret', { 'api-key': 'secret' }],
  ['otel.service.name', 'tracing.serviceName', undefined, 'links', 'links'],
  ['otel.traces.sampler.arg', 'tracing.sampledShare', undefined, '0.5', 0.5],
  ['app.short-path', 'shortPath', '/l/', '/', '/'],
  ['app.hosts', 'hosts', new Map(), 'go.example', new Map([['go.example', null]])],
  ['app.access', 'access.mode', 'open', 'keys', 'keys'],
  ['app.access.initial-key', 'access.initialKey', null, 'k'.repeat(32), 'k'.repeat(32)],
  ['app.access.user-header', 'access.userHeader', null, 'Remote-User', 'remote-user'],
  ['app.access.user-scopes', 'access.userScopes', ['create', 'read', 'manage'], 'read', ['read']],
  ['app.secret', 'secret', null, 's'.repeat(32), 's'.repeat(32)],
  ['app.oidc.issuer', 'signIn.provider.issuer', undefined, 'https://a.example/', 'https://a.example/'],
  ['app.oidc.client-id', 'signIn.provider.clientId', undefined, 'postern', 'postern'],
  ['app.oidc.client-secret', 'signIn.provider.clientSecret', undefined, 'client-secret', 'client-secret'],
  ['app.oidc.scopes', 'signIn.provider.scopes', undefined, 'openid email', 'openid email'],
  ['app.oidc.groups-claim', 'signIn.provider.groupsClaim', undefined, 'roles', 'roles'],
  ['app.oidc.group-scopes', 'signIn.provider.groupScopes.size', undefined, 'staff=create', 1],
  ['app.oidc.trust-email', 'signIn.provider.trustsEmail', undefined, 'true', true],
  ['app.oidc.check-interval', 'signIn.checkMs', 28_800_000, 'PT1H', 3_600_000],
  ['app.oidc.only', 'signIn.isEmergencyOnly', false, 'true', true],
  ['app.allowed-hosts', 'allowedHosts', [], 'internal.example', ['internal.example']],
  ['app.database.must-exist', 'databaseMustExist', false, 'true', true],
  ['app.database.url', 'database.path', 'data/postern.db', 'sqlite:/srv/a.db', '/srv/a.db'],
  ['app.files.lease', 'leaseMs', DAY_MS, 'P2D', 2 * DAY_MS],
  ['app.storage.path', 'storage.path', '/tmp/uploads/', '/srv/files', '/srv/files'],
  ['app.storage.quota', 'uploads.quota.totalBytes', null, '1KB', 1024],
  ['app.storage.quota-per-owner', 'uploads.quota.perOwnerBytes', null, '1KB', 1024],
  ['app.storage.min-free', 'storage.minFreeBytes', 268_435_456, '1KB', 1024],
  ['app.link.default-ttl', 'links.defaultTtl', null, 'PT24H', 'PT24H'],
  ['app.links.max-ttl', 'links.policy.maxTtl', null, 'P7D', 'P7D'],
  ['app.links.max-views', 'links.policy.maxViews', null, '5', 5],
  ['app.links.password-required', 'links.policy.passwordRequired', false, 'true', true],
  ['app.links.custom-codes', 'links.policy.customCodes', true, 'false', false],
  ['app.links.blocked-hosts', 'links.blockedHostsPath', null, '/etc/hosts.txt', '/etc/hosts.txt'],
  ['app.audit.retention', 'retention.audit', null, 'P90D', 'P90D'],
  ['app.links.retention-after-end', 'retention.links', null, 'P1Y', 'P1Y'],
  ['app.storage.retention-after-end', 'retention.files', null, 'P30D', 'P30D'],
  ['app.audit.referrers', 'recordsReferrers', true, 'false', false],
  ['app.abuse-contact', 'contacts.abuse', null, 'abuse@links.example', 'mailto:abuse@links.example'],
  ['app.contact', 'contacts.operator', null, 'help@links.example', 'mailto:help@links.example'],
  ['app.upload.max-size', 'uploads.maxFileBytes', 2_147_483_648, '4KB', 4096],
  ['spring.servlet.multipart.max-file-size', 'uploads.maxFormFileBytes', 52_428_800, '1KB', 1024],
  ['spring.servlet.multipart.max-request-size', 'uploads.maxRequestBytes', 52_428_800, '2KB', 2048],
  ['app.upload.chunk-size', 'uploads.chunkBytes', 67_108_864, '5MB', 5_242_880],
  ['app.upload.max-files', 'uploads.maxFiles', 10_000, '9', 9],
  ['app.upload.scan', 'uploads.scan.command', null, 'clamdscan  -v -', ['clamdscan', '-v', '-']],
  ['app.scan.required', 'uploads.scan.isRequired', false, 'true', true],
  ['app.upload.scan-timeout', 'uploads.scan.timeoutMs', 300_000, 'PT1M', 60_000],
  ['app.limits.wrong-passwords', 'rates.wrongPasswords.windowMs', 900_000, '5/PT1H', 3_600_000],
  ['app.limits.unknown-codes', 'rates.unknownCodes', { events: 300, windowMs: 60_000 }, 'none', null],
  ['app.limits.creations', 'rates.creations', null, '100/PT24H', { events: 100, windowMs: DAY_MS }],
  ['app.limits.uploads', 'rates.uploads', null, '1/PT1S', { events: 1, windowMs: 1_000 }],
  ['app.limits.changes', 'rates.changes.events', 6000, '7/PT1M', 7],
  ['app.limits.mails', 'rates.mails.events', 30, '7/PT1M', 7],
  ['app.limits.recipient-codes', 'rates.recipientCodes.events', 10, '7/PT1M', 7],
  ['app.limits.connections', 'connections.max', 10_000, '9', 9],
  ['app.limits.connections-per-client', 'connections.maxPerClient', 500, '8', 8],
  ['app.limits.min-rate', 'connections.minBytesPerSecond', 1024, 'none', 0],
  ['app.webhooks.secret', 'webhooks.secrets', [], WEBHOOK_SECRET, [WEBHOOK_SECRET]],
  ['app.webhooks.url', 'webhooks.urls', [], 'https://a.example,https://b.example/c?d=e', HOOKS],
  ['app.webhooks.events', 'webhooks.events', [...LINK_EVENT_TYPES], 'link.opened', ['link.opened']],
  ['app.webhooks.per-link', 'webhooks.perLink', 'signed-in', 'everyone', 'everyone'],
  ['app.webhooks.allowed-networks', 'webhooks.receivers.allowedNetworks', [], '10.1.2.0/24', ['10.1.2.0/24']],
  ['app.webhooks.ports', 'webhooks.receivers.ports', [443], '443,8443', [443, 8443]],
  ['app.mail.url', 'mail.server', null, 'smtp://mail.example:2525', SERVER],
  ['app.mail.from', 'mail.from.address', undefined, 'Postern <links@example.com>', 'links@example.com'],
  ['app.mail.links', 'mail.links', 'signed-in', 'off', 'off'],
  ['app.mail.per-link', 'mail.perLink', 'signed-in', 'everyone', 'everyone'],
  ['app.mail.recipients', 'mail.recipients', [], 'example.com', ['example.com']],
  ['app.evidence.key-file', 'evidence.keyFile', null, '/srv/log-key', '/srv/log-key'],
  ['app.evidence.witnesses', 'evidence.witnesses.length', 0, `${WITNESS}, ${SECOND_WITNESS}`, 2],
  ['app.brand.name', 'brand.name', null, ' Acme ', 'Acme'],
  ['app.brand.logo', 'brand.logo', null, '/etc/logo.svg', LOGO],
  ['app.brand.color', 'brand.color', null, '#0AF', '#00aaff'],
];

/** Properties of PostgreSQL and of object storage, whose values have tests of their own. */
const OF_ONE_KIND =
  /^app\.(database\.(pool-size|.+-timeout)|storage\.(url|endpoint|region|path-style|timeout))$/;

/** Returns the value at a place, durations as texts, or undefined where a part of the configuration is unset. */
function valueAt(config: unknown, place: string): unknown {
  let value = config;
  for (const name of place.split('.'))
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return value instanceof Temporal.Duration ? String(value) : value;
}

describe('defaults', () => {
  test('every value has its documented default', () => {
    const names = ALL_PROPERTIES.map(({ name }) => name).filter((name) => !OF_ONE_KIND.test(name));
    assert.deepEqual(VALUES.map(([name]) => name).sort(), names.sort());
    const config = configOf();
    for (const [name, place, byDefault] of VALUES) assert.deepEqual(valueAt(config, place), byDefault, name);
  });

  test('only an unset storage is the default one', () => {
    assert.equal(isDefaultStorage(configOf()), true);
    for (const env of [{ APP_STORAGE_PATH: '/srv/files' }, { APP_STORAGE_URL: 's3://bucket' }])
      assert.equal(isDefaultStorage(configOf({ env })), false);
  });

  test('the default host listens on every interface, for IPv4 too', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    app.get('/', () => 'here');
    const { port } = new URL(await app.listen({ host: configOf().server.host, port: 0 }));
    const response = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(await response.text(), 'here');
  });

  test('the base address follows the port that was set', () => {
    assert.equal(configOf({ env: { SERVER_PORT: '9000' } }).baseUrl, 'http://localhost:9000');
  });
});

describe('sources of a value', () => {
  test('a flag wins over the environment, the environment over the default', () => {
    const env = { APP_LOG_LEVEL: 'warn' };
    assert.equal(configOf({ env }).log.level, 'warn');
    assert.equal(configOf({ env, argv: ['--app.log.level=debug'] }).log.level, 'debug');
  });

  test('every property is read from its environment name, dots and dashes as underscores', () => {
    const env = Object.fromEntries(VALUES.map(([name, , , text]) => [environmentName({ name }), text]));
    assert.equal(env['APP_LOG_LEVEL'], 'silent');
    const config = configOf({ env, files: FILES });
    for (const [name, place, , , value] of VALUES) assert.deepEqual(valueAt(config, place), value, name);
  });

  test('PORT sets the port as SERVER_PORT does', () => {
    assert.equal(configOf({ env: { PORT: '3000' } }).server.port, 3000);
    assert.equal(configOf({ env: { PORT: '3000', SERVER_PORT: '3000' } }).server.port, 3000);
    const files = { '/port': '3000\n' };
    assert.equal(configOf({ env: { PORT: '3000', SERVER_PORT_FILE: '/port' }, files }).server.port, 3000);
    assert.equal(configOf({ env: { PORT: '3000' }, argv: ['--server.port=4000'] }).server.port, 4000);
    assert.match(
      errorsOf({ env: { PORT: 'x' } }).join(),
      /^server\.port: "x" from environment variable PORT /,
    );
  });

  test('PORT and SERVER_PORT that differ are refused', () => {
    const remedy = 'differ; set only one, or both to the same value';
    for (const argv of [[], ['--server.port=3000']]) {
      assert.deepEqual(errorsOf({ env: { PORT: '3000', SERVER_PORT: '4000' }, argv }), [
        `server.port: environment variables SERVER_PORT and PORT ${remedy}`,
      ]);
    }
    const env = { PORT: '3000', SERVER_PORT_FILE: '/port' };
    assert.deepEqual(errorsOf({ env, files: { '/port': '5000' } }), [
      `server.port: environment variables SERVER_PORT_FILE and PORT ${remedy}`,
    ]);
  });

  test('a file sets a value, without one newline at its end', () => {
    const env = { APP_STORAGE_PATH_FILE: '/run/path' };
    const pathFrom = (text: string) => {
      const { storage } = configOf({ env, files: { '/run/path': text } });
      return storage.kind === 'directory' && storage.path;
    };
    assert.equal(pathFrom('/a'), '/a');
    assert.equal(pathFrom('/a\n'), '/a');
    assert.equal(pathFrom('/a\r\n'), '/a');
    assert.equal(pathFrom('/a\n\n'), '/a\n');
  });

  test('an empty environment value counts as unset', () => {
    const env = {
      SERVER_PORT: '',
      PORT: '',
      APP_BASE_URL: '',
      APP_LINK_DEFAULT_TTL: '',
      APP_LOG_LEVEL_FILE: '',
    };
    assert.deepEqual(configOf({ env }), configOf());
    const files = { '/level': 'warn' };
    assert.equal(
      configOf({ env: { APP_LOG_LEVEL: '', APP_LOG_LEVEL_FILE: '/level' }, files }).log.level,
      'warn',
    );
  });

  test('an empty flag unsets an optional property, and is refused for every other', () => {
    const env = { APP_LINK_DEFAULT_TTL: 'PT1H' };
    assert.equal(configOf({ env, argv: ['--app.link.default-ttl='] }).links.defaultTtl, null);
    for (const { name, optional } of ALL_PROPERTIES) if (!optional) assertRefused(name, '', /an empty value/);
  });
});
