import { accepted, type Parser, parseHost, parsePort, refused } from './parsers.ts';

/** Where in object storage files are kept; `prefix` has no slash at its ends, and is empty for none. */
export type BucketLocation = Readonly<{ bucket: string; prefix: string }>;

/** The most bytes of one file there: 10,000 parts of 8 MiB (src/files/s3-upload.ts), 78 GB. */
export const MAX_OBJECT_BYTES = 10_000 * 8 * 1024 ** 2;

/** A bucket in words, as it is written. */
export function describeBucket({ bucket, prefix }: BucketLocation): string {
  return `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
}

/** What S3 calls its general purpose buckets: lower case, and no two dots in a row. */
const BUCKET = /^(?=.{3,63}$)[a-z0-9]([a-z0-9-]|\.(?!\.))*[a-z0-9]$/;
/** Characters that S3 calls safe for keys, in segments that no server and no proxy takes for `.` or `..`. */
const PREFIX = /^(?!.{513})[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** `s3://<bucket>` or `s3://<bucket>/<prefix>`. */
export const parseStorageUrl: Parser<BucketLocation> = (text) => {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/s.exec(text) ?? [];
  return BUCKET.test(bucket) && (prefix === '' || PREFIX.test(prefix))
    ? accepted({ bucket, prefix })
    : refused(
        'must be s3://<bucket> or s3://<bucket>/<prefix>, such as s3://postern-files/uploads: a bucket has 3 to 63 lower-case letters, digits, dots and hyphens, a prefix letters, digits, . _ - and / between them (credentials do not belong here: the SDK finds them in AWS_ACCESS_KEY_ID and the like)',
      );
};

const ENDPOINT = /^https?:\/\/(?:\[([^\]]+)\]|([^:/?#@\\\s]+))(?::([^/?#@\\\s]*))?\/?$/i;

/** The address of a server, without a path; the value has no slash at its end. */
export const parseEndpoint: Parser<string> = (text) => {
  const [, inBrackets, plain = '', port] = ENDPOINT.exec(text) ?? [];
  const host = inBrackets ?? plain;
  const isValid = parseHost(host).ok && (port === undefined || parsePort(port).ok);
  const url = isValid ? URL.parse(text) : null;
  return url
    ? accepted(url.origin)
    : refused(
        'must be an http or https address without a path or credentials, such as https://s3.example:9000',
      );
};

/** A name as in a signature; which of them there are is for the storage to say. */
export const parseRegion: Parser<string> = (text) =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)
    ? accepted(text)
    : refused('must be the name of a region, such as eu-central-1');
