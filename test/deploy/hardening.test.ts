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
