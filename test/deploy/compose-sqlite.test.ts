import assert from 'node:assert/strict';
import process from 'node:process';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { IMAGE_STAGE, textsOf } from '../../packaging/dockerfile.ts';
import { IMAGE } from '../../packaging/places.ts';
import { VERSION } from '../../src/common/version.ts';
import { configFrom, STOP_AT_LAST_SECONDS } from '../support/deployed-settings.ts';
import { readProjectFile } from '../support/documents.ts';
import { json, send } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { freePort, startCommand, waitForPort } from '../support/process.ts';
import { withoutProxy } from '../support/reverse-proxies.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const KEY = 'initial-'.repeat(5);

type Container = {
  image: string;
  command: string[];
  environment: Record<string, string>;
  volumes: string[];
  ports?: string[];
  networks: string[];
  cap_drop: string[];
  cap_add?: string[];
  read_only: boolean;
  security_opt: string[];
  stop_grace_period: string;
  logging: { options: Record<string, string> };
};
const { services, volumes }: { services: { proxy: Container; postern: Container }; volumes: object } = parse(
  readProjectFile('deploy/compose-sqlite.yaml').replaceAll(/\$\{\w+:-(.*?)\}/g, '$1'),
);
const { proxy, postern } = services;

describe('compose-sqlite.yaml', () => {
  test('compose-sqlite.yaml keeps database and files in the volume of the image of this version, and asks for keys', () => {
    assert.equal(postern.image, `${IMAGE}:${VERSION}`);
    assert.deepEqual(postern.volumes, [`data:${textsOf(IMAGE_STAGE, 'VOLUME')[0]}`]);
    assert.deepEqual(Object.keys(volumes), ['certificates', 'data']);
    const ofImage = textsOf(IMAGE_STAGE, 'ENV').map((text) => text.split('=', 2));
    const config = configFrom({ ...Object.fromEntries(ofImage), ...postern.environment }, {});
    assert.deepEqual([config.access.mode, config.baseUrl], ['keys', 'https://localhost']);
    assert.equal(config.database.kind, 'sqlite');
    assert.ok(config.storage.kind === 'directory');
    assert.equal(config.storage.path, `${textsOf(IMAGE_STAGE, 'VOLUME')[0]}/uploads`);
  });

  test('compose-sqlite.yaml opens nothing but the proxy, gives no container more rights than it needs, and bounds logs', () => {
    assert.deepEqual([proxy.ports, postern.ports], [['80:80', '443:443'], undefined]);
    assert.deepEqual([proxy.cap_add, postern.cap_add], [['NET_BIND_SERVICE'], undefined]);
    for (const { cap_drop, read_only, security_opt, logging } of [proxy, postern]) {
      assert.deepEqual([cap_drop, read_only], [['ALL'], true]);
      assert.deepEqual(security_opt, ['no-new-privileges:true']);
      assert.deepEqual(logging.options, { 'max-size': '20m', 'max-file': '5' });
    }
    assert.ok(Number.parseInt(postern.stop_grace_period, 10) > STOP_AT_LAST_SECONDS);
  });

  const skip = withoutProxy({ program: 'caddy' });
  test('the proxy opens links, and replaces a forged address of a client', { skip }, async (t) => {
    const service = await startService(t, { flags: [`--app.access.initial-key=${KEY}`] });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const command = proxy.command.map((word) =>
      word.replace('--from=localhost', `--from=:${port}`).replace('postern:8080', new URL(service.url).host),
    );
    assert.ok(command.includes(`--from=:${port}`));
    startCommand(t, command, { env: { PATH: process.env['PATH'], HOME: temporaryDirectory(t) } });
    await waitForPort(port);

    const code = await createLink({ url });
    assert.equal((await openLink({ url }, code, { 'x-forwarded-for': '203.0.113.7' })).status, 302);
    const headers = { authorization: `Bearer ${KEY}` };
    const history = json(await send({ url }, `/api/links/${code}/history?limit=1`, { headers }));
    assert.equal(Object(history).items[0].ipAddress, '127.0.0.1');
  });
});
