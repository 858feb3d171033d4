import { type Static, Type } from 'typebox';
import { accept } from '../../core/model/parsed.ts';
import { type Outcome, refused } from '../../core/model/refusal.ts';
import { type FailedNotification, NOTIFICATION_KINDS } from '../../core/ports/notifications.ts';
import { parseLimit } from '../../core/rules/time-range.ts';
import { receiverOf } from '../../core/use-cases/notify/receiver-queue.ts';
import { sendsAnything, toSubscriptions } from '../../core/use-cases/notify/settings.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { DateTime, LimitQuery, listOf, ShortCode, text, titled } from '../schemas.ts';

const FailedNotifications = titled('FailedNotifications', {
  items: listOf('FailedNotification', {
    id: text('The webhook-id'),
    kind: Type.Enum([...NOTIFICATION_KINDS], {
      description:
        'WEBHOOK: app.webhooks.url; LINK_WEBHOOK: the notifyUrl of the link; MAIL: its notifyEmail; LINK_MAIL: a recipient of the link; RECEIPT: a verified recipient who opened it',
    }),
    receiver: text('The origin of the URL, or the mail address'),
    shortCode: ShortCode,
    createdAt: Type.String({
      format: 'date-time',
      description: 'When its newest event was added, or when it was sent again',
    }),
    failedAt: DateTime,
    tries: Type.Integer({ minimum: 0, description: 'Requests that ended, without one that a stop cut off' }),
    error: text('The error of the last try'),
  }),
});

const NOTIFICATIONS = {
  tag: 'Notifications',
  needs: 'manage',
  alsoWhenOpen: true,
  port: 'management',
} as const;

/** The endpoints of what could not be delivered. */
export const notificationEndpoints = (deps: HttpDependencies): Endpoint[] => [
  endpoint('GET /api/notifications/failed', 'The newest notifications that could not be delivered', {
    ...NOTIFICATIONS,
    query: { schema: LimitQuery, read: ({ limit }) => parseLimit(limit) },
    sends: FailedNotifications,
    run: async ({ query: limit }) => accept(await deps.stores.notifications.listFailed(limit)),
    show: (failed) => ({ items: failed.map(toItem) }),
  }),
  endpoint('POST /api/notifications/:id/retry', 'Deliver a failed notification again', {
    ...NOTIFICATIONS,
    description: 'It keeps its id, and is retried for up to three more days.',
    refuses: ['sends-no-notifications', 'notification-not-found'],
    async run({ path }) {
      if (!sendsAnything(toSubscriptions(deps.config.webhooks, deps.config.mail)))
        return refused('sends-no-notifications');
      return orNotFound(await deps.stores.notifications.retryFailed(path.id, deps.clock()));
    },
  }),
  endpoint('DELETE /api/notifications/failed', 'Delete all failed notifications', {
    ...NOTIFICATIONS,
    run: async () => accept(await deps.stores.notifications.deleteAllFailed()),
  }),
  endpoint('DELETE /api/notifications/:id', 'Delete a failed notification', {
    ...{ ...NOTIFICATIONS, refuses: ['notification-not-found'] },
    run: async ({ path }) => orNotFound(await deps.stores.notifications.deleteFailed(path.id)),
  }),
];

const orNotFound = (isFound: boolean): Outcome<null> =>
  isFound ? accept(null) : refused('notification-not-found');

/** Returns the shown record. The path of a receiver's URL may hold its password, so only its origin is shown. */
function toItem(failed: FailedNotification): Static<typeof FailedNotifications>['items'][number] {
  const { id, kind, address, shortCode, createdAt, failedAt, tries, error } = failed;
  return {
    id,
    kind,
    receiver: kind === 'WEBHOOK' || kind === 'LINK_WEBHOOK' ? receiverOf(failed) : address,
    shortCode,
    createdAt: new Date(createdAt).toISOString(),
    failedAt: new Date(failedAt).toISOString(),
    tries,
    error,
  };
}
