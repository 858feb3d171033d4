import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { type Config, configTable, helpText, loadConfig, wantsHelp } from '../src/config/config.ts';

type World = { argv?: string[]; env?: Record<string, string>; files?: Record<string, string> };

function load({ argv = [], env = {}, files = {} }: World = {}) {
  const readFile = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
    return text;
  };
  return loadConfig({ argv, env, readFile });
}

function configOf(world?: World): Config {
  const loaded = load(world);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.faults.join('\n'));
  return loaded.config;
}

function warningsOf(world: World): string[] {
  const loaded = load(world);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.faults.join('\n'));
  return loaded.warnings;
}

function faultsOf(world: World): string[] {
  const loaded = load(world);
  assert.ok(!loaded.ok, 'must be refused');
  return loaded.faults;
}

const withFlag = (name: string, text: string): World => ({ argv: [`--${name}=${text}`] });

/** Refused with exactly one fault, which names the property and its flag, and says what `expected` says. */
function assertRefused(name: string, text: string, expected = /must/): void {
  const faults = faultsOf(withFlag(name, text));
  assert.equal(faults.length, 1, `${name}=${text}`);
  assert.match(
    faults[0] ?? '',
    new RegExp(`^${RegExp.escape(name)}: .* from flag --${RegExp.escape(name)} `),
  );
  assert.match(faults[0] ?? '', expected);
}

/** The cells of the README's table, without the marks of code. */
const tableRows = configTable()
  .trimEnd()
  .split('\n')
  .slice(2)
  .map((line) => {
    const [name = '', environment = '', shown = '', meaning = ''] = line
      .slice(2, -2)
      .split(/ (?<!\\)\| /)
      .map((cell) => cell.replaceAll('`', ''));
    return { name, environment, shown, meaning };
  });

const OPTIONAL = [
  'app.storage.url',
  'app.storage.endpoint',
  'app.storage.region',
  'app.storage.path-style',
  'app.link.default-ttl',
];

const DOCUMENTED = [
  'server.host',
  'server.port',
  'app.base-url',
  'app.database.url',
  'app.database.pool-size',
  'app.database.connect-timeout',
  'app.database.statement-timeout',
  'app.storage.path',
  'app.storage.url',
  'app.storage.endpoint',
  'app.storage.region',
  'app.storage.path-style',
  'app.storage.timeout',
  'app.link.default-ttl',
  'spring.servlet.multipart.max-file-size',
  'spring.servlet.multipart.max-request-size',
  'management.endpoint.health.show-details',
  'app.cors.allowed-origins',
  'app.trusted-proxies',
  'app.log.level',
];

describe('defaults', () => {
  test('with nothing set, every value is the documented default', () => {
    assert.deepEqual(configOf(), {
      host: '::',
      port: 8080,
      baseUrl: 'http://localhost:8080',
      database: { kind: 'sqlite', path: 'data/postern.db' },
      storage: { kind: 'directory', path: '/tmp/uploads/' },
      defaultTtl: null,
      maxFileBytes: 52_428_800,
      maxRequestBytes: 52_428_800,
      healthDetails: true,
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
      logLevel: 'info',
    });
  });

  test('the default host listens on every interface, for IPv4 too', async (t) => {
    const app = Fastify();
    t.after(() => app.close());
    app.get('/', () => 'here');
    const { port } = new URL(await app.listen({ host: configOf().host, port: 0 }));
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(await answer.text(), 'here');
  });

  test('the base address follows the port that was set', () => {
    assert.equal(configOf({ env: { SERVER_PORT: '9000' } }).baseUrl, 'http://localhost:9000');
  });

  test('one start never sees what another did to its configuration', () => {
    configOf().trustedProxies.push('203.0.113.0/24');
    assert.ok(!configOf().trustedProxies.includes('203.0.113.0/24'));
  });
});

describe('where a value comes from', () => {
  test('a flag wins over the environment, the environment over the default', () => {
    const env = { APP_LOG_LEVEL: 'warn' };
    assert.equal(configOf({ env }).logLevel, 'warn');
    assert.equal(configOf({ env, argv: ['--app.log.level=debug'] }).logLevel, 'debug');
  });

  test('every property is read from its environment name, dots and dashes as underscores', () => {
    const config = configOf({
      env: {
        SERVER_HOST: '127.0.0.1',
        SERVER_PORT: '1234',
        APP_BASE_URL: 'https://links.example/go/',
        APP_DATABASE_URL: 'sqlite:/var/lib/postern.db',
        APP_STORAGE_PATH: '/srv/files',
        APP_LINK_DEFAULT_TTL: 'PT24H',
        SPRING_SERVLET_MULTIPART_MAX_FILE_SIZE: '1KB',
        SPRING_SERVLET_MULTIPART_MAX_REQUEST_SIZE: '2KB',
        MANAGEMENT_ENDPOINT_HEALTH_SHOW_DETAILS: 'never',
        APP_CORS_ALLOWED_ORIGINS: 'https://app.example',
        APP_TRUSTED_PROXIES: 'none',
        APP_LOG_LEVEL: 'silent',
      },
    });
    assert.equal(String(config.defaultTtl), 'PT24H');
    assert.deepEqual(
      { ...config, defaultTtl: null },
      {
        host: '127.0.0.1',
        port: 1234,
        baseUrl: 'https://links.example/go',
        database: { kind: 'sqlite', path: '/var/lib/postern.db' },
        storage: { kind: 'directory', path: '/srv/files' },
        defaultTtl: null,
        maxFileBytes: 1024,
        maxRequestBytes: 2048,
        healthDetails: false,
        corsAllowedOrigins: ['https://app.example'],
        trustedProxies: [],
        logLevel: 'silent',
      },
    );
  });

  test('PORT sets the port where SERVER_PORT, in whatever form, does not', () => {
    assert.equal(configOf({ env: { PORT: '3000' } }).port, 3000);
    assert.equal(configOf({ env: { PORT: '3000', SERVER_PORT: '4000' } }).port, 4000);
    const files = { '/port': '5000' };
    assert.equal(configOf({ env: { PORT: '3000', SERVER_PORT_FILE: '/port' }, files }).port, 5000);
    assert.match(
      faultsOf({ env: { PORT: 'x' } }).join(),
      /^server\.port: "x" from environment variable PORT /,
    );
  });

  test('a file gives a value, less exactly one newline at its end', () => {
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
      configOf({ env: { APP_LOG_LEVEL: '', APP_LOG_LEVEL_FILE: '/level' }, files }).logLevel,
      'warn',
    );
  });

  test('an empty flag unsets what may be unset, and is a fault everywhere else', () => {
    const env = { APP_LINK_DEFAULT_TTL: 'PT1H' };
    assert.equal(configOf({ env, argv: ['--app.link.default-ttl='] }).defaultTtl, null);
    for (const name of DOCUMENTED) {
      if (OPTIONAL.includes(name)) continue;
      assertRefused(name, '', /an empty value/);
    }
  });
});

describe('faults', () => {
  test('all faults are told at once, each with its property, origin, value and what would be right', () => {
    const faults = faultsOf({
      argv: ['--server.port=0', '--app.nonsense=1', 'serve'],
      env: {
        APP_BASE_URL: 'ftp://files.example',
        APP_LINK_DEFAULT_TTL: 'tomorrow',
        APP_LOG_LEVEL: 'info',
        APP_LOG_LEVEL_FILE: '/level',
        APP_STORAGE_PATH_FILE: '/missing',
      },
    });
    const expected = [
      /^unknown flag "--app\.nonsense"/,
      /^stray argument "serve": .*--property=value/,
      /^server\.port: "0" from flag --server\.port must be a whole number from 1 to 65535$/,
      /^app\.base-url: "ftp:\/\/files\.example" from environment variable APP_BASE_URL must be an http or https URL/,
      /^app\.link\.default-ttl: "tomorrow" from environment variable APP_LINK_DEFAULT_TTL must be an ISO 8601/,
      /^app\.log\.level: environment variables APP_LOG_LEVEL and APP_LOG_LEVEL_FILE are both set; set only one$/,
      /^app\.storage\.path: "\/missing" from environment variable APP_STORAGE_PATH_FILE cannot be read \(ENOENT\)/,
    ];
    assert.equal(faults.length, expected.length, faults.join('\n'));
    for (const pattern of expected) {
      assert.ok(
        faults.some((fault) => pattern.test(fault)),
        `${pattern} in\n${faults.join('\n')}`,
      );
    }
  });

  test('every argument must be a flag of a property, written with its value, once', () => {
    assert.match(
      faultsOf({ argv: ['--app.bse-url=x'] }).join(),
      /"--app\.bse-url", did you mean --app\.base-url\?/,
    );
    assert.match(faultsOf({ argv: ['--'] }).join(), /unknown flag/);
    assert.match(faultsOf({ argv: ['-x'] }).join(), /stray argument/);
    assert.match(faultsOf({ argv: ['--SERVER.PORT=1'] }).join(), /unknown flag/);
    assert.match(faultsOf({ argv: ['--server.port'] }).join(), /^server\.port: .*--server\.port=value/);
    assert.match(faultsOf({ argv: ['--server.port=1', '--server.port=2'] }).join(), /more than once/);
  });

  test('NAME beside NAME_FILE is refused even where a flag decides', () => {
    const env = { SERVER_PORT: '1', SERVER_PORT_FILE: '/port' };
    assert.equal(faultsOf({ env, argv: ['--server.port=2'], files: { '/port': '1' } }).length, 1);
  });

  test('no fault and no warning tells a secret', () => {
    const secretUrls = [
      'postgres://me:s3cret@db.example/links',
      'postgres://db.example/links?password=s3cret',
      'host=db.example password=s3cret',
      's3://key:s3cret/bucket',
    ];
    const worlds: World[] = secretUrls.flatMap((url) => [
      { env: { APP_DATABASE_URL: url } },
      { env: { APP_STORAGE_URL: url } },
      { argv: [`--app.database.url=${url}`] },
      { argv: ['--app.database.url', url] },
      { argv: [`--app.database.uri=${url}`] },
      { argv: [`--${url}`] },
      { env: { APP_DATABASE_URL_FILE: url } },
      { env: { SERVER_PORT: 'x', APP_DATABSE_URL: url } },
    ]);
    worlds.push(
      { env: { APP_BASE_URL: 'https://me:s3cret@links.example' } },
      { env: { APP_CORS_ALLOWED_ORIGINS: 'https://me:s3cret@app.example' } },
      ...DOCUMENTED.map((name) => ({
        env: { [`${name.toUpperCase().replaceAll(/[.-]/g, '_')}_FILE`]: '/run/secret' },
        // A path may hold anything but NUL, so this is wrong for every property.
        files: { '/run/secret': 's3cret\0' },
      })),
    );
    for (const world of worlds) {
      const faults = faultsOf(world);
      assert.ok(!faults.join('\n').includes('s3cret'), faults.join('\n'));
    }
    const warnings = warningsOf({ env: { APP_PASSWORD: 's3cret' } });
    assert.ok(warnings.some((warning) => warning.includes('APP_PASSWORD')));
    assert.ok(!warnings.join('\n').includes('s3cret'));
  });

  test('a control character cannot write a line of its own into the list of faults', () => {
    assert.ok(!faultsOf(withFlag('server.port', '1\nall is well')).join('').includes('\n'));
  });
});

describe('hosts, ports and addresses', () => {
  test('a host is an IP address or a host name', () => {
    for (const host of ['0.0.0.0', '::', '::1', 'fe80::1', 'localhost', 'links.example', 'a-1']) {
      assert.equal(configOf(withFlag('server.host', host)).host, host);
    }
    for (const host of [
      '256.1.1.1',
      '1.2.3',
      '[::1]',
      ':::',
      '*',
      'a b',
      'a_b',
      '-a',
      'http://x',
      'x:80',
      'a..b',
    ]) {
      assertRefused('server.host', host);
    }
  });

  test('a port is a whole number from 1 to 65535', () => {
    for (const port of [1, 80, 65_535]) assert.equal(configOf(withFlag('server.port', `${port}`)).port, port);
    for (const port of ['0', '65536', '-1', '1.5', '1e3', '0x50', ' 80', '80a', '999999999999']) {
      assertRefused('server.port', port);
    }
  });

  test('a base address is http or https, loses its trailing slashes and may have a path', () => {
    const baseUrlFrom = (text: string) => configOf(withFlag('app.base-url', text)).baseUrl;
    assert.equal(baseUrlFrom('https://links.example/'), 'https://links.example');
    assert.equal(baseUrlFrom('https://links.example/go//'), 'https://links.example/go');
    assert.equal(baseUrlFrom('http://127.0.0.1:8081'), 'http://127.0.0.1:8081');
    const refused = [
      'links.example',
      'ftp://x',
      'http:x',
      'http:///x',
      'http://x?',
      'http://x/#',
      'http://@x',
    ];
    refused.push(
      'https://u:p@x',
      'http://x?a=b',
      'http://x y',
      ' http://x',
      'http://x\\y',
      'http://x:99999',
      '//x',
    );
    for (const text of refused) assertRefused('app.base-url', text, /http or https URL without credentials/);
  });
});

describe('places', () => {
  test('the database is a file, by a path of its own', () => {
    for (const path of ['data/postern.db', '/var/lib/postern.db', './x', 'C:\\postern.db']) {
      const { database } = configOf(withFlag('app.database.url', `sqlite:${path}`));
      assert.deepEqual(database, { kind: 'sqlite', path });
    }
    assertRefused('app.database.url', 'sqlite::memory:', /"sqlite::memory:".* would forget every link/);
    const refused = [
      'sqlite:',
      'sqlite: ',
      'sqlite://data/x',
      'sqlite:file:x',
      'sqlite:x?mode=memory',
      'sqlite:x/',
    ];
    for (const text of [...refused, 'data/postern.db', 'mysql://x', 'SQLITE:x']) {
      assertRefused('app.database.url', text, /sqlite/);
    }
  });

  test('a storage path is kept as it was written', () => {
    assert.deepEqual(configOf(withFlag('app.storage.path', './my files/')).storage, {
      kind: 'directory',
      path: './my files/',
    });
    assertRefused('app.storage.path', '  ');
    assertRefused('app.storage.path', '/a\0b');
  });
});

describe('durations', () => {
  test('a default life is longer than zero and at most 100 years', () => {
    for (const text of ['PT24H', 'P7D', 'P1Y2M3W4DT5H6M7.5S', 'PT0.001S', 'P100Y', 'P36525D']) {
      assert.equal(String(configOf(withFlag('app.link.default-ttl', text)).defaultTtl), text);
    }
    const refused = [
      '24h',
      '24',
      'P',
      'PT0S',
      '-PT1H',
      'PT0.000000001S',
      'P100YT1S',
      'P36526D',
      'P1H',
      'PT1H ',
    ];
    for (const text of [...refused, 'PT9007199254740991S'])
      assertRefused('app.link.default-ttl', text, /PT24H/);
  });

  test('any number of seconds up to a century is taken as it is, and none beyond', () => {
    const centurySeconds = 36_525 * 86_400;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: centurySeconds }), (seconds) => {
        const { defaultTtl } = configOf(withFlag('app.link.default-ttl', `PT${seconds}S`));
        assert.equal(defaultTtl?.total('seconds'), seconds);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: centurySeconds + 1, max: Number.MAX_SAFE_INTEGER }), (seconds) => {
        assertRefused('app.link.default-ttl', `PT${seconds}S`);
      }),
    );
  });
});

describe('sizes', () => {
  const SIZE = 'spring.servlet.multipart.max-file-size';
  const sizeOf = (text: string) => configOf(withFlag(SIZE, text)).maxFileBytes;

  test('a size is exact in every unit, up to the greatest safe integer and no further', () => {
    const units = [
      ['', 1n],
      ['B', 1n],
      ['KB', 1024n],
      ['MB', 1024n ** 2n],
      ['GB', 1024n ** 3n],
    ] as const;
    const greatest = BigInt(Number.MAX_SAFE_INTEGER);
    const aroundLimit = (factor: bigint) =>
      fc.oneof(
        fc.bigInt(1n, 5000n),
        fc.bigInt(greatest / factor - 2n, greatest / factor + 2n),
        fc.bigInt(1n, 10n ** 40n),
      );
    for (const [unit, factor] of units) {
      fc.assert(
        fc.property(aroundLimit(factor), (count) => {
          const text = `${count}${unit}`;
          if (count * factor <= greatest) assert.equal(BigInt(sizeOf(text)), count * factor);
          else assertRefused(SIZE, text);
        }),
      );
    }
  });

  test('what is no size is refused', () => {
    for (const text of ['0', '0MB', '-1', '1.5MB', '50 MB', 'MB', '5TB', '5M', '1e3', 'Infinity', '٥MB']) {
      assertRefused(SIZE, text, /such as 50MB/);
    }
  });
});

describe('lists of networks and origins', () => {
  const accepts = (text: string) => load(withFlag('app.trusted-proxies', text)).ok;

  test('none trusts no proxy; items may have white space around them', () => {
    assert.deepEqual(configOf(withFlag('app.trusted-proxies', 'none')).trustedProxies, []);
    const { trustedProxies } = configOf(withFlag('app.trusted-proxies', ' 10.0.0.0/8 , ::1'));
    assert.deepEqual(trustedProxies, ['10.0.0.0/8', '::1']);
  });

  test('an address may have a prefix from 1 to its length', () => {
    const anyAddress = fc.oneof(
      fc.ipV4().map((address) => ({ address, bits: 32 })),
      fc.ipV6().map((address) => ({ address, bits: 128 })),
    );
    fc.assert(
      fc.property(anyAddress, fc.integer({ min: -1, max: 140 }), ({ address, bits }, prefix) => {
        assert.ok(accepts(address));
        assert.equal(accepts(`${address}/${prefix}`), prefix >= 1 && prefix <= bits);
      }),
    );
  });

  test('a list that is accepted is one that Fastify can work with', () => {
    const item = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:./%]{1,20}$/));
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), (items) => {
        const loaded = load(withFlag('app.trusted-proxies', items.join(',')));
        if (loaded.ok) Fastify({ trustProxy: loaded.config.trustedProxies });
      }),
      { numRuns: 50 },
    );
  });

  test('one wrong entry refuses the whole list, and is told by its place', () => {
    const wrong = [
      '10.0.0.0/33',
      '::1/129',
      '10.0.0.0/',
      '10.0.0.0/08',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '01.2.3.4',
    ];
    wrong.push(
      '10.0.0.0/255.0.0.0',
      'loopback',
      'proxy.example',
      '*',
      'none',
      '',
      'fe80::1%eth0',
      '10.0.0.0/ 8',
    );
    wrong.push('0.0.0.0/0', '::/0', 'true');
    for (const entry of wrong) assertRefused('app.trusted-proxies', `127.0.0.1,${entry}`, /see entry 2$/);
  });

  test('origins are kept in the form in which browsers send them', () => {
    const originsFrom = (text: string) =>
      configOf(withFlag('app.cors.allowed-origins', text)).corsAllowedOrigins;
    assert.deepEqual(originsFrom('https://app.example, http://[::1]:3000'), [
      'https://app.example',
      'http://[::1]:3000',
    ]);
    assert.deepEqual(originsFrom('HTTPS://App.Example:443'), ['https://app.example']);
    assert.deepEqual(originsFrom('*'), ['*']);
    assert.deepEqual(originsFrom('none'), []);
    const wrong = [
      'https://x/',
      'https://x/a',
      'https://*.x',
      '*',
      'x',
      'null',
      'ftp://x',
      'https://x?',
      'https://a b',
    ];
    for (const entry of wrong)
      assertRefused('app.cors.allowed-origins', `https://y,${entry}`, /see entry 2$/);
  });
});

describe('words', () => {
  test('health details are always or never shown, log levels are the seven of the log', () => {
    assert.equal(configOf(withFlag('management.endpoint.health.show-details', 'always')).healthDetails, true);
    assertRefused('management.endpoint.health.show-details', 'when-authorized', /always, never/);
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']) {
      assert.equal(configOf(withFlag('app.log.level', level)).logLevel, level);
    }
    assertRefused('app.log.level', 'verbose', /trace, debug/);
  });
});

describe('warnings', () => {
  const quiet = { SERVER_HOST: '127.0.0.1', APP_STORAGE_PATH: '/srv/files' };

  test('a closed service with lasting storage has nothing to be warned of', () => {
    assert.deepEqual(warningsOf({ env: quiet }), []);
  });

  test('a service that others can reach is told that it is open', () => {
    const open = /open to the network without credentials.*server\.host to 127\.0\.0\.1/;
    for (const host of [
      '::',
      '0.0.0.0',
      '192.168.1.2',
      'links.example',
      '126.0.0.1',
      '128.0.0.1',
      'fe80::1%eth0',
    ]) {
      assert.match(warningsOf({ env: { ...quiet, SERVER_HOST: host } }).join(), open, host);
    }
    for (const host of ['127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'LocalHost']) {
      assert.deepEqual(warningsOf({ env: { ...quiet, SERVER_HOST: host } }), [], host);
    }
  });

  test('storage in the temporary directory of the system is told', () => {
    const inTemporary = (APP_STORAGE_PATH: string, TMPDIR = '/scratch') =>
      warningsOf({ env: { ...quiet, APP_STORAGE_PATH, TMPDIR } }).some((warning) =>
        /app\.storage\.path.*temporary directory/.test(warning),
      );
    for (const path of ['/tmp', '/tmp/uploads/', '/srv/../tmp/x', '//tmp/x', '/var/tmp/x', '/scratch/x']) {
      assert.ok(inTemporary(path), path);
    }
    for (const path of ['/tmpfiles', '/srv/tmp', '/tmp/../srv', 'tmp', '/scratchy']) {
      assert.ok(!inTemporary(path), path);
    }
  });

  test('an unknown APP_ variable is told, with the known name that it is close to', () => {
    const env = { ...quiet, APP_BASEURL: 'x', APP_COLOUR_OF_THE_DOOR: 'x', APP_EMPTY: '', OTHER: 'x' };
    const warnings = warningsOf({ env });
    assert.equal(warnings.length, 2, warnings.join('\n'));
    assert.match(warnings[0] ?? '', /APP_BASEURL sets no property, did you mean APP_BASE_URL\?/);
    assert.match(warnings[1] ?? '', /APP_COLOUR_OF_THE_DOOR sets no property; see --help/);
  });

  test('a known variable and its _FILE form are not unknown', () => {
    const env = { ...quiet, APP_LOG_LEVEL_FILE: '/level', APP_BASE_URL: 'http://x' };
    assert.deepEqual(warningsOf({ env, files: { '/level': 'warn' } }), []);
  });
});

describe('help', () => {
  test('--help and -h ask for it, nothing else does', () => {
    assert.ok(wantsHelp(['--server.port=1', '--help']));
    assert.ok(wantsHelp(['-h']));
    assert.ok(!wantsHelp(['--server.port=1', 'help']));
  });

  test('the README table and --help tell every property with its environment name, and no other', () => {
    assert.deepEqual(
      tableRows.map((row) => row.name),
      DOCUMENTED,
    );
    const lines = helpText().split('\n');
    const start = lines.findIndex((line) => line.startsWith('property '));
    assert.equal(lines.length, start + 1 + DOCUMENTED.length + 1);
    for (const [index, { name, environment, shown, meaning }] of tableRows.entries()) {
      assert.equal(environment.split(' or ')[0], name.toUpperCase().replaceAll(/[.-]/g, '_'));
      assert.notEqual(meaning, '');
      const line = lines[start + 1 + index] ?? '';
      assert.deepEqual(line.split(/ {2,}/).slice(0, 3), [name, environment, shown]);
    }
  });

  test('the columns of --help are aligned', () => {
    const lines = helpText()
      .trimEnd()
      .split('\n')
      .slice(-DOCUMENTED.length - 1);
    const heading = lines[0] ?? '';
    for (const column of ['environment', 'default', 'meaning']) {
      const at = heading.indexOf(column);
      for (const line of lines) assert.match(line.slice(at - 2, at + 1), /^ {2}\S$/, line);
    }
  });

  test('a default that is shown as a value is the default', () => {
    for (const { name, shown } of tableRows) {
      if (shown.startsWith('(')) continue;
      const written = shown.replace('<server.port>', '8080');
      assert.deepEqual(configOf(withFlag(name, written)), configOf(), name);
    }
  });

  test('the proxies trusted by default are written out', () => {
    assert.ok(helpText().includes(configOf().trustedProxies.join(', ')));
  });

  test('the table is Markdown: four cells a line, no bare angle bracket outside code', () => {
    for (const line of configTable().trimEnd().split('\n')) {
      assert.equal(line.replaceAll('\\|', '').split('|').length, 6, line);
      assert.doesNotMatch(line.replaceAll(/`[^`]*`/g, ''), /</);
    }
  });
});
