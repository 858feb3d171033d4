import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeBucket, loadConfig, type S3Storage } from '../../src/config/config.ts';
import { MAX_OBJECT_BYTES } from '../../src/config/storage-url.ts';
import { MAX_OBJECT_BYTES as OF_THE_STORE } from '../../src/files/s3-upload.ts';

const load = (...argv: string[]) => loadConfig({ argv, env: {}, readFile: () => '' });

function storageOf(url: string, ...flags: string[]): S3Storage {
  const loaded = load(`--app.storage.url=${url}`, ...flags);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.faults.join('\n'));
  const { storage } = loaded.config;
  assert.ok(storage.kind === 's3');
  return storage;
}

function faultOf(flag: string, ...others: string[]): string {
  const loaded = load(flag, ...others);
  assert.ok(!loaded.ok, `${flag} must be refused`);
  assert.equal(loaded.faults.length, 1, loaded.faults.join('\n'));
  return loaded.faults.join();
}

describe('the properties of object storage', () => {
  test('name a bucket of AWS, and leave the rest to the usual chain', () => {
    const expected = { kind: 's3', endpoint: null, region: null, pathStyle: false, timeoutMs: 30_000 };
    assert.deepEqual(storageOf('s3://my.bucket-1'), { ...expected, bucket: 'my.bucket-1', prefix: '' });
    assert.deepEqual(storageOf('s3://bucket/'), { ...expected, bucket: 'bucket', prefix: '' });
    for (const url of ['s3://bucket/a/b-2/c_d.e', 's3://bucket/a/b-2/c_d.e/']) {
      const storage = storageOf(url);
      assert.deepEqual(storage, { ...expected, bucket: 'bucket', prefix: 'a/b-2/c_d.e' });
      assert.equal(describeBucket(storage), 's3://bucket/a/b-2/c_d.e');
    }
  });

  test('name another server, which is asked by path unless it is said otherwise', () => {
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

  test('without a URL, files are in the directory', () => {
    const loaded = load('--app.storage.endpoint=https://s3.example', '--app.storage.path=/srv/files');
    assert.deepEqual(loaded.ok && loaded.config.storage, { kind: 'directory', path: '/srv/files' });
  });

  test('a URL that names no bucket, or more than one and a prefix, is refused', () => {
    const refused = [
      ...[
        'file:///x',
        'bucket',
        's3:bucket',
        's3://',
        's3:///prefix',
        'S3://bucket',
        'https://bucket.s3.example',
      ],
      ...['s3://ab', 's3://Bucket', 's3://bucket_1', 's3://-bucket', 's3://a..b', `s3://${'a'.repeat(64)}`],
      ...['s3://bucket//a', 's3://bucket/a//b', 's3://bucket/../a', 's3://bucket/a/./b', 's3://bucket/a b'],
      ...[
        's3://bucket/a?b',
        's3://bucket/a#b',
        's3://bucket/a%2Fb',
        's3://bucket/\n',
        `s3://bucket/${'a'.repeat(600)}`,
      ],
    ];
    for (const url of refused) {
      assert.match(faultOf(`--app.storage.url=${url}`), /^app\.storage\.url: .* must be s3:\/\/<bucket>/s);
    }
  });

  test('credentials in a URL are refused, and not shown', () => {
    for (const flag of ['url=s3://key:s3cret@bucket', 'endpoint=https://key:s3cret@s3.example']) {
      const fault = faultOf(`--app.storage.${flag}`);
      assert.match(fault, /not shown/);
      assert.doesNotMatch(fault, /s3cret/);
    }
  });

  test('an endpoint has no path, a region is a name, a style is true or false, a time-out is bounded', () => {
    const endpoints = [
      's3.example',
      'ftp://s3.example',
      'https://',
      'https://s3.example/path',
      'https://s3.example?a',
    ];
    for (const text of [...endpoints, 'https://s3.example:99999', 'https://a b', 'https://256.1.1.1']) {
      assert.match(faultOf(`--app.storage.endpoint=${text}`), /^app\.storage\.endpoint: .* must be an http/);
    }
    assert.match(faultOf('--app.storage.region=eu west'), /^app\.storage\.region: "eu west"/);
    assert.match(faultOf('--app.storage.path-style=yes'), /must be one of true, false/);
    assert.match(faultOf('--app.storage.timeout=PT2H'), /from PT0\.1S to PT1H/);
  });

  test('all faults are told at once', () => {
    const loaded = load(
      ...[
        '--app.storage.url=x',
        '--app.storage.endpoint=x',
        '--app.storage.region=-',
        '--app.storage.timeout=x',
      ],
    );
    assert.equal(loaded.ok || loaded.faults.length, 4);
  });

  test('a file may have as many bytes as fit into the parts of one object', () => {
    assert.equal(MAX_OBJECT_BYTES, OF_THE_STORE);
    const maxFile = '--spring.servlet.multipart.max-file-size=';
    storageOf('s3://bucket', `${maxFile}${MAX_OBJECT_BYTES}`);
    assert.match(
      faultOf('--app.storage.url=s3://bucket', `${maxFile}${MAX_OBJECT_BYTES + 1}`),
      /^spring\.servlet\.multipart\.max-file-size: must be at most 83886080000 bytes with app\.storage\.url$/,
    );
  });

  test('files that travel to another machine unencrypted are warned of', () => {
    const warningsOf = (endpoint: string) => {
      const loaded = load(
        '--app.storage.url=s3://bucket',
        '--server.host=127.0.0.1',
        `--app.storage.endpoint=${endpoint}`,
      );
      return loaded.ok ? loaded.warnings.join() : 'refused';
    };
    assert.match(warningsOf('http://s3.example'), /unencrypted/);
    for (const endpoint of [
      'https://s3.example',
      'http://127.0.0.1:9000',
      'http://[::1]',
      'http://localhost',
    ]) {
      assert.equal(warningsOf(endpoint), '', endpoint);
    }
  });
});
