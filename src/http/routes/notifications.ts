import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { FailedNotification } from '../../core/ports/notifications.ts';
import { parseLimit } from '../../core/rules/time-range.ts';
import { receiverOf } from '../../core/use-cases/notify/receiver-queue.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { ignoreBody } from '../read-body.ts';
import { DateTime, errorResponses, LimitQuery, listOf, ShortCode, text, titled } from '../schemas.ts';

const NotificationParams = Type.Object({ id: Type.String() });

const FailedNotifications = titled('FailedNotifications', {
  items: listOf('FailedNotification', {
    id: text('The webhook-id'),
    kind: Type.Enum(['WEBHOOK', 'LINK_WEBHOOK', 'MAIL'], {
      description: 'WEBHOOK: app.webhooks.url; LINK_WEBHOOK: the notifyUrl of the link',
    }),
    receiver: text('The origin of the URL, or the mail address'),
    shortCode: ShortCode,
    createdAt: Type.String({
      format: 'date-time',
      description: 'When its newest event was added, or it was sent again',
    }),
    failedAt: DateTime,
    tries: Type.Integer({ minimum: 0, description: 'Requests that ended, without one that a stop cut off' }),
    error: text('The error of the last try'),
  }),
});

const CONFIG = { access: { needs: 'manage', alsoWhenOpen: true, port: 'management' } } as const;
const DONE = { 204: Type.Null(), ...errorResponses(401, 403, 404, 500, 503) };

const LIST_SCHEMA = {
  tags: ['Notifications'],
  summary: 'The newest notifications that could not be delivered',
  querystring: LimitQuery,
  response: { 200: FailedNotifications, ...errorResponses(400, 401, 403, 500, 503) },
};

const RETRY_SCHEMA = {
  tags: ['Notifications'],
  summary: 'Deliver a failed notification again',
  description: 'It keeps its id, and is retried for three more days.',
  params: NotificationParams,
  response: { ...DONE, ...errorResponses(409) },
};

const DELETE_ALL_SCHEMA = {
  tags: ['Notifications'],
  summary: 'Delete all failed notifications',
  response: { 204: Type.Null(), ...errorResponses(401, 403, 500, 503) },
};

const DELETE_SCHEMA = {
  tags: ['Notifications'],
  summary: 'Delete a failed notification',
  params: NotificationParams,
  response: DONE,
};

/** /api/notifications/…: what could not be delivered. */
export function notificationRoutes(
  app: FastifyInstance,
  { notifications, sendsNotifications, clock }: HttpDependencies,
): void {
  ignoreBody(app);
  app.get<{ Querystring: Record<string, unknown> }>(
    '/api/notifications/failed',
    { config: CONFIG, schema: LIST_SCHEMA },
    async (request, reply) => {
      const limit = requireValid(parseLimit(request.query['limit']));
      const failed = await notifications.listFailed(limit);
      return reply.header('cache-control', 'no-store').send({ items: failed.map(toItem) });
    },
  );
  app.post<{ Params: { id: string } }>(
    '/api/notifications/:id/retry',
    { config: CONFIG, schema: RETRY_SCHEMA },
    async (request, reply) => {
      if (!sendsNotifications) throw ERRORS.sendsNoNotifications();
      if (!(await notifications.retryFailed(request.params.id, clock()))) throw ERRORS.noSuchNotification();
      return reply.code(204).send();
    },
  );
  app.delete('/api/notifications/failed', { config: CONFIG, schema: DELETE_ALL_SCHEMA }, async (_, reply) => {
    await notifications.deleteAllFailed();
    return reply.code(204).send();
  });
  app.delete<{ Params: { id: string } }>(
    '/api/notifications/:id',
    { config: CONFIG, schema: DELETE_SCHEMA },
    async (request, reply) => {
      if (!(await notifications.deleteFailed(request.params.id))) throw ERRORS.noSuchNotification();
      return reply.code(204).send();
    },
  );
}

/** Returns the shown record. The path of a receiver's URL may hold its password, so only its origin is shown. */
function toItem(failed: FailedNotification): Static<typeof FailedNotifications>['items'][number] {
  const { id, kind, address, shortCode, createdAt, failedAt, tries, error } = failed;
  return {
    id,
    kind,
    receiver: kind === 'MAIL' ? address : receiverOf(failed),
    shortCode,
    createdAt: new Date(createdAt).toISOString(),
    failedAt: new Date(failedAt).toISOString(),
    tries,
    error,
  };
}
