import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sendJson } from '../support/http-client.ts';
import { logLines, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

test('a service rereads its settings on SIGHUP, and takes over none of those with an error', async (t) => {
  const directory = temporaryDirectory(t);
  const [file, hosts] = [join(directory, 'postern.conf'), join(directory, 'hosts')];
  const write = (...lines: string[]) =>
    writeFileSync(file, `app.links.blocked-hosts=${hosts}\n${lines.join('\n')}\n`);
  writeFileSync(hosts, 'first.example\n');
  write('app.log.level=warn');
  const service = await startServiceProcess(t, directory, { env: { POSTERN_CONFIG: file } });
  const linesOf = (event: string) => logLines(service.output.stdout).filter(({ msg }) => msg === event);
  const createTo = async (host: string) =>
    (await sendJson(service, '/api/links', { targetUrl: `https://${host}/` })).status;
  const signal = async (event: string, count: number) => {
    service.signal('SIGHUP');
    await service.waitForOutput(() => linesOf(event).length >= count);
  };
  assert.deepEqual([await createTo('first.example'), await createTo('second.example')], [400, 201]);
  assert.equal(linesOf('secure_link_created').length, 0);

  write('app.log.level=info', 'app.limits.creations=7/PT1H');
  await signal('settings_reread', 1);
  const [reread] = linesOf('settings_reread');
  assert.deepEqual(
    [reread?.['changed'], reread?.['needRestart']],
    [['app.log.level', 'app.limits.creations'], ['app.limits.creations']],
  );
  writeFileSync(hosts, 'second.example\n');
  await signal('blocked_hosts_reloaded', 1); // or by the jobs of the start, if they have not ended yet
  assert.deepEqual([await createTo('first.example'), await createTo('second.example')], [201, 400]);
  await service.waitForOutput(() => linesOf('secure_link_created').length === 1);

  write('app.log.level=error', 'app.log.levle=x', 'app.limits.connections=x');
  await signal('settings_refused', 1);
  const [refused] = linesOf('settings_refused');
  assert.match(
    String(refused?.['errors']),
    /line 3 of .*did you mean app\.log\.level\?.*app\.limits\.connections: "x" from line 4/,
  );
  await createTo('third.example');
  await service.waitForOutput(() => linesOf('secure_link_created').length === 2);

  write('app.log.level=silent');
  await signal('settings_reread', 3);
  assert.deepEqual(linesOf('settings_reread')[2]?.['changed'], ['app.log.level']);
  write('app.log.level=x');
  await signal('settings_refused', 2);
  service.signal('SIGTERM');
  assert.equal((await service.exited).code, 0);
});
