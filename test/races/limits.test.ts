import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { assertAuditConsistent } from '../support/audit-consistency.ts';
import type { TestResponse } from '../support/http-client.ts';
import { createLink, openLink, TARGET, uploadFile } from '../support/links.ts';
import { recount } from '../support/recount.ts';
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
    const attempts = name === 'protected' ? 40 : 200; // each takes the time of a hash
    for (const maxViews of name === 'redirect' ? [1, 5] : [5]) {
      test(`a limit of ${maxViews} grants ${maxViews} of ${attempts} a ${name} link, and records all`, (t) =>
        race(t, kind, attempts, maxViews));
    }
  }

  test('a limit of 5 is spent by no wrong password and no preview', async (t) => {
    const service = await startService(t, { flags: ['--app.limits.wrong-passwords=none'] });
    const shortCode = await createLink(service, { maxViews: 5, password: PASSWORD });
    const prefetch = { ...AUTHORIZED, 'sec-purpose': 'prefetch' };
    const kinds = [{ 'x-link-password': 'guess' }, {}, { 'x-link-password': ' ' }, prefetch, AUTHORIZED];
    const attempts = Array.from({ length: 15 }, () => kinds).flat();
    await Promise.all(attempts.map((headers) => openLink(service, shortCode, headers)));
    const audit = await assertAuditConsistent(service);
    assert.deepEqual(recount(audit).totals.countsByResult, {
      SUCCESS: 5,
      VIEW_LIMIT_REACHED: 10,
      INVALID_PASSWORD: 15,
      PASSWORD_REQUIRED: 30,
      PREVIEW: 15,
    });
  });
});
