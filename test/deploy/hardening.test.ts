import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { configFrom, STOP_AT_LAST_SECONDS } from '../support/deployed-settings.ts';
import { fencedBlocks, readProjectFile } from '../support/documents.ts';

test('the Compose services that face the network drop their capabilities and cannot write to their image', () => {
  const { services }: { services: Record<string, Record<string, unknown>> } = parse(
    readProjectFile('deploy/compose.yaml'),
  );
  for (const name of ['load-balancer', 'postern']) {
    assert.equal(services[name]?.['read_only'], true, name);
    assert.deepEqual(services[name]?.['cap_drop'], ['ALL'], name);
    assert.deepEqual(services[name]?.['security_opt'], ['no-new-privileges:true'], name);
  }
});

test('no Compose service has rights on its host', () => {
  const { services }: { services: Record<string, Record<string, unknown>> } = parse(
    readProjectFile('deploy/compose.yaml'),
  );
  for (const [name, service] of Object.entries(services)) {
    for (const right of ['privileged', 'cap_add', 'devices', 'pid', 'ipc', 'network_mode', 'userns_mode']) {
      assert.equal(service[right], undefined, `${name}: ${right}`);
    }
    assert.doesNotMatch(JSON.stringify(service['volumes'] ?? []), /"\/|\.sock/, name);
  }
  // Compose must not replace the image's user, which is a number other than root.
  assert.equal(services['postern']?.['user'], undefined);
});

test('the Kubernetes pod runs without root, capabilities, a writable image or a service account', () => {
  const { spec } = parse(readProjectFile('deploy/kubernetes/deployment.yaml')).spec.template;
  assert.equal(spec.automountServiceAccountToken, false);
  assert.equal(spec.securityContext.runAsNonRoot, true);
  assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
  assert.deepEqual(spec.containers[0].securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

const [{ text: unit } = { text: '' }] = fencedBlocks(readProjectFile('docs/operations/install.md'), 'ini');

test('the documented unit file has settings without a warning, asks for keys, and creates no database', () => {
  const variables = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)];
  const config = configFrom(Object.fromEntries(variables.map(([, name, value]) => [name, value])), {});
  assert.equal(config.access.mode, 'keys');
  assert.equal(config.databaseMustExist, true);
});

test('the documented unit file starts the service as npm start does, and lets it stop', () => {
  const { scripts } = JSON.parse(readProjectFile('package.json'));
  const [, ...command] = / (--\S+) "\$root\/(.*)" "\$@"$/m.exec(readProjectFile('bin/postern')) ?? [];
  assert.equal(`exec node ${command.join(' ')} serve`, scripts.start);
  assert.match(unit, /^ExecStart=\/opt\/postern\/bin\/postern serve$/m);
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  assert.ok(Number(seconds) > STOP_AT_LAST_SECONDS);
});
