import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Cleanup } from './cleanup.ts';
import { until } from './http-client.ts';

/** A mail as the server got it. */
export type ReceivedMail = { from: string; to: string[]; message: string; user: unknown };

/** An SMTP server on the loopback whose responses a test can choose. */
export type TestSmtpServer = { port: number; mails: ReceivedMail[]; close(): Promise<void> };

/** Starts a server that takes every mail, unless the options say otherwise. */
export async function startSmtpServer(
  t: Cleanup,
  options: SMTPServerOptions & { port?: number } = {},
): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const { port: wantedPort = 0, ...others } = options;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: others.key ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, callback) {
      text(stream).then((message) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          message,
          user: session.user,
        });
        callback();
      }, callback);
    },
    ...others,
  });
  server.on('error', () => {}); // clients that give up
  server.listen(wantedPort, '127.0.0.1');
  await once(server.server, 'listening');
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  t.after(close);
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, close };
}

/** The settings with which a service sends mails through a server, and every client may name their recipients. */
export const mailFlags = ({ port }: TestSmtpServer): string[] => [
  `--app.mail.url=smtp://127.0.0.1:${port}?tls=none`,
  ...['--app.mail.from=Postern <links@example.com>', '--app.mail.per-link=everyone'],
];

/** Returns the code for a recipient in the newest mail, once there are so many mails. */
export async function readMailedCode({ mails }: TestSmtpServer, count: number): Promise<string> {
  await until(() => mails.length >= count);
  const { message = '' } = mails.at(-1) ?? {};
  return /\b\d{6}\b/.exec(message)?.[0] ?? assert.fail(`no code in ${message}`);
}

/** Returns the refusal of a command with a code. */
export function refusal(responseCode: number): Error {
  return Object.assign(new Error('refused'), { responseCode });
}
