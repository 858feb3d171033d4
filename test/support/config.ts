import assert from 'node:assert/strict';
import type { Config } from '../../src/core/config/config.ts';
import { loadConfig } from '../../src/service/config/load-config.ts';
import type { Sources } from '../../src/service/config/read-property.ts';

/** Everything that a configuration is read from; `files` are texts by path. */
export type World = {
  argv?: string[];
  env?: Record<string, string>;
  files?: Record<string, string | Buffer>;
};

/** Makes the sources of a configuration up. */
export function sourcesIn({ argv = [], env = {}, files = {} }: World): Sources {
  const readFile = (path: string): Buffer => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
    return Buffer.from(text);
  };
  return { argv, env, readFile };
}

export const load = (world: World = {}) => loadConfig(sourcesIn(world));

export function configOf(world?: World): Config {
  const loaded = load(world);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.errors.join('\n'));
  return loaded.config;
}

export function warningsOf(world: World): string[] {
  const loaded = load(world);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.errors.join('\n'));
  return loaded.warnings;
}

export function errorsOf(world: World): string[] {
  const loaded = load(world);
  assert.ok(!loaded.ok, `${JSON.stringify(world)} must be refused`);
  return loaded.errors;
}

/** Returns the only error. */
export function errorOf(world: World): string {
  const errors = errorsOf(world);
  assert.equal(errors.length, 1, errors.join('\n'));
  return errors.join();
}

export const withFlag = (name: string, text: string): World => ({ argv: [`--${name}=${text}`] });

/** Asserts one error, which names the property and its flag, and matches `expected`. */
export function assertRefused(name: string, text: string, expected = /must/): void {
  const error = errorOf(withFlag(name, text));
  assert.match(error, new RegExp(`^${RegExp.escape(name)}: .* from flag --${RegExp.escape(name)} `));
  assert.match(error, expected);
}

/** Every property that the documents name, in their order. */
export const DOCUMENTED = [
  'app.base-url',
  'app.access',
  'app.database.url',
  'app.storage.path',
  'app.trusted-proxies',
  'server.host',
  'server.port',
  'app.management.port',
  'app.cors.allowed-origins',
  'management.endpoint.health.show-details',
  'app.log.level',
  'app.log.addresses',
  'otel.exporter.otlp.endpoint',
  'otel.exporter.otlp.headers',
  'otel.service.name',
  'otel.traces.sampler.arg',
  'app.short-path',
  'app.hosts',
  'app.access.initial-key',
  'app.access.user-header',
  'app.access.user-scopes',
  'app.secret',
  'app.oidc.issuer',
  'app.oidc.client-id',
  'app.oidc.client-secret',
  'app.oidc.scopes',
  'app.oidc.groups-claim',
  'app.oidc.group-scopes',
  'app.oidc.trust-email',
  'app.oidc.check-interval',
  'app.oidc.only',
  'app.allowed-hosts',
  'app.database.must-exist',
  'app.database.pool-size',
  'app.database.connect-timeout',
  'app.database.statement-timeout',
  'app.files.lease',
  'app.storage.min-free',
  'app.storage.url',
  'app.storage.endpoint',
  'app.storage.region',
  'app.storage.path-style',
  'app.storage.timeout',
  'app.link.default-ttl',
  'app.links.max-ttl',
  'app.links.max-views',
  'app.links.password-required',
  'app.links.custom-codes',
  'app.links.blocked-hosts',
  'app.audit.retention',
  'app.links.retention-after-end',
  'app.storage.retention-after-end',
  'app.audit.referrers',
  'app.abuse-contact',
  'app.contact',
  'app.upload.max-size',
  'spring.servlet.multipart.max-file-size',
  'spring.servlet.multipart.max-request-size',
  'app.upload.chunk-size',
  'app.upload.max-files',
  'app.upload.scan',
  'app.upload.scan-timeout',
  'app.limits.wrong-passwords',
  'app.limits.unknown-codes',
  'app.limits.creations',
  'app.limits.uploads',
  'app.limits.changes',
  'app.limits.connections',
  'app.limits.connections-per-client',
  'app.limits.min-rate',
  'app.webhooks.secret',
  'app.webhooks.url',
  'app.webhooks.events',
  'app.webhooks.per-link',
  'app.webhooks.allowed-networks',
  'app.webhooks.ports',
  'app.mail.url',
  'app.mail.from',
  'app.mail.per-link',
  'app.mail.recipients',
  'app.brand.name',
  'app.brand.logo',
  'app.brand.color',
];
