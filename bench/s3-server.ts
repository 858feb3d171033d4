import { startS3Server } from '../test/support/s3-server.ts';

// Runs the S3 server of the tests in its own process, so that its memory is not counted as the service's.
// Prints its flags when it is ready, and ends on a signal.

const server = await startS3Server();
process.stderr.write(`${server.flags.join('\n')}\nready\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    void server.stop().finally(() => process.exit(0));
  });
}
