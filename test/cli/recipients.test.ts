import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine, POSTERN } from '../support/command-line.ts';
import { createLink, TARGET } from '../support/links.ts';
import { QUICK_STARTS, startCommand } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer } from '../support/smtp-server.ts';

test('bin/postern asks a recipient for the code from the mailbox, and opens the link with it', async (t) => {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  const { directory } = commandLine(t, service.url);
  const code = await createLink(service, { verifiedRecipients: ['ann@example.com'] });
  const typeLater = 'until [ -s code ]; do sleep 0.1; done; cat code';
  const script = `(${typeLater}) | "$0" open "$1" --recipient=ann@example.com`;
  const running = startCommand(t, ['bash', '-c', script, POSTERN, code], {
    cwd: directory,
    env: { PATH: '/usr/bin:/bin', HOME: directory, ...QUICK_STARTS, POSTERN_URL: service.url },
  });
  writeFileSync(join(directory, 'new'), `${await readMailedCode(smtp, 1)}\n`);
  renameSync(join(directory, 'new'), join(directory, 'code'));
  const { stdout, code: exitCode } = await running.exited;
  assert.deepEqual([exitCode, stdout], [0, `${TARGET}\n`]);
});
