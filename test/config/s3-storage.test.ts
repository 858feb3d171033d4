import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeStorage, MAX_OBJECT_BYTES } from '../../src/common/locations.ts';
import type { Config } from '../../src/core/config/config.ts';
import {
  assertEachRefused,
  assertRefused,
  configOf,
  errorOf,
  warningsOf,
  withFlag,
} from '../support/config.ts';

function storageOf(url: string, ...flags: string[]): Extract<Config['storage'], { kind: 's3' }> {
  const { storage } = configOf({ argv: [`--app.storage.url=${url}`, ...flags] });
  assert.ok(storage.kind === 's3');
  return storage;
}

describe('the properties of object storage', () => {
  test('the properties name a bucket of AWS, and leave the rest to the AWS SDK', () => {
    const expected = { kind: 's3', endpoint: null, region: null, pathStyle: false, timeoutMs: 30_000 };
    assert.deepEqual(storageOf('s3://my.bucket-1'), { ...expected, bucket: 'my.bucket-1', prefix: '' });
    assert.deepEqual(storageOf('s3://bucket/'), { ...expected, bucket: 'bucket', prefix: '' });
    for (const url of ['s3://bucket/a/b-2/c_d.e', 's3://bucket/a/b-2/c_d.e/']) {
      const storage = storageOf(url);
      assert.deepEqual(storage, { ...expected, bucket: 'bucket', prefix: 'a/b-2/c_d.e' });
      assert.equal(describeStorage(storage), 's3://bucket/a/b-2/c_d.e');
    }
  });

  test('the properties name another server, with the bucket in the path by default', () => {
    const endpoint = '--app.storage.endpoint=https://S3.example:9000/';
    const own = storageOf(
      's3://bucket',
      endpoint,
      '--app.storage.region=eu-1',
      '--app.storage.timeout=PT0.5S',
    );
    assert.deepEqual(own, {
      ...{ kind: 's3', bucket: 'bucket', prefix: '', endpoint: 'https://s3.example:9000' },
      ...{ region: 'eu-1', pathStyle: true, timeoutMs: 500 },
    });
    assert.equal(storageOf('s3://bucket', endpoint, '--app.storage.path-style=false').pathStyle, false);
    assert.equal(storageOf('s3://bucket', '--app.storage.path-style=true').pathStyle, true);
    assert.equal(
      storageOf('s3://bucket', '--app.storage.endpoint=http://[::1]:9000').endpoint,
      'http://[::1]:9000',
    );
  });

  test('files are in the directory where no URL is set', () => {
    const argv = ['--app.storage.endpoint=https://s3.example', '--app.storage.path=/srv/files'];
    assert.deepEqual(configOf({ argv }).storage, {
      kind: 'directory',
      path: '/srv/files',
      minFreeBytes: 268_435_456,
    });
  });

  test('a malformed URL is refused', () => {
    const refused =
      'file:///x|bucket|s3:bucket|s3://|s3:///prefix|S3://bucket|https://bucket.s3.example|s3://ab|s3://Bucket|' +
      's3://bucket_1|s3://-bucket|s3://a..b|s3://bucket//a|s3://bucket/a//b|s3://bucket/../a|s3://bucket/a/./b|' +
      's3://bucket/a b|s3://bucket/a?b|s3://bucket/a#b|s3://bucket/a%2Fb|s3://bucket/\n';
    for (const url of [...refused.split('|'), `s3://${'a'.repeat(64)}`, `s3://bucket/${'a'.repeat(600)}`])
      assert.match(
        errorOf(withFlag('app.storage.url', url)),
        /^app\.storage\.url: .* must be s3:\/\/<bucket>/s,
      );
  });

  test('credentials in a URL are refused, and not shown', () => {
    for (const flag of ['url=s3://key:s3cret@bucket', 'endpoint=https://key:s3cret@s3.example']) {
      const error = errorOf({ argv: [`--app.storage.${flag}`] });
      assert.match(error, /not shown/);
      assert.doesNotMatch(error, /s3cret/);
    }
  });

  test('a malformed endpoint, region, path style or timeout is refused', () => {
    assertEachRefused(
      'app.storage.endpoint',
      's3.example|ftp://s3.example|https://|https://s3.example/path|https://s3.example?a|https://s3.example:99999|https://a b|https://256.1.1.1',
      /must be an http/,
    );
    assertRefused('app.storage.region', 'eu west', /: "eu west"/);
    assertRefused('app.storage.path-style', 'yes', /must be one of true, false/);
    assertRefused('app.storage.timeout', 'PT2H', /from PT0\.1S to PT1H/);
  });

  test('the largest file is the largest object', () => {
    for (const name of ['app.upload.max-size', 'spring.servlet.multipart.max-file-size']) {
      storageOf('s3://bucket', `--${name}=${MAX_OBJECT_BYTES}`);
      assert.equal(
        errorOf({ argv: ['--app.storage.url=s3://bucket', `--${name}=${MAX_OBJECT_BYTES + 1}`] }),
        `${name}: must be at most 83886080000 bytes with app.storage.url`,
      );
    }
  });

  test('an unencrypted endpoint on another machine is warned of', () => {
    const warningFor = (endpoint: string) => {
      const flags = ['--app.storage.url=s3://bucket', '--server.host=127.0.0.1'];
      return warningsOf({ argv: [...flags, `--app.storage.endpoint=${endpoint}`] }).join();
    };
    assert.match(warningFor('http://s3.example'), /is not encrypted/);
    for (const endpoint of [
      'https://s3.example',
      'http://127.0.0.1:9000',
      'http://[::1]',
      'http://localhost',
    ]) {
      assert.equal(warningFor(endpoint), '', endpoint);
    }
  });
});
