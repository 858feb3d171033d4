import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { PROPERTIES } from '../../src/config/properties.ts';
import { assertSettings, configFrom, STOP_AT_LAST_SECONDS } from '../support/deployed-settings.ts';
import { readDockerfile, textsOf } from '../support/dockerfile.ts';
import { fencedBlocks, filesBelow, readProjectFile } from '../support/documents.ts';
import { startService } from '../support/service.ts';

type Labels = Record<string, string>;
type Selector = { matchLabels: Labels };
type Probe = {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
};
type Container = {
  image: string;
  env: { name: string; value: string }[];
  envFrom?: object[];
  ports: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  securityContext: object;
  resources: { requests: { cpu?: string } };
  lifecycle: { preStop: { sleep: { seconds: number } } };
} & Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe>;
type Pod = {
  metadata: { labels: Labels; annotations: Labels };
  spec: {
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds: number;
    securityContext: Record<'runAsUser' | 'runAsGroup' | 'fsGroup', number> & {
      runAsNonRoot: boolean;
      seccompProfile: { type: string };
    };
    topologySpreadConstraints: { labelSelector: Selector }[];
    containers: Container[];
    volumes: { name: string; secret?: { secretName: string; defaultMode: number } }[];
  };
};
type Deployment = {
  metadata: { name: string };
  spec: {
    replicas?: number;
    selector: Selector;
    strategy: { rollingUpdate: { maxSurge: number } };
    template: Pod;
  };
};
type Service = {
  metadata: { name: string };
  spec: { type?: string; selector: Labels; ports: { port: number; targetPort: string }[] };
};
type Autoscaler = {
  spec: { scaleTargetRef: { name: string }; minReplicas: number; maxReplicas: number };
};
type Route = {
  spec: {
    hostnames: string[];
    rules: {
      matches: { method: string; path: object }[];
      timeouts: { request: string };
      backendRefs: { name: string; port: number }[];
    }[];
  };
};
type Kustomization = { resources: string[]; images: { name: string; newTag: string }[] };

/** The one member of a list. */
function only<T>(members: readonly T[]): T {
  const [member, ...others] = members;
  assert.ok(member !== undefined && others.length === 0);
  return member;
}

const textOf = (name: string) => readProjectFile(`deploy/kubernetes/${name}.yaml`);
const kustomization: Kustomization = parse(textOf('kustomization'));
const deployment: Deployment = parse(textOf('deployment'));
const service: Service = parse(textOf('service'));
const autoscaler: Autoscaler = parse(textOf('autoscaler'));
const budget: { spec: { maxUnavailable: number; selector: Selector } } = parse(textOf('disruption-budget'));
const route: Route = parse(textOf('route'));

const pod = deployment.spec.template;
const container = only(pod.spec.containers);
const port = only(container.ports);
const secretVolume = only(pod.spec.volumes.filter(({ secret }) => secret));
const secretMount = only(container.volumeMounts.filter(({ name }) => name === secretVolume.name));

const PROBES: Record<'startup' | 'liveness' | 'readiness', Probe> = {
  startup: container.startupProbe,
  liveness: container.livenessProbe,
  readiness: container.readinessProbe,
};
const environment: Record<string, string> = Object.fromEntries(
  container.env.map(({ name, value }) => [name, value]),
);
const IMAGE = readDockerfile(readProjectFile('Dockerfile')).at(-1);
assert.ok(IMAGE);

/** A secret as docs/operations/containers.md has it made: the keys that `kubectl create secret` is told. */
const OPERATIONS = readProjectFile('docs/operations/containers.md');
const [CREATE_SECRET = ''] = fencedBlocks(OPERATIONS, 'sh')
  .map(({ text }) => text)
  .filter((text) => text.includes('kubectl create secret'));

describe('the Deployment', () => {
  test('has settings that the service takes, and its secrets as files of the secret that containers.md makes', () => {
    assert.match(CREATE_SECRET, new RegExp(`secret generic ${secretVolume.secret?.secretName} `));
    assert.equal(secretMount.readOnly, true);
    assertSettings(environment, secretMount.mountPath);
    const keys = [...CREATE_SECRET.matchAll(/--from-file=([\w-]+)=/g)].map(
      ([, key]) => `${secretMount.mountPath}/${key}`,
    );
    const named = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
    for (const [name, path] of named)
      assert.ok(keys.includes(path), `${name} is among the keys of the secret`);
    const url = 'postgres://postern:secret@db.example/postern?sslmode=verify-full';
    const config = configFrom(environment, { [environment['APP_DATABASE_URL_FILE'] ?? '']: url });
    assert.equal(config.database.kind, 'postgres');
    assert.equal(container.envFrom, undefined);
  });

  test('opens no more connections than PostgreSQL has by default, not even while a version comes in', () => {
    const DEFAULT_CONNECTIONS = 100 - 3; // max_connections without superuser_reserved_connections
    const instances = autoscaler.spec.maxReplicas + deployment.spec.strategy.rollingUpdate.maxSurge;
    const poolSize = Number(environment['APP_DATABASE_POOL_SIZE']);
    assert.ok(poolSize * instances <= DEFAULT_CONNECTIONS);
  });

  test('asks for health at paths and the port that the service has', async (t) => {
    const { app } = await startService(t);
    for (const { httpGet } of Object.values(PROBES)) {
      assert.ok(app.hasRoute({ method: 'GET', url: httpGet.path }), httpGet.path);
      assert.equal(httpGet.port, port.name);
    }
    assert.equal(PROBES.liveness.httpGet.path, '/actuator/health/liveness');
    assert.equal(PROBES.readiness.httpGet.path, '/actuator/health/readiness');
    assert.equal(port.containerPort, PROPERTIES.port.fallback);
    const { annotations } = pod.metadata;
    assert.ok(app.hasRoute({ method: 'GET', url: annotations['prometheus.io/path'] ?? '' }));
    assert.equal(annotations['prometheus.io/port'], String(port.containerPort));
  });

  test('bears a start of ten minutes, and five in which the database is away, before it restarts anything', () => {
    const secondsOf = ({ periodSeconds, failureThreshold }: Probe) => periodSeconds * failureThreshold;
    assert.equal(secondsOf(PROBES.startup), 600);
    assert.equal(secondsOf(PROBES.liveness), 300);
    assert.ok(secondsOf(PROBES.readiness) <= 10, 'requests go elsewhere soon');
  });

  test('has more time to end than the service takes, after that in which others hear of it', () => {
    const { seconds } = container.lifecycle.preStop.sleep;
    assert.ok(pod.spec.terminationGracePeriodSeconds > seconds + STOP_AT_LAST_SECONDS);
  });

  test('runs as the user of the image, without rights, on a root that nobody can write to', () => {
    const [user] = textsOf(IMAGE, 'USER');
    const { runAsNonRoot, runAsUser, runAsGroup, fsGroup, seccompProfile } = pod.spec.securityContext;
    assert.equal(runAsNonRoot, true);
    assert.equal(`${runAsUser}:${runAsGroup}`, user);
    assert.equal(seccompProfile.type, 'RuntimeDefault');
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    assert.equal(pod.spec.automountServiceAccountToken, false);
    assert.deepEqual(
      [fsGroup, secretVolume.secret?.defaultMode],
      [runAsGroup, 0o440],
      'it can read its secrets, others cannot',
    );
    const written = container.volumeMounts.filter(({ readOnly }) => !readOnly);
    assert.deepEqual(
      written.map(({ mountPath }) => mountPath),
      textsOf(IMAGE, 'VOLUME'),
      'nothing may be written but in the place of the volume of the image',
    );
  });

  test("does not set the number of replicas, which is the autoscaler's", () => {
    assert.equal(deployment.spec.replicas, undefined);
    assert.ok(autoscaler.spec.minReplicas >= 2);
    assert.equal(autoscaler.spec.scaleTargetRef.name, deployment.metadata.name);
    assert.ok(container.resources.requests.cpu, 'of which the autoscaler takes its percentage');
  });
});

describe('the other manifests', () => {
  test('all select the pods of the Deployment', () => {
    const { labels } = pod.metadata;
    const spread = only(pod.spec.topologySpreadConstraints);
    for (const selector of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
      spread.labelSelector.matchLabels,
    ]) {
      assert.deepEqual(selector, labels);
    }
  });

  test('the Service leads to the port of the container, inside the cluster', () => {
    assert.equal(only(service.spec.ports).targetPort, port.name);
    assert.equal(service.spec.type ?? 'ClusterIP', 'ClusterIP');
  });

  test('the disruption budget leaves instances that serve', () => {
    assert.ok(budget.spec.maxUnavailable < autoscaler.spec.minReplicas);
  });

  test('the route lets strangers open links and nothing else, and ends no download', () => {
    const rule = only(route.spec.rules);
    assert.deepEqual(
      rule.matches.map(({ method }) => method),
      ['GET', 'HEAD', 'POST'],
      'forms are posted',
    );
    for (const { path } of rule.matches) assert.deepEqual(path, { type: 'PathPrefix', value: '/l/' });
    assert.equal(rule.timeouts.request, '0s');
    const backend = only(rule.backendRefs);
    assert.deepEqual([backend.name, backend.port], [service.metadata.name, only(service.spec.ports).port]);
    assert.equal(`https://${route.spec.hostnames[0]}`, environment['APP_BASE_URL']);
  });

  test('the kustomization has each of them but the route, and the image of this version', () => {
    const files = filesBelow('deploy/kubernetes', '.yaml').map((path) => path.split('/').at(-1));
    const others = files.filter((file) => file !== 'kustomization.yaml' && file !== 'route.yaml');
    assert.deepEqual([...kustomization.resources].sort(), others);
    const { version } = JSON.parse(readProjectFile('package.json'));
    assert.deepEqual(kustomization.images, [{ name: container.image, newTag: version }]);
  });
});
