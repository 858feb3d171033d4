import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { armor } from 'age-encryption';
import { uploadEncrypted } from '../support/encrypted-links.ts';
import { json, member, send } from '../support/http-client.ts';
import { auditedResults, openLink } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

const BROWSER = { accept: 'text/html' };
const AGE = 'age-encryption.org/v1\n';

test('a browser gets the page that decrypts, and a program the encrypted file without its name', async (t) => {
  const service = await startService(t);
  const [address = ''] = (await uploadEncrypted(service, [['a.txt', 'content']])).split('#');
  const code = address.split('/l/')[1] ?? '';
  const page = await openLink(service, code, BROWSER);
  assert.match(page.text, /<form method="post" data-encrypted=/);
  const program = await openLink(service, code);
  assert.match(String(program.headers['content-disposition']), /^attachment; filename="encrypted\.tar\.age"/);
  assert.ok(program.text.startsWith(AGE));
  assert.deepEqual(auditedResults(service, code), ['PREVIEW', 'SUCCESS']);
  const shown = member(json(await send(service, `/api/links/${code}`)), 'file') as Record<string, unknown>;
  assert.deepEqual([shown['name'], shown['encrypted']], ['encrypted.tar.age', true]);
});

test('the policy of the page that decrypts has the hash of each of its scripts', async () => {
  const service = await sharedService();
  const [address = ''] = (await uploadEncrypted(service, [['a.txt', 'content']])).split('#');
  const { text, headers } = await openLink(service, address.split('/l/')[1] ?? '', BROWSER);
  const scripts = [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  assert.equal(scripts.length, 2);
  const hashes = scripts.map((script) => `'sha256-${hash('sha256', script, 'base64')}'`);
  const policy = String(headers['content-security-policy']).split('; ');
  assert.ok(policy.includes(`script-src ${hashes.join(' ')}`), policy.join('\n'));
  for (const directive of ["default-src 'none'", "connect-src 'self'", 'worker-src blob:'])
    assert.ok(policy.includes(directive), directive);
});

test('a file of age in ASCII armor is taken as an encrypted one', async () => {
  const service = await sharedService();
  for (const newline of ['\n', '\r\n']) {
    const armored = `${newline}${armor.encode(Buffer.from(`${AGE}-> X25519 a`)).replaceAll('\n', newline)}`;
    const taken = await sendForm(service, [...fields({ encrypted: 'true' }), file(armored)]);
    assert.equal(taken.status, 201, taken.text);
    const refused = await sendForm(service, [
      ...fields({ encrypted: 'true' }),
      file(armor.encode(Buffer.from('no'))),
    ]);
    assert.equal(member(json(refused), 'code'), 'NOT_ENCRYPTED');
  }
});

test('a file that is not in the format of age is refused as an encrypted one', async () => {
  const service = await sharedService();
  for (const contents of [['content'], [AGE.slice(0, -1)], [`${AGE.slice(0, -1)}x`], [AGE, AGE]]) {
    const files = contents.map((text) => file(text));
    const refused = await sendForm(service, [...fields({ encrypted: 'true' }), ...files]);
    assert.deepEqual(
      [refused.status, member(json(refused), 'code')],
      [400, 'NOT_ENCRYPTED'],
      contents.join(),
    );
  }
});
