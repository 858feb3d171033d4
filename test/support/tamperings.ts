import { codeOf } from './attempts.ts';

/** Changes that a store never makes itself, in SQL for both stores, with the difference that a recount reports. */
export const TAMPERINGS: readonly [what: string, sql: string, expected: RegExp][] = [
  [
    'a view that was not counted',
    'UPDATE link SET view_count = 1 WHERE max_views = 2',
    /views of link L0000001/,
  ],
  ['a record that was deleted', `DELETE FROM audit WHERE result = 'NOT_FOUND'`, /by day.*NOT_FOUND/],
  ['a record whose result was changed', `UPDATE audit SET result = 'SUCCESS'`, /attempts by hour/],
  ['a record whose time was changed', 'UPDATE audit SET accessed_at = accessed_at + 1', /time inside the id/],
  ['a rollup by day', `UPDATE attempts_by_day SET count = 99 WHERE result = 'SUCCESS'`, /by day.*SUCCESS/],
  ['a rollup by hour', 'UPDATE attempts_by_hour SET hour = hour + 1', /by hour and/],
  ['a rollup by hour of the day', 'DELETE FROM attempts_by_hour_of_day', /by hour of the day/],
  ['the number of origins', 'UPDATE origin_count SET count = 9', /number of origins/],
  ['an origin that never came', `INSERT INTO origin VALUES ('192.0.2.99')`, /origin 192\.0\.2\.99/],
  ['the number of links', 'UPDATE links_by_status SET count = count + 1', /links by status/],
  ['the wrong passwords', 'UPDATE link SET invalid_password_count = 5', /wrong passwords of link/],
  ['the views of a top link', 'UPDATE top_link SET view_count = 9', /top link/],
  [
    'a top link that is missing',
    `DELETE FROM top_link WHERE short_code = '${codeOf(2)}'`,
    /top link.*L0000002/,
  ],
  [
    'a link without a target',
    `DELETE FROM link_target WHERE short_code = '${codeOf(2)}'`,
    /target.*L0000002/,
  ],
];
