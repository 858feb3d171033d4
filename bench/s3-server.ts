import { startS3Server } from '../test/support/s3-server.ts';

// The S3 server of the tests in a process of its own, so that its memory is not taken for the service's. It tells
// its flags when it is ready, and ends on a signal.

const server = await startS3Server();
process.stderr.write(`${server.flags.join('\n')}\nready\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void server.stop().finally(() => process.exit(0));
  });
}
