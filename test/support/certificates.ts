import { execFileSync, spawnSync } from 'node:child_process';

/** Skips a test where openssl is missing. */
export const WITHOUT_OPENSSL = spawnSync('openssl', ['version']).error && 'no openssl on the PATH';

/** Makes a self-signed certificate of a host, as PEM. */
export function makeCertificate(host: string): { key: string; certificate: string } {
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 2 -keyout - -out -';
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const pem = execFileSync('openssl', [...options.split(' '), ...names], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, key = '', certificate = ''] = /^(-+BEGIN PRIVATE.*?)(-+BEGIN CERTIFICATE.*)$/s.exec(pem) ?? [];
  return { key, certificate };
}
