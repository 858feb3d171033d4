import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import { isDefaultStorage } from '../../src/core/config/config.ts';
import { LINK_EVENT_TYPES } from '../../src/core/model/link-event.ts';
import { assertRefused, configOf, DOCUMENTED, errorsOf } from '../support/config.ts';

const OPTIONAL = [
  'app.upload.scan',
  'app.base-url',
  'app.hosts',
  'otel.exporter.otlp.endpoint',
  'otel.exporter.otlp.headers',
  'app.management.port',
  'app.access.initial-key',
  'app.secret',
  'app.access.user-header',
  'app.oidc.issuer',
  'app.oidc.client-id',
  'app.oidc.client-secret',
  'app.oidc.group-scopes',
  'app.storage.url',
  'app.webhooks.secret',
  'app.mail.url',
  'app.mail.from',
  'app.storage.endpoint',
  'app.storage.region',
  'app.storage.path-style',
  'app.link.default-ttl',
  'app.links.max-ttl',
  'app.links.max-views',
  'app.links.blocked-hosts',
  'app.audit.retention',
  'app.links.retention-after-end',
  'app.storage.retention-after-end',
  'app.audit.referrers',
  'app.abuse-contact',
  'app.contact',
  'app.brand.name',
  'app.brand.logo',
  'app.brand.color',
];

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('defaults', () => {
  test('every value has its documented default', () => {
    assert.deepEqual(configOf(), {
      server: {
        host: '::',
        port: 8080,
        managementPort: null,
        corsAllowedOrigins: [],
        trustedProxies: [
          '127.0.0.0/8',
          '::1/128',
          '10.0.0.0/8',
          '172.16.0.0/12',
          '192.168.0.0/16',
          '169.254.0.0/16',
          'fc00::/7',
          'fe80::/10',
        ],
        healthDetails: true,
      },
      log: { level: 'info', hasAddresses: false },
      signIn: {
        provider: null,
        checkMs: 28_800_000,
        isEmergencyOnly: false,
      },
      links: {
        defaultTtl: null,
        policy: { maxTtl: null, maxViews: null, passwordRequired: false, customCodes: true },
        blockedHostsPath: null,
      },
      retention: {
        audit: null,
        links: null,
        files: null,
      },
      contacts: { abuse: null, operator: null },
      uploads: {
        maxFileBytes: 2_147_483_648,
        maxFormFileBytes: 52_428_800,
        maxRequestBytes: 52_428_800,
        chunkBytes: 67_108_864,
        maxFiles: 10_000,
        scan: { command: null, timeoutMs: 300_000 },
      },
      connections: { max: 10_000, maxPerClient: 500, minBytesPerSecond: 1024 },
      baseUrl: 'http://localhost:8080',
      shortPath: '/l/',
      hosts: new Map(),
      access: {
        mode: 'open',
        initialKey: null,
        userHeader: null,
        userScopes: ['create', 'read', 'manage'],
      },
      secret: null,
      allowedHosts: [],
      database: { kind: 'sqlite', path: 'data/postern.db' },
      databaseMustExist: false,
      storage: { kind: 'directory', path: '/tmp/uploads/', minFreeBytes: 268_435_456 },
      recordsReferrers: true,
      brand: { name: null, logo: null, color: null },
      leaseMs: 86_400_000,
      rates: {
        wrongPasswords: { events: 10, windowMs: 900_000 },
        unknownCodes: { events: 300, windowMs: 60_000 },
        creations: null,
        uploads: null,
        changes: { events: 6000, windowMs: 60_000 },
      },
      tracing: null,
      webhooks: {
        secrets: [],
        urls: [],
        events: [...LINK_EVENT_TYPES],
        perLink: 'signed-in',
        receivers: { allowedNetworks: [], ports: [443] },
      },
      mail: { server: null, from: null, recipients: [], perLink: 'signed-in' },
    });
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
    const config = configOf({
      env: {
        SERVER_HOST: '127.0.0.1',
        SERVER_PORT: '1234',
        APP_BASE_URL: 'https://links.example/go/',
        APP_MANAGEMENT_PORT: '4321',
        APP_ACCESS: 'keys',
        APP_ACCESS_INITIAL_KEY: 'k'.repeat(32),
        APP_SECRET: 's'.repeat(32),
        APP_ACCESS_USER_HEADER: 'Remote-User',
        APP_ACCESS_USER_SCOPES: 'read',
        APP_OIDC_ISSUER: 'https://login.example/',
        APP_OIDC_CLIENT_ID: 'postern',
        APP_OIDC_CLIENT_SECRET: 'client-secret',
        APP_OIDC_SCOPES: 'openid email',
        APP_OIDC_GROUPS_CLAIM: 'roles',
        APP_OIDC_GROUP_SCOPES: 'staff=create',
        APP_OIDC_CHECK_INTERVAL: 'PT1H',
        APP_FILES_LEASE: 'P2D',
        APP_OIDC_TRUST_EMAIL: 'true',
        APP_OIDC_ONLY: 'true',
        APP_ALLOWED_HOSTS: 'internal.example',
        APP_DATABASE_URL: 'sqlite:/var/lib/postern.db',
        APP_DATABASE_MUST_EXIST: 'true',
        APP_STORAGE_PATH: '/srv/files',
        APP_LINK_DEFAULT_TTL: 'PT24H',
        APP_LINKS_MAX_TTL: 'P7D',
        APP_LINKS_MAX_VIEWS: '5',
        APP_LINKS_PASSWORD_REQUIRED: 'true',
        APP_LINKS_CUSTOM_CODES: 'false',
        APP_LINKS_BLOCKED_HOSTS: '/etc/postern/blocked-hosts.txt',
        APP_ABUSE_CONTACT: 'abuse@links.example',
        APP_BRAND_NAME: ' Acme ',
        APP_BRAND_LOGO: '/etc/postern/logo.svg',
        APP_BRAND_COLOR: '#0AF',
        APP_UPLOAD_MAX_SIZE: '4KB',
        SPRING_SERVLET_MULTIPART_MAX_FILE_SIZE: '1KB',
        SPRING_SERVLET_MULTIPART_MAX_REQUEST_SIZE: '2KB',
        APP_UPLOAD_CHUNK_SIZE: '5MB',
        APP_UPLOAD_MAX_FILES: '9',
        APP_UPLOAD_SCAN: 'clamdscan  --no-summary -',
        APP_UPLOAD_SCAN_TIMEOUT: 'PT1M',
        MANAGEMENT_ENDPOINT_HEALTH_SHOW_DETAILS: 'never',
        APP_SHORT_PATH: '/',
        APP_HOSTS: 'go.example',
        APP_CORS_ALLOWED_ORIGINS: 'https://app.example',
        APP_TRUSTED_PROXIES: '203.0.113.7',
        APP_LIMITS_WRONG_PASSWORDS: '5/PT1H',
        APP_LIMITS_UNKNOWN_CODES: 'none',
        APP_LIMITS_CREATIONS: '100/PT24H',
        APP_LIMITS_UPLOADS: '1/PT1S',
        APP_LIMITS_CHANGES: '7/PT1M',
        APP_LIMITS_CONNECTIONS: '9',
        APP_LIMITS_CONNECTIONS_PER_CLIENT: '8',
        APP_LIMITS_MIN_RATE: 'none',
        APP_AUDIT_RETENTION: 'P90D',
        APP_LINKS_RETENTION_AFTER_END: 'P1Y',
        APP_STORAGE_RETENTION_AFTER_END: 'P30D',
        APP_LOG_LEVEL: 'silent',
        APP_LOG_ADDRESSES: 'true',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret',
        OTEL_SERVICE_NAME: 'links',
        OTEL_TRACES_SAMPLER_ARG: '0.5',
        APP_WEBHOOKS_SECRET: WEBHOOK_SECRET,
        APP_WEBHOOKS_URL: 'https://hooks.example/a, https://hooks.example:8443/b?c=d',
        APP_WEBHOOKS_EVENTS: 'link.opened',
        APP_WEBHOOKS_PER_LINK: 'everyone',
        APP_WEBHOOKS_ALLOWED_NETWORKS: '10.1.2.0/24',
        APP_WEBHOOKS_PORTS: '443,8443',
        APP_MAIL_URL: 'smtp://mail.example:2525',
        APP_MAIL_FROM: 'Postern <links@example.com>',
        APP_MAIL_PER_LINK: 'everyone',
        APP_MAIL_RECIPIENTS: 'example.com',
      },
      files: { '/etc/postern/blocked-hosts.txt': 'evil.example', '/etc/postern/logo.svg': '<svg>' },
    });
    assert.equal(String(config.links.defaultTtl), 'PT24H');
    assert.equal(String(config.links.policy.maxTtl), 'P7D');
    assert.deepEqual(Object.values(config.retention).map(String), ['P90D', 'P1Y', 'P30D']);
    assert.deepEqual(
      {
        ...config,
        recordsReferrers: true,
        retention: { audit: null, links: null, files: null },
        links: { ...config.links, defaultTtl: null, policy: { ...config.links.policy, maxTtl: null } },
      },
      {
        server: {
          host: '127.0.0.1',
          port: 1234,
          managementPort: 4321,
          corsAllowedOrigins: ['https://app.example'],
          trustedProxies: ['203.0.113.7'],
          healthDetails: false,
        },
        log: { level: 'silent', hasAddresses: true },
        signIn: {
          provider: {
            ...{ issuer: 'https://login.example/', clientId: 'postern', clientSecret: 'client-secret' },
            ...{
              scopes: 'openid email',
              groupsClaim: 'roles',
              groupScopes: new Map([['staff', ['create']]]),
            },
            trustsEmail: true,
          },
          checkMs: 3_600_000,
          isEmergencyOnly: true,
        },
        links: {
          defaultTtl: null,
          policy: { maxTtl: null, maxViews: 5, passwordRequired: true, customCodes: false },
          blockedHostsPath: '/etc/postern/blocked-hosts.txt',
        },
        retention: {
          audit: null,
          links: null,
          files: null,
        },
        contacts: { abuse: 'mailto:abuse@links.example', operator: null },
        uploads: {
          maxFileBytes: 4096,
          maxFormFileBytes: 1024,
          maxRequestBytes: 2048,
          chunkBytes: 5_242_880,
          maxFiles: 9,
          scan: { command: ['clamdscan', '--no-summary', '-'], timeoutMs: 60_000 },
        },
        connections: { max: 9, maxPerClient: 8, minBytesPerSecond: 0 },
        baseUrl: 'https://links.example/go',
        shortPath: '/',
        hosts: new Map([['go.example', null]]),
        access: {
          mode: 'keys',
          initialKey: 'k'.repeat(32),
          userHeader: 'remote-user',
          userScopes: ['read'],
        },
        leaseMs: 2 * 86_400_000,
        secret: 's'.repeat(32),
        allowedHosts: ['internal.example'],
        database: { kind: 'sqlite', path: '/var/lib/postern.db' },
        databaseMustExist: true,
        storage: { kind: 'directory', path: '/srv/files', minFreeBytes: 268_435_456 },
        recordsReferrers: true,
        brand: {
          name: 'Acme',
          logo: { bytes: Buffer.from('<svg>'), mediaType: 'image/svg+xml', extension: 'svg' },
          color: '#00aaff',
        },
        rates: {
          wrongPasswords: { events: 5, windowMs: 3_600_000 },
          unknownCodes: null,
          creations: { events: 100, windowMs: 86_400_000 },
          uploads: { events: 1, windowMs: 1_000 },
          changes: { events: 7, windowMs: 60_000 },
        },
        tracing: {
          url: 'http://collector:4318/v1/traces',
          headers: { 'api-key': 'secret' },
          serviceName: 'links',
          sampledShare: 0.5,
        },
        webhooks: {
          secrets: [WEBHOOK_SECRET],
          urls: ['https://hooks.example/a', 'https://hooks.example:8443/b?c=d'],
          events: ['link.opened'],
          perLink: 'everyone',
          receivers: { allowedNetworks: ['10.1.2.0/24'], ports: [443, 8443] },
        },
        mail: {
          server: { host: 'mail.example', port: 2525, security: 'STARTTLS', credentials: null },
          from: { name: 'Postern', address: 'links@example.com' },
          recipients: ['example.com'],
          perLink: 'everyone',
        },
      },
    );
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
    for (const name of DOCUMENTED) {
      if (OPTIONAL.includes(name)) continue;
      assertRefused(name, '', /an empty value/);
    }
  });
});
