import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startProgram, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { STORE_PLACES, sqlitePlace } from '../support/store-places.ts';

for (const [name, makePlace] of STORE_PLACES) {
  describe(`postern erase on ${name}`, () => {
    test('postern erase erases a recipient beside a running service, and verify confirms it', async (t) => {
      const { databaseUrl, readAudit, run: execute } = await makePlace(t);
      const service = await startServiceProcess(t, temporaryDirectory(t), { databaseUrl });
      const created = await fetch(`${service.url}/api/links`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ targetUrl: 'https://example.com/', recipient: 'Jane Doe' }),
      });
      const { shortCode } = (await created.json()) as { shortCode: string };
      await fetch(`${service.url}/l/${shortCode}`, { redirect: 'manual' });
      const flags = [`--app.database.url=${databaseUrl}`, `--app.storage.path=${service.storagePath}`];
      const run = (command: string, ...argv: string[]) => runServiceCommand([command, ...argv, ...flags]);

      const dry = await run('erase', '--recipient=Jane Doe', '--dry-run');
      assert.equal(dry.code, 0, dry.stderr);
      assert.match(dry.stdout, /^Found 2 entries and the terms of 1 link in /);
      const refused = await startProgram(t, ['cli/main.ts', 'erase', '--recipient=Jane Doe', ...flags])
        .exited;
      assert.deepEqual([refused.code, /nothing was erased/.test(refused.stderr)], [1, true]);
      const erased = await run('erase', '--recipient=Jane Doe', '--yes');
      assert.deepEqual([erased.code, erased.stderr], [0, '']);
      assert.match(erased.stdout, /^Erased 3 entries and the terms of 1 link\.$/m); // with the change of the terms

      const [attempt] = await readAudit();
      assert.deepEqual([attempt?.ipAddress?.slice(0, 7), attempt?.userAgent], ['erased-', null]);
      const opened = await fetch(`${service.url}/l/${shortCode}`, { redirect: 'manual' });
      assert.equal(opened.status, 302);
      // As after an interruption between the last entry and its address
      await execute("UPDATE origin SET ip_address = '198.51.100.9' WHERE ip_address LIKE 'erased-%'");
      await execute('UPDATE log_hour SET is_outdated = true');
      const completed = await run('erase', '--recipient=Jane Doe', '--yes');
      assert.deepEqual([completed.code, completed.stderr], [0, '']);
      assert.match(completed.stdout, /^Completed an earlier erasure\. Nothing else to erase was found\.$/m);
      for (const flag of ['--link=nowhere1', '--recipient=Jane Doe', '--ip=192.0.2.99']) {
        const { code, stdout, stderr } = await run('erase', flag, '--yes');
        assert.deepEqual([code, stdout, /nothing to erase was found/.test(stderr)], [1, '', true]);
      }
      const verified = await run('verify');
      assert.equal(verified.code, 0, verified.stderr);
      assert.match(verified.stdout, /^Erased entries: 3; erasures: 1\.$/m);
      const { stdout } = await run('erase', `--link=${shortCode}`, '--yes');
      assert.match(stdout, /^Erased 1 entry and the terms of 0 links\.$/m); // its attempt after the first erasure
    });
  });
}

test('postern erase refuses anything but one address, link or recipient', async (t) => {
  const { path, openStore } = sqlitePlace(t);
  await (await openStore()).close();
  for (const argv of [[], ['--ip=jane'], ['--link=a', '--recipient=b'], ['--recipient=']]) {
    const { code, stderr } = await runServiceCommand(['erase', ...argv, `--app.database.url=sqlite:${path}`]);
    assert.equal(code, 2);
    assert.match(stderr, /set one of --ip, --link and --recipient|must be an IP address/);
  }
});
