import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_PROPERTIES } from '../../src/core/config/properties.ts';
import type { Property } from '../../src/core/config/property.ts';
import { errorsOf, load, type World, withFlag } from '../support/config.ts';

describe('errors', () => {
  test('all errors are reported at once, each with its property, origin, value and remedy', () => {
    const errors = errorsOf({
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
      /^unexpected argument after --app\.nonsense; .*--name=value/,
      /^server\.port: "0" from flag --server\.port must be a whole number from 1 to 65535$/,
      /^app\.base-url: "ftp:\/\/files\.example" from environment variable APP_BASE_URL must be an http or https URL/,
      /^app\.link\.default-ttl: "tomorrow" from environment variable APP_LINK_DEFAULT_TTL must be an ISO 8601/,
      /^app\.log\.level: environment variables APP_LOG_LEVEL and APP_LOG_LEVEL_FILE are both set; set only one$/,
      /^app\.storage\.path: "\/missing" from environment variable APP_STORAGE_PATH_FILE cannot be read \(ENOENT\)/,
    ];
    assert.equal(errors.length, expected.length, errors.join('\n'));
    for (const pattern of expected) {
      assert.ok(
        errors.some((error) => pattern.test(error)),
        `${pattern} in\n${errors.join('\n')}`,
      );
    }
  });

  test('every argument must be a flag of a property, written with its value, once', () => {
    assert.match(
      errorsOf({ argv: ['--app.bse-url=x'] }).join(),
      /"--app\.bse-url", did you mean --app\.base-url\?/,
    );
    assert.match(errorsOf({ argv: ['--'] }).join(), /unexpected argument "--"/);
    assert.match(errorsOf({ argv: ['-x'] }).join(), /unexpected argument "-x"/);
    assert.match(errorsOf({ argv: ['--SERVER.PORT=1'] }).join(), /unknown flag/);
    assert.match(errorsOf({ argv: ['--server.port'] }).join(), /^server\.port: .*--server\.port=value/);
    assert.match(errorsOf({ argv: ['--server.port=1', '--server.port=2'] }).join(), /more than once/);
  });

  test('a flag takes no value from the next argument', () => {
    assert.deepEqual(errorsOf({ argv: ['--server.port', '--app.log.level=x'] }).length, 2);
    assert.match(
      errorsOf({ argv: ['--server.port', '80'] }).join(),
      /^server\.port: flag --server\.port has no value; [^;]*$/,
    );
  });

  test('a variable one or two letters away from a known one is refused', () => {
    for (const [misspelt, known] of [
      ['APP_BASEURL', 'APP_BASE_URL'],
      ['APP_DATABASE_URI', 'APP_DATABASE_URL'],
      ['APP_DATABASE_URL_FIEL', 'APP_DATABASE_URL_FILE'],
      ['SERVER_PROT', 'SERVER_PORT'],
      ['SERVER_HOSTS', 'SERVER_HOST'],
      ['SPRING_SERVLET_MULTIPART_MAX_FILESIZE', 'SPRING_SERVLET_MULTIPART_MAX_FILE_SIZE'],
      ['MANAGEMENT_ENDPOINT_HEALTH_SHOW_DETAIL', 'MANAGEMENT_ENDPOINT_HEALTH_SHOW_DETAILS'],
    ] as const) {
      assert.deepEqual(errorsOf({ env: { [misspelt]: 'x' } }), [
        `environment variable ${misspelt} sets no property, did you mean ${known}? Rename or unset it`,
      ]);
    }
  });

  test('a foreign variable is ignored, such as those that Kubernetes sets for a service', () => {
    const kubernetes = (service: string) => ({
      [`${service}_SERVICE_HOST`]: '10.0.0.1',
      [`${service}_SERVICE_PORT`]: '8080',
      [`${service}_SERVICE_PORT_HTTP`]: '8080',
      [`${service}_PORT_8080_TCP`]: 'tcp://10.0.0.1:8080',
      [`${service}_PORT_8080_TCP_PROTO`]: 'tcp',
      [`${service}_PORT_8080_TCP_PORT`]: '8080',
      [`${service}_PORT_8080_TCP_ADDR`]: '10.0.0.1',
    });
    const env = {
      ...kubernetes('APP'),
      APP_PORT: 'tcp://10.0.0.1:8080',
      ...kubernetes('SERVER'),
      ...{ APP_NAME: 'x', APP_ENV: 'x', APP_HOME: 'x', APP_COLOUR_OF_THE_DOOR: 'x', APP_BASEURL: '' },
      ...{ SERVER_NAME: 'x', SERVER_SOFTWARE: 'x', SPRING_PROFILES_ACTIVE: 'x', MY_APP_BASEURL: 'x' },
    };
    assert.deepEqual(load({ env }), load());
  });

  test('NAME together with NAME_FILE is refused even if a flag is set', () => {
    const env = { SERVER_PORT: '1', SERVER_PORT_FILE: '/port' };
    assert.equal(errorsOf({ env, argv: ['--server.port=2'], files: { '/port': '1' } }).length, 1);
  });

  test('no error shows a secret', () => {
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
      ...ALL_PROPERTIES.map(({ name }) => ({
        env: { [`${name.toUpperCase().replaceAll(/[.-]/g, '_')}_FILE`]: '/run/secret' },
        // A path may hold anything but NUL, so this is wrong for every property.
        files: { '/run/secret': 's3cret\0' },
      })),
    );
    for (const world of worlds) {
      const errors = errorsOf(world);
      assert.ok(!errors.join('\n').includes('s3cret'), errors.join('\n'));
    }
  });

  test('no error shows what follows the flag of a confidential property without "="', () => {
    const confidential = ALL_PROPERTIES.filter(
      ({ confidential, secret }: Property<unknown>) => confidential || secret,
    ).map(({ name }) => name);
    assert.ok(confidential.includes('app.access.initial-key') && confidential.includes('app.database.url'));
    for (const name of confidential) {
      const typo = `${name.slice(0, -2)}${name.at(-1)}`;
      for (const argv of [
        [`--${name}`, 's3cret'],
        [`--${name}`, '--s3cret'],
        [`--${name}`, '-s3cret'],
        [`--${name}=`, 's3cret'],
        [`--${name}=first`, 's3cret'],
        [`--${typo}`, 's3cret'],
        [`--${typo}`, '-s3cret'],
        ['--initial-key', 's3cret'],
      ]) {
        const errors = errorsOf({ argv }).join('\n');
        assert.doesNotMatch(errors, /s3cret|"-[s3cret]"/, argv.join(' '));
      }
    }
    assert.deepEqual(errorsOf({ argv: ['--app.access.initial-key', 's3cret'] }), [
      'app.access.initial-key: flag --app.access.initial-key has no value; write --app.access.initial-key=value',
    ]);
  });

  test('a control character adds no line to the list of errors', () => {
    assert.ok(!errorsOf(withFlag('server.port', '1\nall is well')).join('').includes('\n'));
  });
});
