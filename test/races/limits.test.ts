import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { assertAuditConsistent } from '../support/audit-consistency.ts';
import type { TestResponse } from '../support/http-client.ts';
import { createLink, openLink, TARGET, uploadFile } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const CONTENT = Buffer.alloc(100_000, 'content');
const PASSWORD = 'open sesame';
const AUTHORIZED = { 'x-link-password': PASSWORD };

type Kind = {
  create(service: TestService, maxViews: number): Promise<string>;
  headers?: Record<string, string>;
  assertGranted(response: TestResponse): void;
};

function assertRedirects({ status, headers }: TestResponse): void {
  assert.equal(status, 302);
  assert.equal(headers.location, TARGET);
}

function assertHasFile({ status, body }: TestResponse): void {
  assert.equal(status, 200);
  assert.ok(body.equals(CONTENT), 'the file must be whole');
}

const KINDS: Record<string, Kind> = {
  redirect: {
    create: (service, maxViews) => createLink(service, { maxViews }),
    assertGranted: assertRedirects,
  },
  protected: {
    create: (service, maxViews) => createLink(service, { maxViews, password: PASSWORD }),
    headers: AUTHORIZED,
    assertGranted: assertRedirects,
  },
  file: {
    create: (service, maxViews) => uploadFile(service, CONTENT, { fields: { maxViews: String(maxViews) } }),
    assertGranted: assertHasFile,
  },
};

/** Makes parallel attempts on one link: exactly the limit are granted, the others get the reason. */
async function race(t: TestContext, kind: Kind, attempts: number, maxViews: number): Promise<void> {
  const service = await startService(t);
  const shortCode = await kind.create(service, maxViews);
  const responses = await Promise.all(
    Array.from({ length: attempts }, () => openLink(service, shortCode, kind.headers)),
  );
  const granted = responses.filter(({ status }) => status < 400);
  assert.equal(granted.length, maxViews);
  for (const response of granted) kind.assertGranted(response);
  for (const { status, text } of responses.filter((response) => !granted.includes(response))) {
    assert.equal(status, 410, text);
    assert.match(text, /"message":"Link has reached its view limit"/);
  }
  const audit = await assertAuditConsistent(service);
  assert.equal(audit.length, attempts);
  assert.equal(audit.filter(({ result }) => result === 'SUCCESS').length, maxViews);
}

describe('a view limit under parallel attempts', () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    const attempts = name === 'protected' ? 60 : 300; // each takes the time of a hash
    for (const maxViews of name === 'protected' ? [5] : [1, 2, 5]) {
      test(`of ${maxViews} grants ${maxViews} of ${attempts} a ${name} link, and records all`, (t) =>
        race(t, kind, attempts, maxViews));
    }
  }

  test('of 5 is spent only by right passwords, with many wrong ones in between', async (t) => {
    const service = await startService(t);
    const shortCode = await createLink(service, { maxViews: 5, password: PASSWORD });
    const passwords = [{ 'x-link-password': 'guess' }, {}, { 'x-link-password': ' ' }, AUTHORIZED];
    const responses = await Promise.all(
      Array.from({ length: 15 }, () => passwords)
        .flat()
        .map((headers) => openLink(service, shortCode, headers)),
    );
    const counts = Object.groupBy(responses, ({ status }) => status);
    assert.equal(counts[302]?.length, 5);
    assert.equal(counts[410]?.length, 10);
    assert.equal(counts[401]?.length, 45);
    const audit = await assertAuditConsistent(service);
    assert.equal(audit.length, responses.length);
  });

  test('of 3 is spent by no preview', async (t) => {
    const service = await startService(t);
    const shortCode = await createLink(service, { maxViews: 3 });
    const prefetch = { 'sec-purpose': 'prefetch' };
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => openLink(service, shortCode, index % 2 === 0 ? prefetch : {})),
    );
    assert.equal(responses.filter(({ status }) => status === 302).length, 3);
    const results = Object.groupBy(await assertAuditConsistent(service), ({ result }) => result);
    assert.equal(results.PREVIEW?.length, 30);
    assert.equal(results.SUCCESS?.length, 3);
    assert.equal(results.VIEW_LIMIT_REACHED?.length, 27);
  });

  test('is not spent by attempts on a missing file', async (t) => {
    const service = await startService(t);
    const shortCode = await uploadFile(service, CONTENT, { fields: { maxViews: '1' } });
    const [stored] = service.storedFiles();
    assert.ok(stored);
    renameSync(stored, `${stored}.away`);
    const gone = await Promise.all(Array.from({ length: 20 }, () => openLink(service, shortCode)));
    assert.deepEqual(new Set(gone.map(({ status }) => status)), new Set([404]));
    renameSync(`${stored}.away`, stored);
    assertHasFile(await openLink(service, shortCode));
    assert.equal((await openLink(service, shortCode)).status, 410);
    await assertAuditConsistent(service);
  });
});
