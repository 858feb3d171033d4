import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { assertEachRefused, assertRefused, configOf, errorsOf, load, withFlag } from '../support/config.ts';

describe('hosts, ports and addresses', () => {
  test('a host is an IP address or a host name', () => {
    for (const host of ['0.0.0.0', '::', '::1', 'fe80::1', 'localhost', 'links.example', 'a-1']) {
      assert.equal(configOf(withFlag('server.host', host)).server.host, host);
    }
    for (const host of '256.1.1.1|1.2.3|[::1]|:::|*|a b|a_b|-a|http://x|x:80|a..b'.split('|')) {
      assertRefused('server.host', host);
    }
  });

  test('hosts for links are names with or without the URL of their root', () => {
    const hostsFrom = (text: string) => [...configOf(withFlag('app.hosts', text)).hosts];
    assert.deepEqual(hostsFrom(' Go.example=https://example.com/?a=b , files,xn--bcher-kva.example'), [
      ['go.example', 'https://example.com/?a=b'],
      ['files', null],
      ['xn--bcher-kva.example', null],
    ]);
    assertEachRefused(
      'app.hosts',
      'a,a|a=|a=ftp://x|=https://x|a b|bücher.example|a:80|http://a|a,|1.2.3.4',
      /different host names separated by commas/,
    );
    for (const [name, text] of [
      ['app.hosts', 'a.example,bücher.example=https://a.example/'],
      ['app.allowed-hosts', '*.bücher.example'],
      ['server.host', 'bücher.example'],
    ] as const)
      assertRefused(name, text, /; write bücher\.example as xn--bcher-kva\.example(?:;|$)/);
    assert.deepEqual(errorsOf({ argv: ['--app.base-url=https://go.example/s', '--app.hosts=go.example'] }), [
      'app.hosts: must not have go.example, the host of app.base-url, which has the pages',
    ]);
  });

  test('a short path is the root or one segment, with or without its last slash', () => {
    for (const [text, path] of [
      ['/', '/'],
      ['/go', '/go/'],
      ['/go/', '/go/'],
      ['/l/', '/l/'],
    ] as const)
      assert.equal(configOf(withFlag('app.short-path', text)).shortPath, path);
    assertEachRefused('app.short-path', 'go|//|/a/b|/a b|/ä|/.| /', /must be \/ or one segment/);
  });

  test('a port is a whole number from 1 to 65535', () => {
    for (const port of [1, 80, 65_535])
      assert.equal(configOf(withFlag('server.port', `${port}`)).server.port, port);
    assertEachRefused('server.port', '0|65536|-1|1.5|1e3|0x50| 80|80a|999999999999');
  });

  test('a base address is http or https, may have a path and loses its trailing slashes', () => {
    const baseUrlFrom = (text: string) => configOf(withFlag('app.base-url', text)).baseUrl;
    assert.equal(baseUrlFrom('https://links.example/'), 'https://links.example');
    assert.equal(baseUrlFrom('https://links.example/go//'), 'https://links.example/go');
    assert.equal(baseUrlFrom('http://127.0.0.1:8081'), 'http://127.0.0.1:8081');
    assertEachRefused(
      'app.base-url',
      'links.example|ftp://x|http:x|http:///x|http://x?|http://x/#|http://@x|https://u:p@x|http://x?a=b|http://x y| http://x|http://x\\y|http://x:99999|//x',
      /http or https URL without credentials/,
    );
  });
});

describe('locations', () => {
  test('the path of a database names a plain file', () => {
    for (const path of ['data/postern.db', '/var/lib/postern.db', './x', 'C:\\postern.db']) {
      const { database } = configOf(withFlag('app.database.url', `sqlite:${path}`));
      assert.deepEqual(database, { kind: 'sqlite', path });
    }
    assertRefused('app.database.url', 'sqlite::memory:', /"sqlite::memory:".* would lose every link/);
    assertEachRefused(
      'app.database.url',
      'sqlite:|sqlite: |sqlite://data/x|sqlite:file:x|sqlite:x?mode=memory|sqlite:x/|data/postern.db|mysql://x|SQLITE:x',
      /sqlite/,
    );
  });

  test('a storage path is not changed', () => {
    const { storage } = configOf(withFlag('app.storage.path', './my files/'));
    assert.equal(storage.kind === 'directory' && storage.path, './my files/');
    assertRefused('app.storage.path', '  ');
    assertRefused('app.storage.path', '/a\0b');
  });
});

describe('the policy for links', () => {
  test('a longest lifetime is a duration like the default lifetime', () => {
    const { maxTtl } = configOf(withFlag('app.links.max-ttl', 'P30D')).links.policy;
    assert.equal(String(maxTtl), 'P30D');
    assertEachRefused('app.links.max-ttl', '30d|PT0S|-P1D|P101Y', /ISO 8601/);
  });

  test('a largest number of views is a positive whole number', () => {
    assert.equal(configOf(withFlag('app.links.max-views', '1')).links.policy.maxViews, 1);
    assertEachRefused('app.links.max-views', '0|-1|1.5|1e3|1000000000|none', /whole number/);
  });

  test('a password is required or not', () => {
    for (const text of ['true', 'false']) {
      const { passwordRequired } = configOf(withFlag('app.links.password-required', text)).links.policy;
      assert.equal(passwordRequired, text === 'true');
    }
    assertEachRefused('app.links.password-required', 'yes|TRUE|1|', /true, false/);
  });

  test('the path of a list of hosts is not changed', () => {
    const world = { ...withFlag('app.links.blocked-hosts', './my hosts'), files: { './my hosts': '' } };
    assert.equal(configOf(world).links.blockedHostsPath, './my hosts');
    assertEachRefused('app.links.blocked-hosts', '  |a\0b', /path of a text file/);
  });
});

test('a brand has a short name and a hex colour', () => {
  for (const text of [' ', 'a\tb', 'x'.repeat(41), '\ud800']) {
    assertRefused('app.brand.name', text, /name of 1 to 40 characters/);
  }
  assertEachRefused('app.brand.color', 'red|#12|#12345|#0b53941f|0b5394', /hex colour/);
});

test('a witness has a key and an address, and the key of the log a path', () => {
  const key = 'witness.example+0bab1173+BAoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoK';
  const [witness] = configOf(withFlag('app.evidence.witnesses', ` ${key}  https://w.example/a// `)).evidence
    .witnesses;
  assert.equal(witness?.url, 'https://w.example/a');
  const addresses = ['', ' ftp://w.example', ' w.example', ' https://w.example b', ' https://w.example,'];
  for (const address of addresses)
    assertRefused('app.evidence.witnesses', key + address, /keys of witnesses/);
  const otherId = key.replace('0bab', '0bac');
  const twice = [`${key} https://w.example`, `${key} https://x.example`].join(',');
  assertRefused('app.evidence.witnesses', twice, /each name of a witness once/);
  assertRefused('app.evidence.witnesses', `${otherId} https://w.example`, /keys of witnesses/);
  assertEachRefused('app.evidence.key-file', ' |a/|a\0b', /path of a file/);
});

describe('where abuse is reported', () => {
  const contactFrom = (text: string) => configOf(withFlag('app.abuse-contact', text)).contacts.abuse;

  test('a mail address becomes a mailto: URL, and an https: URL is normalised', () => {
    for (const [text, contact] of [
      ['abuse@links.example', 'mailto:abuse@links.example'],
      ['a%b?c&d#e@links.example', 'mailto:a%25b%3Fc%26d%23e@links.example'],
      ['mailto:abuse@links.example', 'mailto:abuse@links.example'],
      ['MAILTO:abuse@links.example?subject=Abuse', 'mailto:abuse@links.example?subject=Abuse'],
      ['https://links.example', 'https://links.example/'],
      ['https://links.example/abuse?from=link#form', 'https://links.example/abuse?from=link#form'],
    ] as const) {
      assert.equal(contactFrom(text), contact);
    }
  });

  test('anything else is refused', () => {
    assertEachRefused(
      'app.abuse-contact',
      'links.example|@links.example|a@|a@b@c|a b@links.example|a@links.example\n|a@1.2.3|"a"@links.example|a@<b>|mailto:|mailto:a|mailto:a@b,c@d|mailto:a%0Ab@links.example|http://links.example|https://|https://u:p@links.example|https://a b|https:links.example|javascript:alert(1)|data:text/html,x|//links.example|tel:112|%|\ud800@links.example',
      /mail address, a mailto: URL/,
    );
  });

  test('an accepted value is a mailto: or https: URL in plain ASCII', () => {
    const pieces = fc.constantFrom(...'mailto:|https://|abuse|@|links.example|?|"|<|\n| |ü|%0d'.split('|'));
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
        const loaded = load(withFlag('app.abuse-contact', parts.join('')));
        if (loaded.ok && loaded.config.contacts.abuse !== null) {
          assert.match(loaded.config.contacts.abuse, /^(mailto:|https:\/\/)[!-~]+$/);
        }
      }),
    );
  });
});

describe('the free space that uploads leave', () => {
  test('the free space is a size or 0', () => {
    const minFreeOf = (text: string) => {
      const { storage } = configOf(withFlag('app.storage.min-free', text));
      return storage.kind === 'directory' && storage.minFreeBytes;
    };
    assert.deepEqual(['0', '0MB', '1', '2GB'].map(minFreeOf), [0, 0, 1, 2 * 1024 ** 3]);
    assertEachRefused('app.storage.min-free', '|-1|1.5GB|5%|none', /such as 50MB, .*, or 0$/);
  });
});

describe('durations', () => {
  test('a default lifetime is longer than zero and at most 100 years', () => {
    for (const text of ['PT24H', 'P7D', 'P1Y2M3W4DT5H6M7.5S', 'PT0.001S', 'P100Y', 'P36525D']) {
      assert.equal(String(configOf(withFlag('app.link.default-ttl', text)).links.defaultTtl), text);
    }
    assertEachRefused(
      'app.link.default-ttl',
      '24h|24|P|PT0S|-PT1H|PT0.000000001S|P100YT1S|P36526D|P1H|PT1H |PT9007199254740991S',
      /PT24H/,
    );
  });

  test('a retention is at least a day', () => {
    for (const name of [
      'app.audit.retention',
      'app.links.retention-after-end',
      'app.storage.retention-after-end',
    ]) {
      for (const text of ['P1D', 'PT24H', 'P1Y', 'P100Y']) configOf(withFlag(name, text));
      assertEachRefused(name, 'PT1S|PT23H59M|90d|P101Y', /from P1D to P100Y/);
    }
  });

  test('any number of seconds up to a century is accepted exactly, and none beyond', () => {
    const centurySeconds = 36_525 * 86_400;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: centurySeconds }), (seconds) => {
        const { defaultTtl } = configOf(withFlag('app.link.default-ttl', `PT${seconds}S`)).links;
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
  const sizeOf = (text: string) => configOf(withFlag(SIZE, text)).uploads.maxFormFileBytes;

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

  test('a malformed size is refused', () => {
    assertEachRefused(SIZE, '0|0MB|-1|1.5MB|50 MB|MB|5TB|5M|1e3|Infinity|٥MB', /such as 50MB/);
  });
});

describe('lists of networks and origins', () => {
  const accepts = (text: string) => load(withFlag('app.trusted-proxies', text)).ok;

  test('the value none trusts no proxy, and entries may have white space around them', () => {
    assert.deepEqual(configOf(withFlag('app.trusted-proxies', 'none')).server.trustedProxies, []);
    const { trustedProxies } = configOf(withFlag('app.trusted-proxies', ' 10.0.0.0/8 , ::1')).server;
    assert.deepEqual(trustedProxies, ['10.0.0.0/8', '::1']);
  });

  test('an address may have a prefix that is not too short, up to its length', () => {
    const anyAddress = fc.oneof(
      fc.ipV4().map((address) => ({ address, bits: 32 })),
      fc.ipV6().map((address) => ({ address, bits: 128 })),
    );
    fc.assert(
      fc.property(anyAddress, fc.integer({ min: -1, max: 140 }), ({ address, bits }, prefix) => {
        fc.pre(bits === 32 || !/^0*(?:1[0-9a-f]{2}|[0-9a-f]{0,2}):/.test(address)); // where IPv4 is within IPv6
        assert.ok(accepts(address));
        assert.equal(accepts(`${address}/${prefix}`), prefix >= (bits === 32 ? 8 : 7) && prefix <= bits);
      }),
    );
  });

  test('every accepted list is valid for Fastify', () => {
    const item = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:./%]{1,20}$/));
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 3 }), (items) => {
        const loaded = load(withFlag('app.trusted-proxies', items.join(',')));
        if (loaded.ok) Fastify({ trustProxy: loaded.config.server.trustedProxies });
      }),
      { numRuns: 50 },
    );
  });

  test('a wrong entry refuses the whole list, and the error names its position', () => {
    assertEachRefused(
      'app.trusted-proxies',
      '127.0.0.1,10.0.0.0/33|127.0.0.1,::1/129|127.0.0.1,10.0.0.0/|127.0.0.1,10.0.0.0/08|127.0.0.1,10.0.0.0/8/8|127.0.0.1,10.0.0/8|127.0.0.1,01.2.3.4|127.0.0.1,10.0.0.0/255.0.0.0|127.0.0.1,loopback|127.0.0.1,proxy.example|127.0.0.1,*|127.0.0.1,none|127.0.0.1,|127.0.0.1,fe80::1%eth0|127.0.0.1,10.0.0.0/ 8|127.0.0.1,0.0.0.0/0|127.0.0.1,::/0|127.0.0.1,true',
      /see entry 2$/,
    );
  });

  test('ranges larger than a network, or of IPv4 within IPv6, are refused', () => {
    for (const range of (
      '0.0.0.0/0 0.0.0.0/1 128.0.0.0/7 ::/0 ::/7 ::/127 2000::/3 2000::/6 8000::/1 ::ffff:0:0/96 ' +
      '::ffff:10.0.0.0/104'
    ).split(' ')) {
      assertRefused('app.trusted-proxies', range, /at least \/8 for IPv4 and \/7 for IPv6; see entry 1$/);
    }
    for (const range of ['10.0.0.0/8', 'fc00::/7', '::1/128', '::1', '::ffff:10.0.0.1'])
      assert.ok(accepts(range), range);
  });

  test('origins are normalised as browsers send them', () => {
    const originsFrom = (text: string) =>
      configOf(withFlag('app.cors.allowed-origins', text)).server.corsAllowedOrigins;
    assert.deepEqual(originsFrom('https://app.example, http://[::1]:3000'), [
      'https://app.example',
      'http://[::1]:3000',
    ]);
    assert.deepEqual(originsFrom('HTTPS://App.Example:443'), ['https://app.example']);
    const extensions = [
      'chrome-extension://abcdefghijklmnop',
      'moz-extension://3c9a4a1e-0000-4000-8000-000000000000',
    ];
    assert.deepEqual(originsFrom(`${extensions},safari-web-extension://A1`), [
      ...extensions,
      'safari-web-extension://a1',
    ]);
    assert.deepEqual(originsFrom('*'), ['*']);
    assert.deepEqual(originsFrom('none'), []);
    assertEachRefused(
      'app.cors.allowed-origins',
      'https://y,https://x/|https://y,https://x/a|https://y,https://*.x|https://y,*|https://y,x|https://y,null|https://y,ftp://x|https://y,chrome-extension://x/|https://y,chrome-extension://*|https://y,extension://x|https://y,https://x?|https://y,https://a b',
      /see entry 2$/,
    );
  });
});

describe('words', () => {
  test('numbers of connections are whole and at least one', () => {
    assert.equal(configOf(withFlag('app.limits.connections', '20000')).connections.max, 20_000);
    assert.equal(configOf(withFlag('app.limits.connections-per-client', '7')).connections.maxPerClient, 7);
    for (const name of ['app.limits.connections', 'app.limits.connections-per-client']) {
      assertRefused(name, '0', /from 1 to 1000000/);
    }
  });

  test('the minimum rate is a size, and 0 or none is no minimum', () => {
    const rateOf = (text: string) =>
      configOf(withFlag('app.limits.min-rate', text)).connections.minBytesPerSecond;
    assert.deepEqual(['2KB', '500', '0', 'none'].map(rateOf), [2048, 500, 0, 0]);
    assertEachRefused('app.limits.min-rate', '-1|1KB/s|slow', /such as 1KB/);
  });

  test('health details are always or never shown, log levels are the seven of the log', () => {
    assert.equal(
      configOf(withFlag('management.endpoint.health.show-details', 'always')).server.healthDetails,
      true,
    );
    assertRefused('management.endpoint.health.show-details', 'when-authorized', /always, never/);
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']) {
      assert.equal(configOf(withFlag('app.log.level', level)).log.level, level);
    }
    assertRefused('app.log.level', 'verbose', /trace, debug/);
  });

  test('a collector is named by its address or that of its traces, by the variables of OpenTelemetry', () => {
    const tracingOf = (env: Record<string, string>) => configOf({ env }).tracing;
    const url = 'http://collector:4318/v1/traces';
    const tracing = { url, headers: {}, serviceName: 'postern', sampledShare: 1 };
    assert.equal(tracingOf({}), null);
    assert.deepEqual(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }), tracing);
    assert.deepEqual(tracingOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url }), tracing);
    const all = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/base',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b==, x-tenant=1',
      OTEL_SERVICE_NAME: 'links',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    assert.deepEqual(tracingOf(all), {
      url: 'https://collector.example/base/v1/traces',
      headers: { 'api-key': 'a b==', 'x-tenant': '1' },
      serviceName: 'links',
      sampledShare: 0.25,
    });
    assertEachRefused('otel.exporter.otlp.headers', 'key|a b=c|=x|a=%0A|a=%|a=1,', /name=value pairs/);
    assertEachRefused('otel.traces.sampler.arg', '-1|1.5|all', /0 to 1/);
  });
});

describe('rates', () => {
  test('a number of events and a period are accepted, and none', () => {
    for (const [text, rate] of [
      ['10/PT15M', { events: 10, windowMs: 900_000 }],
      ['1/PT1S', { events: 1, windowMs: 1_000 }],
      ['999999999/P1D', { events: 999_999_999, windowMs: 86_400_000 }],
      ['none', null],
    ] as const) {
      assert.deepEqual(configOf(withFlag('app.limits.creations', text)).rates.creations, rate, text);
    }
  });

  test('anything else is refused', () => {
    assertEachRefused(
      'app.limits.creations',
      '|0/PT1M|10|10/|/PT1M|-1/PT1M|1.5/PT1M|10/PT0.5S|10/P2D|10/1m|off',
      /must be none, or a number/,
    );
  });
});
