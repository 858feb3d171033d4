import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readProjectFile } from '../support/documents.ts';

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
  const { spec } = parse(readProjectFile('deploy/kubernetes/base/deployment.yaml')).spec.template;
  assert.equal(spec.automountServiceAccountToken, false);
  assert.equal(spec.securityContext.runAsNonRoot, true);
  assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
  assert.deepEqual(spec.containers[0].securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});
