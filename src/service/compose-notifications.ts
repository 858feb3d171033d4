import { randomUUID } from 'node:crypto';
import { linkSecretOf } from '../adapters/delivery/signature.ts';
import { createWebhookDelivery } from '../adapters/delivery/webhooks.ts';
import type { Config } from '../core/config/config.ts';
import type { EpochMs } from '../core/model/link.ts';
import type { Problem } from '../core/model/problem.ts';
import { uuidV7 } from '../core/model/uuid-v7.ts';
import type { LinkListStore } from '../core/ports/link-list.ts';
import type { Deliver, NotificationStore } from '../core/ports/notifications.ts';
import type { Clock } from '../core/ports/ports.ts';
import { createDispatcher, type DispatchObserver } from '../core/use-cases/notify/dispatcher.ts';
import {
  type MailSettings,
  type Subscriptions,
  sendsAnything,
  type WebhookSettings,
} from '../core/use-cases/notify/settings.ts';
import type { SendInvitation } from '../core/use-cases/people/mail-invitation.ts';
import { type CodeDelivery, type CodeMailer, createCodeMailer } from '../core/use-cases/visit/mail-codes.ts';
import type { Observers } from '../observability/observe.ts';

type Parts = {
  settings: WebhookSettings;
  mail: MailSettings;
  /** The name of the administrator's brand, if the pages show one. */
  brandName: string | null;
  subscriptions: Subscriptions;
  store: { notifications: NotificationStore; list: Pick<LinkListStore, 'readViews'> };
  baseUrl: string;
  userAgent: string;
  traceparent: (() => string | undefined) | undefined;
  clock: Clock;
  observer: DispatchObserver;
};

/** Puts together what sends notifications; undefined if the service sends none. */
export function composeNotifications(parts: Parts) {
  const { settings, mail, brandName, subscriptions, store, baseUrl, clock, observer } = parts;
  const { userAgent, traceparent } = parts;
  if (!sendsAnything(subscriptions)) return undefined;
  const options = { secrets: settings.secrets, policy: settings.receivers, clock, userAgent, traceparent };
  // Each with connections of its own, so that links' receivers take none of the administrator's.
  const [ofService, ofLinks] = [createWebhookDelivery(options), createWebhookDelivery(options)];
  const dispatcher = createDispatcher({
    store: store.notifications,
    readViews: store.list.readViews,
    subscriptions,
    historyUrl: (shortCode) => `${baseUrl}/links/${encodeURIComponent(shortCode)}`,
    deliver: {
      ...(subscriptions.webhooks.urls.length > 0 && {
        WEBHOOK: refuseOthers(subscriptions.webhooks.urls, ofService.deliver),
      }),
      ...(subscriptions.linkWebhookEvents.length > 0 && { LINK_WEBHOOK: ofLinks.deliver }),
      ...composeMails(mail, { brandName, baseUrl, clock }),
    },
    mailRecipients: mail.recipients,
    clock,
    random: Math.random,
    newId: (at: EpochMs) => `msg_${uuidV7(at, randomUUID()).replaceAll('-', '')}`,
    newLease: randomUUID,
    observer,
  });
  return {
    ...dispatcher,
    async stop(): Promise<void> {
      await dispatcher.stop();
      for (const webhooks of [ofService, ofLinks]) webhooks.close();
    },
  };
}

/** Returns the secret that verifies the webhooks of one link; undefined without a secret of the service. */
export function prepareLinkSecret({ secrets }: WebhookSettings): (shortCode: string) => string | undefined {
  const [secret] = secrets;
  return (shortCode) => (secret === undefined ? undefined : linkSecretOf(secret, shortCode));
}

/** Sends nothing to a URL that is no longer among those of the service. */
function refuseOthers(urls: readonly string[], deliver: Deliver): Deliver {
  return async (notification, signal) =>
    urls.includes(notification.address)
      ? deliver(notification, signal)
      : { kind: 'FORBIDDEN', error: 'The receiver is no longer in app.webhooks.url' };
}

/** Puts together what mails codes to recipients; undefined without a mail server. */
export function composeCodeMailer(
  { mail: { server, from }, brand, baseUrl }: Pick<Config, 'mail' | 'brand' | 'baseUrl'>,
  { clock, log }: Pick<Observers, 'log'> & { clock: Clock },
): CodeMailer | undefined {
  if (!server || !from) return undefined;
  const delivery = import('../adapters/delivery/mails.ts').then(({ createCodeDelivery }) =>
    createCodeDelivery({ server, from, brandName: brand.name, baseUrl, clock }),
  );
  const deferred: CodeDelivery = {
    send: async (...args) => (await delivery).send(...args),
    check: async (signal) => (await delivery).check(signal),
  };
  return createCodeMailer(deferred, clock, ({ shortCode }, reason) => {
    // Not counted: the metrics may be public, and only a mail to an address that a link names is sent.
    log.write('warn', 'recipient_code_failed', { shortCode, reason });
  });
}

/** Puts together what mails password links; undefined without a mail server. */
export function composeInvitations(
  { mail: { server, from }, brand, baseUrl }: Pick<Config, 'mail' | 'brand' | 'baseUrl'>,
  clock: Clock,
): SendInvitation | undefined {
  if (!server || !from) return undefined;
  const options = { server, from, brandName: brand.name, baseUrl, clock };
  const delivery = import('../adapters/delivery/mails.ts').then((mails) =>
    mails.createInvitationDelivery(options),
  );
  return async (mail, signal) => (await delivery)(mail, signal);
}

/** Finds the problem of the mail server that takes codes, and has it checked whether it lasts. */
export function findMailProblems(codeMailer: CodeMailer | undefined): [Problem, string][] {
  codeMailer?.checkServer();
  const error = codeMailer?.findProblem();
  return error === undefined ? [] : [['mail_failing', error]];
}

function composeMails(
  { server, from }: MailSettings,
  options: Pick<Parts, 'brandName' | 'baseUrl' | 'clock'>,
) {
  if (!server || !from) return {};
  // Nodemailer takes a tenth of a start, which only a service with mails should spend.
  const delivery = import('../adapters/delivery/mails.ts').then(({ createMailDelivery }) =>
    createMailDelivery({ server, from, ...options }),
  );
  const deliver: Deliver = async (...mail) => (await delivery)(...mail);
  return { MAIL: deliver, LINK_MAIL: deliver, RECEIPT: deliver };
}
