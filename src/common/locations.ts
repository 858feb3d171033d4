import { resolve } from 'node:path';

/** The file of the embedded store; a relative path starts at the working directory. */
export type SqliteLocation = Readonly<{ kind: 'sqlite'; path: string }>;

/** A PostgreSQL database and how to connect to it. */
export type PostgresLocation = Readonly<{
  /** In the order in which they are tried. A host that begins with `/` is the directory of a Unix socket. */
  hosts: readonly { host: string; port: number }[];
  database: string;
  user: string;
  password: string | null;
  /** null: no TLS. */
  tls: TlsSettings | null;
  /** Skips hosts that are read-only, such as a standby (libpq's `target_session_attrs=read-write`). */
  mustBeWritable: boolean;
  /** Settings for each session, such as `-c search_path=links` (libpq's `options`); null for none. */
  sessionOptions: string | null;
  connectTimeoutMs: number;
  /** null: a statement may take as long as it needs. */
  statementTimeoutMs: number | null;
}>;

/** TLS, with PEM texts. Without `ca`, the authorities that Node trusts are used. */
export type TlsSettings = Readonly<{
  verify: 'nothing' | 'chain' | 'chain-and-host';
  ca: string | null;
  certificate: string | null;
  key: string | null;
}>;

/** A bucket in object storage. The AWS SDK finds the credentials. */
export type S3Location = Readonly<{
  bucket: string;
  /** Begins each key, without a slash at its ends; empty for none. */
  prefix: string;
  /** A server that speaks S3; null: AWS in that region. */
  endpoint: string | null;
  /** null: chosen by the AWS SDK. */
  region: string | null;
  /** True when the bucket is in the path of each URL, not in its host name. */
  pathStyle: boolean;
  /** Limits each try of a request until its response begins, and each wait for further bytes. */
  timeoutMs: number;
}>;

/** The location of links and audit records. */
export type DatabaseLocation =
  | SqliteLocation
  | (PostgresLocation & Readonly<{ kind: 'postgres'; poolSize: number }>);

/** The location of uploaded files. */
export type StorageLocation =
  | Readonly<{
      kind: 'directory';
      path: string;
      /** Uploads leave this much of the disk free; 0: they may fill it. */
      minFreeBytes: number;
    }>
  | (S3Location & Readonly<{ kind: 's3' }>);

/** The size of all parts of an object but the last. R2 requires equal sizes, S3 at least 5 MiB. */
export const S3_PART_BYTES = 8 * 1024 * 1024;
/** The largest object, 78 GB: S3 accepts at most 10,000 parts. */
export const MAX_OBJECT_BYTES = 10_000 * S3_PART_BYTES;

/** Describes a database without its user and password. */
export function describeDatabase(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return `sqlite:${location.path}`;
  const hosts = location.hosts.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `postgres://${hosts.join(',')}/${location.database}`;
}

/** Says that a command found no store. A start of the service creates one; a command may be in the wrong directory. */
export function noStoreAt(location: DatabaseLocation): string {
  const place = location.kind === 'sqlite' ? resolve(location.path) : describeDatabase(location);
  return `there is no store at ${place}: start the service once, or set app.database.url to that of the service`;
}

/** Describes a storage as its setting names it: the path of a directory, or the URL of a bucket. */
export function describeStorage(location: StorageLocation): string {
  if (location.kind === 'directory') return location.path;
  const { bucket, prefix } = location;
  return `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
}
