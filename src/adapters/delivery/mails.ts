import { randomUUID } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { messageOf } from '../../common/error-details.ts';
import type { EpochMs } from '../../core/model/link.ts';
import type { Deliver, Delivery, DueNotification } from '../../core/ports/notifications.ts';
import type { LinkMailPayload } from '../../core/use-cases/notify/payload.ts';
import type { MailSender, MailServer } from '../../core/use-cases/notify/settings.ts';
import type { SendInvitation } from '../../core/use-cases/people/mail-invitation.ts';
import type { CodeDelivery, CodeOutcome } from '../../core/use-cases/visit/mail-codes.ts';
import {
  type MailContent,
  renderCodeMail,
  renderInvitation,
  renderLinkMail,
  renderMail,
  renderReceipt,
} from './render-mail.ts';

type MailOptions = {
  server: MailServer;
  from: MailSender;
  /** The name of a sender that has none of its own. */
  brandName: string | null;
  /** The address of the service, of which mails without links name the host. */
  baseUrl: string;
  clock: () => EpochMs;
  /** Test overrides. */
  tls?: ConnectionOptions;
  timeouts?: Timeouts;
};

/** The times for a connection, for silence of the server, and for all. */
type Timeouts = { connectMs: number; silenceMs: number; totalMs: number };

const TIMEOUTS: Timeouts = { connectMs: 5_000, silenceMs: 10_000, totalMs: 20_000 };

const senderOf = ({ from, brandName }: MailOptions): MailSender => ({
  name: from.name || (brandName ?? ''),
  address: from.address,
});

/** Creates the delivery of the mails of notifications. */
export const createMailDelivery = (options: MailOptions): Deliver =>
  prepareDeliver(options, (notification, sender) => compose(notification, sender, options.baseUrl));

/** Creates the delivery of password links. */
export const createInvitationDelivery = (options: MailOptions): SendInvitation =>
  prepareDeliver(options, (mail, from) => {
    const envelope = { from, to: mail.address, date: mail.at, id: `invitation-${randomUUID()}` };
    return build(envelope, renderInvitation(mail, from));
  });

/** Prepares sending what is written for a mailbox. Each has a connection of its own; TLS verifies its certificate. */
function prepareDeliver<Written extends { address: string }>(
  options: MailOptions,
  write: (written: Written, from: MailSender) => Promise<Buffer>,
) {
  const { from, clock } = options;
  const sender = senderOf(options);
  const takeTurn = prepareTakeTurn();
  return async (written: Written, signal: AbortSignal): Promise<Delivery> => {
    const { address } = written;
    if (!takeTurn(address, clock())) return { kind: 'RETRY', error: MAILBOX_IS_BUSY };
    const message = await write(written, sender);
    const { isSignedIn: _, ...delivery } = await send(
      options,
      { from: from.address, to: address, message },
      signal,
    );
    return delivery;
  };
}

/** Creates the delivery of codes to recipients of links. */
export function createCodeDelivery(options: MailOptions): CodeDelivery {
  const { from, baseUrl } = options;
  return {
    async send(mail, isSent, signal) {
      const envelope = { from, to: mail.address, date: mail.at, id: `code-${randomUUID()}` };
      const message = await build({ ...envelope, from: senderOf(options) }, renderCodeMail(mail, baseUrl));
      return send(options, isSent ? { from: from.address, to: mail.address, message } : null, signal);
    },
    check: (signal) => send(options, null, signal),
  };
}

/** Many links may name one mailbox. */
const MAX_PER_MAILBOX_AND_MINUTE = 10;
const MAILBOX_IS_BUSY = `The mailbox had ${MAX_PER_MAILBOX_AND_MINUTE} mails in this minute`;

/** Prepares counting the tries of each mailbox in a minute. It returns false for those that are too many. */
function prepareTakeTurn(): (address: string, now: EpochMs) => boolean {
  const counts = new Map<string, number>();
  let minute = 0;
  return (address, now) => {
    const current = Math.floor(now / 60_000);
    if (current !== minute) counts.clear();
    minute = current;
    const mailbox = address.toLowerCase();
    const count = counts.get(mailbox) ?? 0;
    if (count >= MAX_PER_MAILBOX_AND_MINUTE) return false;
    counts.set(mailbox, count + 1);
    return true;
  };
}

/** Builds a message. Its id is the same at each try, so that mailboxes can recognise one that arrives twice. */
function compose(notification: DueNotification, from: MailSender, baseUrl: string): Promise<Buffer> {
  const { id, kind, address: to, createdAt: date, payload } = notification;
  const envelope = { from, to, date, id };
  if (kind === 'RECEIPT') return build(envelope, renderReceipt(notification, baseUrl));
  return kind === 'LINK_MAIL'
    ? build(envelope, { ...renderLinkMail(notification), ...toReplyTo(payload) })
    : build(envelope, renderMail(notification, from));
}

type Envelope = { from: MailSender; to: string; date: EpochMs; id: string };
type ReplyTo = { replyTo?: { name: string; address: string } };

function build({ from, to, date, id }: Envelope, content: MailContent & ReplyTo): Promise<Buffer> {
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  const composer = new MailComposer({
    ...content,
    from,
    to: { name: '', address: to },
    date: new Date(date),
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no vacation message in return
  });
  return composer.compile().build();
}

/** Lets the recipient of a link answer the person who sent it. */
function toReplyTo(payload: string) {
  const { replyTo } = JSON.parse(payload) as LinkMailPayload; // as the endpoint wrote it
  return replyTo === null ? {} : { replyTo: { name: '', address: replyTo } };
}

/** Connects to a mail server, signs in, and sends nothing. Returns why that failed. */
export async function checkMailServer(server: MailServer): Promise<string | undefined> {
  const delivery = await send({ server }, null, new AbortController().signal);
  return delivery.kind === 'DELIVERED' ? undefined : delivery.error;
}

type Mail = { from: string; to: string; message: Buffer };

async function send(
  { server, tls, timeouts = TIMEOUTS }: Pick<MailOptions, 'server' | 'tls' | 'timeouts'>,
  mail: Mail | null,
  signal: AbortSignal,
): Promise<CodeOutcome> {
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    secure: server.security === 'TLS',
    requireTLS: server.security === 'STARTTLS',
    ignoreTLS: server.security === 'NONE',
    ...(tls && { tls }),
    connectionTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.silenceMs,
    socketTimeout: timeouts.silenceMs,
    socketCloseTimeout: 0,
  });
  const { promise: cutOff, reject } = Promise.withResolvers<never>();
  const late = setTimeout(
    () => reject(new Error(`not done within ${timeouts.totalMs / 1000} s`)),
    timeouts.totalMs,
  );
  const stop = (): void => reject(new Error('the service stops'));
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop(); // while the message was built
  connection.on('error', reject);
  let isSignedIn = false;
  try {
    await Promise.race([signIn(connection, server), cutOff]);
    isSignedIn = true;
    if (mail) await Promise.race([transmit(connection, mail), cutOff]);
    return { kind: 'DELIVERED', isSignedIn };
  } catch (error) {
    return { ...toDelivery(error), isSignedIn };
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', stop);
    connection.on('error', () => {}); // closing must not throw
    connection.close();
  }
}

async function signIn(connection: SMTPConnection, { credentials }: MailServer): Promise<void> {
  await called((done) => connection.connect(done));
  if (credentials) await called((done) => connection.login(credentials, done));
}

function transmit(connection: SMTPConnection, { message, ...envelope }: Mail): Promise<void> {
  return called((done) => connection.send(envelope, message, done));
}

/** Resolves when the callback is called without an error. */
function called(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Says whether only this mail failed. The text has the code of the server's response and not its words, which may repeat
 * the address.
 */
function toDelivery(error: unknown): Delivery {
  const { command, responseCode } = toFacts(error);
  if (responseCode === undefined)
    return { kind: 'RECEIVER_DOWN', error: `The mail server failed: ${messageOf(error)}` };
  const text = `The mail server responded with ${responseCode} to ${command}`;
  const isOfRecipient = command === 'RCPT TO' || command === 'DATA';
  if (!isOfRecipient) return { kind: 'RECEIVER_DOWN', error: text };
  return { kind: responseCode >= 500 ? 'REJECTED' : 'RETRY', error: text };
}

function toFacts(error: unknown): { command: string; responseCode: number | undefined } {
  const command = error instanceof Error && 'command' in error ? error.command : undefined;
  const responseCode = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
  return {
    command: typeof command === 'string' ? command : 'a command',
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  };
}
