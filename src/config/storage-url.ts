import { accept } from '../links/rules/parsed.ts';
import type { S3Location } from '../locations.ts';
import { type Parser, parseHost, parsePort, refuse } from './parsers.ts';

/** The names of S3's general purpose buckets: lower case, and no two dots in a row. */
const BUCKET = /^(?=.{3,63}$)[a-z0-9]([a-z0-9-]|\.(?!\.))*[a-z0-9]$/;
/** Characters that S3 calls safe for keys; no segment that a server or proxy could read as `.` or `..`. */
const PREFIX = /^(?!.{513})[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Parses `s3://<bucket>` or `s3://<bucket>/<prefix>`. */
export const parseStorageUrl: Parser<Pick<S3Location, 'bucket' | 'prefix'>> = (text) => {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/s.exec(text) ?? [];
  return BUCKET.test(bucket) && (prefix === '' || PREFIX.test(prefix))
    ? accept({ bucket, prefix })
    : refuse(
        'must be s3://<bucket> or s3://<bucket>/<prefix>, such as s3://postern-files/uploads: a bucket has 3 to 63 lower-case letters, digits, dots and hyphens; a prefix has letters, digits, . _ - and single slashes (set credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, not here)',
      );
};

const ENDPOINT = /^https?:\/\/(?:\[([^\]]+)\]|([^:/?#@\\\s]+))(?::([^/?#@\\\s]*))?\/?$/i;

/** Parses the address of a server, without a path; the value has no slash at its end. */
export const parseEndpoint: Parser<string> = (text) => {
  const [, inBrackets, plain = '', port] = ENDPOINT.exec(text) ?? [];
  const host = inBrackets ?? plain;
  const isValid = parseHost(host).ok && (port === undefined || parsePort(port).ok);
  const url = isValid ? URL.parse(text) : null;
  return url
    ? accept(url.origin)
    : refuse(
        'must be an http or https address without a path or credentials, such as https://s3.example:9000',
      );
};

/** Parses a region by the characters of a signature; only the storage knows which regions exist. */
export const parseRegion: Parser<string> = (text) =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)
    ? accept(text)
    : refuse('must be the name of a region, such as eu-central-1');
