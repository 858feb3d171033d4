import type { FastifyInstance } from 'fastify';
import { parseLimit } from '../../links/rules/time-range.ts';
import type { Parts } from '../parts.ts';
import { LimitQuery, LinkStatusCounts, SecurityExceptions, TopLinks } from '../schemas.ts';
import { statistic, valid } from './access-statistics.ts';

/** GET /api/stats/links, /api/stats/links/top and /api/stats/security/exceptions */
export function linkStatisticsRoutes(app: FastifyInstance, { statistics }: Parts): void {
  statistic(app, {
    summary: 'Links by status',
    paths: ['/api/stats/links', '/api/stats/link-status'],
    response: LinkStatusCounts,
    answer: async () => {
      const { ACTIVE, EXPIRED, REVOKED } = await statistics.linkCounts();
      return { active: ACTIVE, expired: EXPIRED, revoked: REVOKED };
    },
  });
  statistic(app, {
    summary: 'The links opened most, by successful attempts',
    paths: ['/api/stats/links/top'],
    querystring: LimitQuery,
    response: TopLinks,
    answer: async (query) => {
      const links = await statistics.topLinks(valid(parseLimit(query['limit'])));
      return links.map(({ shortCode, count }) => ({ shortCode, accessCount: count }));
    },
  });
  statistic(app, {
    summary: 'The links with most wrong passwords',
    paths: ['/api/stats/security/exceptions'],
    querystring: LimitQuery,
    response: SecurityExceptions,
    answer: (query) => statistics.securityExceptions(valid(parseLimit(query['limit']))),
  });
}
