import { encryptInApp } from './encrypt-in-app.ts';

// The page of the benchmark: encrypts bytes as the create page does, and drops the result.

const file = new Blob([new Uint8Array(400 * 1024 * 1024)]);

Object.assign(globalThis, {
  /** Returns the number of encrypted bytes and the seconds. */
  async encrypt(seconds: number): Promise<[number, number]> {
    const startedAt = performance.now();
    const secondsSince = () => (performance.now() - startedAt) / 1000;
    let encryptedBytes = 0;
    while (secondsSince() < seconds) {
      const encrypted = await encryptInApp([{ name: 'file', file }], { kind: 'random' });
      await encrypted.stream().pipeTo(new WritableStream());
      encryptedBytes += encrypted.sizeBytes;
    }
    return [encryptedBytes, secondsSince()];
  },
});
