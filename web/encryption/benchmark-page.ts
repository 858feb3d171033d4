import { encryptFiles } from './encrypt-files.ts';

// The page of the benchmark: encrypts bytes as the create page does, and drops the result.

Object.assign(globalThis, {
  /** Returns the number of encrypted bytes and the seconds. */
  async encrypt(sizeBytes: number, seconds: number): Promise<[number, number]> {
    const file = new Blob([new Uint8Array(sizeBytes)]);
    const startedAt = performance.now();
    const secondsSince = () => (performance.now() - startedAt) / 1000;
    let encryptedBytes = 0;
    while (secondsSince() < seconds) {
      const encrypted = await encryptFiles([{ name: 'file', file }], { kind: 'random' });
      await encrypted.stream().pipeTo(new WritableStream());
      encryptedBytes += encrypted.sizeBytes;
    }
    return [encryptedBytes, secondsSince()];
  },
});
