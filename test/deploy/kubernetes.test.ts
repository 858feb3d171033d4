import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { IMAGE_STAGE, textsOf } from '../../packaging/dockerfile.ts';
import { IMAGE } from '../../packaging/places.ts';
import { VERSION } from '../../src/common/version.ts';
import { PROPERTIES } from '../../src/core/config/properties.ts';
import {
  assertSettings,
  configFrom,
  POSTGRES_CONNECTIONS,
  STOP_AT_LAST_SECONDS,
} from '../support/deployed-settings.ts';
import { DOCUMENTS, fencedBlocks, filesBelow, ROOT, readProjectFile } from '../support/documents.ts';
import { send } from '../support/http-client.ts';
import { IN_MEMORY, startOwnServer } from '../support/own-postgres.ts';
import { createSchema } from '../support/postgres-server.ts';
import { startService } from '../support/service.ts';

type Selector = { matchLabels: Record<string, string> };
type Probe = { httpGet: { path: string; port: string } };
type Port = { name: string; containerPort: number };
type Container = {
  image: string;
  env: { name: string; value: string }[];
  ports: [Port, Port];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  lifecycle: { preStop: { sleep: { seconds: number } } };
} & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe>;
type Pod = {
  metadata: { labels: Selector['matchLabels']; annotations: Record<string, string> };
  spec: {
    terminationGracePeriodSeconds: number;
    securityContext: Record<'runAsUser' | 'runAsGroup' | 'fsGroup', number>;
    containers: [Container];
    volumes: { name: string; secret?: { secretName: string } }[];
  };
};
type Deployment = {
  metadata: { name: string };
  spec: { selector: Selector; strategy: { rollingUpdate: { maxSurge: number } }; template: Pod };
};
type Service = {
  metadata: { name: string };
  spec: { selector: Selector['matchLabels']; ports: Record<0 | 1, { port: number; targetPort: string }> };
};
type PolicyRule = { from?: object[]; ports: { port: string | number; protocol?: string }[] };
type Endpoint = { port: string; path: string };
type Rule = {
  matches: { method: string; path: { type: string; value: string } }[];
  backendRefs: [{ name: string; port: number }];
};

const textOf = (name: string) => readProjectFile(`deploy/kubernetes/${name}.yaml`);
const deployment: Deployment = parse(textOf('base/deployment'));
const service: Service = parse(textOf('base/service'));
const autoscaler: {
  spec: { scaleTargetRef: { name: string }; minReplicas: number; maxReplicas: number };
} = parse(textOf('base/autoscaler'));
const budget: { spec: { maxUnavailable: number; selector: Selector } } = parse(
  textOf('base/disruption-budget'),
);
const route: { spec: { hostnames: string[]; rules: [Rule] } } = parse(textOf('route/route'));
const policy: { spec: { podSelector: Selector; ingress: PolicyRule[]; egress: PolicyRule[] } } = parse(
  textOf('base/network-policy'),
);
const monitor: { spec: { jobLabel: string; selector: Selector; podMetricsEndpoints: [Endpoint] } } = parse(
  textOf('pod-monitor/pod-monitor'),
);

const pod = deployment.spec.template;
const [container] = pod.spec.containers;
const [port, management] = container.ports;
const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));

describe('the Deployment', () => {
  test('the Deployment has valid settings, and takes its secrets from the files of the documented secret', () => {
    const commands = DOCUMENTS.flatMap((path) => fencedBlocks(readProjectFile(path), 'sh'));
    const command = commands.find(({ text }) => text.includes('kubectl create secret'))?.text ?? '';
    const volume = pod.spec.volumes.find(({ secret }) => secret);
    const mount = container.volumeMounts.find(({ name }) => name === volume?.name);
    assert.ok(volume && mount);
    assert.ok(command.includes(`secret generic ${volume.secret?.secretName} `));
    assertSettings(environment, mount.mountPath);
    for (const [name, path] of Object.entries(environment)) {
      const key = path.slice(mount.mountPath.length + 1);
      if (name.endsWith('_FILE')) assert.ok(command.includes(`--from-file=${key}=`), `the secret has ${key}`);
    }
    const url = 'postgres://postern:secret@db.example/postern?sslmode=verify-full';
    const config = configFrom(environment, {
      [environment['APP_DATABASE_URL_FILE'] ?? '']: url,
      [environment['APP_SECRET_FILE'] ?? '']: 'x'.repeat(64),
    });
    assert.equal(config.database.kind, 'postgres');
    assert.ok(config.secret, 'the instances share a secret');
  });

  test('the Deployment asks for keys, and creates a database only as documented', () => {
    assert.equal(environment['APP_ACCESS'], 'keys');
    assert.equal(environment['APP_DATABASE_MUST_EXIST'], 'true');
    const commands = fencedBlocks(readProjectFile('docs/operations/install.md'), 'sh').map(
      ({ text }) => text,
    );
    assert.ok(commands.join().includes('kubectl set env deployment/postern APP_DATABASE_MUST_EXIST=false\n'));
  });

  test('the Deployment opens no more connections than PostgreSQL allows, not even during an update', () => {
    const instances = autoscaler.spec.maxReplicas + deployment.spec.strategy.rollingUpdate.maxSurge;
    const poolSize = Number(environment['APP_DATABASE_POOL_SIZE']);
    assert.ok(poolSize * instances <= POSTGRES_CONNECTIONS);
  });

  test('the Deployment probes paths of the service at its port, and scrapes it at its management port', async (t) => {
    const { app } = await startService(t);
    const { startupProbe, livenessProbe, readinessProbe } = container;
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      assert.ok(app.hasRoute({ method: 'GET', url: httpGet.path }), httpGet.path);
      assert.equal(httpGet.port, port.name);
    }
    assert.equal(readinessProbe.httpGet.path, '/actuator/health/readiness');
    assert.equal(port.containerPort, PROPERTIES.server.port.fallback);
    const { annotations } = pod.metadata;
    assert.ok(app.hasRoute({ method: 'GET', url: annotations['prometheus.io/path'] ?? '' }));
    const [endpoint] = monitor.spec.podMetricsEndpoints;
    assert.equal(endpoint.path, annotations['prometheus.io/path']);
    assert.equal(endpoint.port, management.name);
    assert.equal(annotations['prometheus.io/port'], String(management.containerPort));
    assert.equal(environment['APP_MANAGEMENT_PORT'], String(management.containerPort));
  });

  test('the Deployment lets a pod live while its database is down', async (t) => {
    const server = await startOwnServer(IN_MEMORY);
    const schema = await createSchema(server.url);
    const flags = [
      `--app.database.url=${schema.url}`,
      '--app.access=keys',
      '--app.base-url=https://links.example',
    ];
    t.after(async () => {
      await schema.close();
      await server.stop();
    });
    const running = await startService(t, { flags });
    await server.crash();
    const headers = { host: '10.1.2.3:8080' }; // the address of the pod
    const { path } = container.livenessProbe.httpGet;
    assert.equal((await send(running, path, { headers })).status, 200);
    assert.equal((await send(running, '/actuator/health/liveness', { headers })).status, 503);
  });

  test('the Deployment leaves the service enough time to stop', () => {
    const { seconds } = container.lifecycle.preStop.sleep;
    assert.ok(pod.spec.terminationGracePeriodSeconds > seconds + STOP_AT_LAST_SECONDS);
  });

  test('the Deployment runs as the user of the image, who can read the secrets and write to its volume alone', () => {
    const { runAsUser, runAsGroup, fsGroup } = pod.spec.securityContext;
    assert.deepEqual(textsOf(IMAGE_STAGE, 'USER'), [`${runAsUser}:${runAsGroup}`]);
    assert.equal(fsGroup, runAsGroup);
    const writable = container.volumeMounts.filter(({ readOnly }) => !readOnly);
    assert.deepEqual(
      writable.map(({ mountPath }) => mountPath),
      textsOf(IMAGE_STAGE, 'VOLUME'),
    );
  });
});

describe('the other manifests', () => {
  test('the other manifests refer to the Deployment and its pods', () => {
    assert.equal(autoscaler.spec.scaleTargetRef.name, deployment.metadata.name);
    assert.deepEqual(deployment.spec.selector.matchLabels, pod.metadata.labels);
    assert.deepEqual(service.spec.selector, pod.metadata.labels);
    assert.deepEqual(budget.spec.selector.matchLabels, pod.metadata.labels);
    assert.deepEqual(policy.spec.podSelector.matchLabels, pod.metadata.labels);
    assert.deepEqual(monitor.spec.selector.matchLabels, pod.metadata.labels);
    assert.equal(service.spec.ports[0].targetPort, port.name);
    assert.equal(service.spec.ports[1].targetPort, management.name);
  });

  test('the disruption budget lets a drain leave instances that serve', () => {
    assert.ok(budget.spec.maxUnavailable < autoscaler.spec.minReplicas);
  });

  test('the route lets visitors open links and nothing else', () => {
    const [rule] = route.spec.rules;
    const methods = rule.matches.map(({ method }) => method);
    assert.deepEqual(methods, ['GET', 'HEAD', 'POST', 'PATCH']);
    for (const { path } of rule.matches) assert.deepEqual(path, { type: 'PathPrefix', value: '/l/' });
    const [backend] = rule.backendRefs;
    assert.deepEqual(backend, { name: service.metadata.name, port: service.spec.ports[0].port });
    assert.equal(`https://${route.spec.hostnames[0]}`, environment['APP_BASE_URL']);
  });

  test('the policy lets visitors reach the service, and monitoring alone its management port', () => {
    const [visits, scrapes] = policy.spec.ingress;
    assert.deepEqual(visits, { ports: [{ port: port.name }] });
    assert.deepEqual(scrapes?.ports, [{ port: management.name }]);
    assert.equal(scrapes?.from?.length, 1);
    const outward = policy.spec.egress.flatMap(({ ports }) => ports.map(({ port: number }) => number));
    assert.deepEqual(outward, [53, 53, 5432, 443, 465, 587]);
  });

  test('the monitor gives the job the name that the alerts select', () => {
    assert.equal(pod.metadata.labels[monitor.spec.jobLabel], 'postern');
    assert.match(readProjectFile('deploy/prometheus/alerts.yaml'), /job="postern"/);
  });

  test('each kustomization has all manifests of its directory, and the images are those of this version', () => {
    for (const directory of ['base', 'route', 'pod-monitor']) {
      const files = filesBelow(`deploy/kubernetes/${directory}`, '.yaml').map((path) =>
        path.split('/').at(-1),
      );
      const { resources } = parse(textOf(`${directory}/kustomization`));
      assert.deepEqual([...resources].sort(), files.filter((file) => file !== 'kustomization.yaml').sort());
    }
    const { images } = parse(textOf('base/kustomization'));
    assert.deepEqual(images, [{ name: container.image, newTag: VERSION }]);
    const [{ newName, newTag }] = parse(textOf('overlays/example/kustomization')).images;
    assert.deepEqual([newName, newTag], [IMAGE, undefined], 'the tag is that of the base');
  });

  const skip = spawnSync('kubectl', ['version', '--client']).error ? 'no kubectl on the PATH' : false;
  test('kustomize builds the example with every manifest and its own settings', { skip }, () => {
    const directory = join(ROOT, 'deploy/kubernetes/overlays/example');
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', directory], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const built = parseAllDocuments(stdout).map((document) => document.toJS());
    const kinds = [
      'Deployment',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PodDisruptionBudget',
    ];
    assert.deepEqual(built.map(({ kind }) => kind).sort(), [...kinds, 'PodMonitor', 'Service'].sort());
    const made = built.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
    assert.equal(made.image, `${IMAGE}:${VERSION}`);
    const variables = new Map(
      made.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    assert.equal(variables.get('APP_STORAGE_URL'), 's3://example-files/postern');
    assert.equal(variables.size, container.env.length, 'the other variables are kept');
    const [hostname] = built.find(({ kind }) => kind === 'HTTPRoute').spec.hostnames;
    assert.equal(variables.get('APP_BASE_URL'), `https://${hostname}`);
  });
});
