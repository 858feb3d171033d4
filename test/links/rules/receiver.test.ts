import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { prepareCheckAddress, prepareCheckReceiver } from '../../../src/core/rules/receiver.ts';

const PUBLIC_ONLY = { allowedNetworks: [], ports: [443, 8443] };
const [HTTPS, HTTP] = [new URL('https://hooks.example/'), new URL('http://hooks.example:9000/')];

/** Each class of address that no stranger may reach through the service. */
const FORBIDDEN = (
  '0.0.0.0|0.1.2.3|10.0.0.1|100.64.0.1|100.127.255.255|127.0.0.1|127.255.255.254|169.254.169.254|' +
  '169.254.0.1|172.16.0.1|172.31.255.255|192.0.0.8|192.0.2.1|192.88.99.1|192.168.1.1|198.18.0.1|' +
  '198.51.100.1|203.0.113.1|224.0.0.1|239.255.255.255|240.0.0.1|255.255.255.255|::|::1|::7f00:1|' +
  '::ffff:127.0.0.1|::ffff:8.8.8.8|::ffff:a9fe:a9fe|64:ff9b::a9fe:a9fe|64:ff9b:1::1|100::1|2001::1|' +
  '2001:db8::1|2002:7f00:1::|2002:808:808::|3fff::1|fc00::1|fd00:ec2::254|fe80::1|fe80::1%eth0|' +
  'fec0::1|ff02::1|5f00::1||localhost|127.1|0x7f000001'
).split('|');
const PUBLIC = '8.8.8.8 93.184.216.34 100.63.255.255 172.32.0.1 2606:4700::1111 2a00:1450::1'.split(' ');

describe('the address of a receiver', () => {
  test('an address must be public', () => {
    const check = prepareCheckAddress(PUBLIC_ONLY);
    for (const address of FORBIDDEN) assert.match(check(address, HTTPS) ?? 'allowed', /not public/, address);
    for (const address of PUBLIC) assert.equal(check(address, HTTPS), undefined, address);
  });

  test('an address needs https if it is public', () => {
    const check = prepareCheckAddress(PUBLIC_ONLY);
    assert.equal(check('8.8.8.8', HTTP), 'must begin with https://');
  });

  test('an address may be in an allowed network, also without https', () => {
    const allowedNetworks = ['10.1.2.0/24', 'fd00::/8', '192.168.1.7', '64:ff9b::/96'];
    const check = prepareCheckAddress({ ...PUBLIC_ONLY, allowedNetworks });
    for (const address of ['10.1.2.3', 'fd12::1', '192.168.1.7', '64:ff9b::808:808'])
      assert.equal(check(address, HTTP), undefined, address);
    for (const address of ['10.1.3.1', 'fe80::1', '192.168.1.8', '127.0.0.1'])
      assert.match(check(address, HTTPS) ?? 'allowed', /not public/, address);
    assert.equal(check('8.8.8.8', HTTP), 'must begin with https://');
  });
});

describe('the URL of a receiver', () => {
  const check = (text: string) => prepareCheckReceiver(PUBLIC_ONLY)(new URL(text));

  test('a URL is refused where it leads to a private address, however that is written', () => {
    const hosts = [
      ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '127.0.0.1.'],
      ...['①②⑦.0.0.1', '169.254.169.254', '0', '[::1]', '[::ffff:7f00:1]', '[::ffff:127.0.0.1]'],
      ...['[0:0:0:0:0:0:0:1]', '[64:ff9b::7f00:1]', '[fe80::1]'],
    ];
    for (const host of hosts) assert.match(check(`https://${host}/`) ?? 'allowed', /not public/, host);
  });

  test('a URL is accepted without a lookup where it has a name', () => {
    for (const host of ['hooks.example', 'localhost', 'localhost.', 'metadata.google.internal', '8.8.8.8'])
      assert.equal(check(`https://${host}/path?query`), undefined, host);
  });

  test('a URL has no credentials, and a scheme and port that are allowed', () => {
    assert.match(check('https://user@hooks.example/') ?? '', /user name/);
    assert.match(check('https://:password@hooks.example/') ?? '', /user name/);
    assert.equal(check('http://hooks.example/'), 'must begin with https://');
    assert.equal(
      check('https://hooks.example:22/'),
      'must use one of the ports of app.webhooks.ports: 443, 8443',
    );
    assert.equal(check('https://hooks.example:8443/'), undefined);
  });

  test('a URL may have any scheme and port where a network is allowed, which its address shows', () => {
    const checkPrivate = prepareCheckReceiver({ ...PUBLIC_ONLY, allowedNetworks: ['10.0.0.0/8'] });
    assert.equal(checkPrivate(new URL('http://hooks.internal:9000/')), undefined);
    assert.equal(checkPrivate(new URL('http://10.1.1.1:9000/')), undefined);
    assert.match(checkPrivate(new URL('http://192.168.1.1/')) ?? '', /not public/);
  });
});
