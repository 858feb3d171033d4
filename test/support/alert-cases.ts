/** Series as promtool writes them: a selector, and its values of each minute. */
export type InputSeries = Record<string, string>;

/** A rate of so many a second, as the values of a counter. */
const perSecond = (rate: number): string => `0+${rate * 60}x60`;
const ALWAYS_0 = '0x60';
const ALWAYS_1 = '1x60';
const MIB = 1024 ** 2;
const always = (value: number): string => `${value}x60`;

const requests = (status: string): string =>
  `http_server_requests_seconds_count{uri="/l/*", status="${status}"}`;
const attempts = (le: string): string => `secure_link_resolve_duration_seconds_bucket{le="${le}"}`;
const storage = (le: string): string =>
  `secure_link_storage_request_seconds_bucket{operation="GetObject", le="${le}"}`;
const denied = (reason: string): string => `secure_link_resolve_denied_total{reason="${reason}"}`;
const ofProblem = (problem: string): string => `secure_link_store_problem{problem="${problem}"}`;

/** For each alert, series after an hour of which it does not fire, and does. */
export const ALERT_CASES: Record<string, { quiet: InputSeries; firing: InputSeries }> = {
  PosternGone: { quiet: { up: ALWAYS_1 }, firing: { up: ALWAYS_0 } },
  PosternInstanceDown: { quiet: { up: ALWAYS_1 }, firing: { up: ALWAYS_0 } },
  PosternUnhealthy: {
    quiet: { 'secure_link_health{component="database"}': ALWAYS_1 },
    firing: { 'secure_link_health{component="database"}': ALWAYS_0 },
  },
  PosternFaults: {
    quiet: {
      [requests('302')]: perSecond(100),
      [requests('500')]: perSecond(0.5),
      [requests('503')]: perSecond(50),
    },
    firing: { [requests('302')]: perSecond(100), [requests('500')]: perSecond(2) },
  },
  PosternSlow: {
    quiet: { [attempts('0.5')]: perSecond(10), [attempts('+Inf')]: perSecond(10) },
    firing: {
      [attempts('0.5')]: perSecond(9),
      [attempts('1')]: perSecond(10),
      [attempts('+Inf')]: perSecond(10),
    },
  },
  PosternBusy: {
    quiet: { nodejs_eventloop_lag_p99_seconds: always(0.1) },
    firing: { nodejs_eventloop_lag_p99_seconds: always(0.3) },
  },
  PosternDatabaseUnavailable: {
    quiet: { [ofProblem('database_unavailable')]: '0x58 1 0' },
    firing: { [ofProblem('database_unavailable')]: '0x57 1 1 1' },
  },
  PosternStorageUnavailable: {
    quiet: { [ofProblem('storage_unavailable')]: '0x58 1 0' },
    firing: { [ofProblem('storage_unavailable')]: '0x57 1 1 1' },
  },
  PosternProblem: {
    quiet: {
      ...{ [ofProblem('storage_unavailable')]: ALWAYS_1, [ofProblem('witness_unavailable')]: ALWAYS_1 },
      [ofProblem('storage_full')]: ALWAYS_0,
    },
    firing: { [ofProblem('storage_full')]: ALWAYS_1 },
  },
  PosternMinorProblem: {
    quiet: { [ofProblem('storage_full')]: ALWAYS_1, [ofProblem('witness_unavailable')]: ALWAYS_0 },
    firing: { [ofProblem('witness_unavailable')]: ALWAYS_1 },
  },
  PosternLogDropped: {
    quiet: { secure_link_log_lines_dropped_total: always(7) },
    firing: { secure_link_log_lines_dropped_total: '0x55 7x5' },
  },
  PosternBackupTooOld: {
    quiet: { secure_link_backup_age_seconds: always(90_000) },
    firing: { secure_link_backup_age_seconds: always(190_000) },
  },
  PosternFilesMissing: {
    quiet: { [denied('file_not_found')]: always(3), [denied('not_found')]: perSecond(1) },
    firing: { [denied('file_not_found')]: '_x55 1x5' },
  },
  PosternFileDamaged: {
    quiet: { secure_link_damaged_downloads_total: always(1) },
    firing: { secure_link_damaged_downloads_total: '0x55 1x5' },
  },
  PosternDiskAlmostFull: {
    quiet: {
      secure_link_storage_free_bytes: always(600 * MIB),
      secure_link_storage_min_free_bytes: always(256 * MIB),
    },
    firing: {
      secure_link_storage_free_bytes: always(500 * MIB),
      secure_link_storage_min_free_bytes: always(256 * MIB),
    },
  },
  PosternDatabaseDiskAlmostFull: {
    quiet: { secure_link_database_free_bytes: always(2_000 * MIB) },
    firing: { secure_link_database_free_bytes: always(1_000 * MIB) },
  },
  PosternStatisticsBehind: {
    quiet: { secure_link_projection_oldest_age_seconds: always(5) },
    firing: { secure_link_projection_oldest_age_seconds: always(90) },
  },
  PosternConnectionsExhausted: {
    quiet: {
      'secure_link_database_connections{pool="operations", state="busy"}': always(8),
      'secure_link_database_connections{pool="operations", state="waiting"}': '0x58 9 0',
    },
    firing: { 'secure_link_database_connections{pool="operations", state="waiting"}': always(2) },
  },
  PosternStorageSlow: {
    quiet: {
      [storage('5')]: perSecond(10),
      [storage('10')]: perSecond(10),
      [storage('+Inf')]: perSecond(10),
    },
    firing: {
      [storage('5')]: perSecond(9),
      [storage('10')]: perSecond(10),
      [storage('+Inf')]: perSecond(10),
    },
  },
  PosternJobFailing: {
    quiet: { 'secure_link_job_last_success_timestamp_seconds{name="expiration"}': '0+60x60' },
    firing: { 'secure_link_job_last_success_timestamp_seconds{name="expiration"}': '0+60x30 1800x30' },
  },
  PosternOverloaded: {
    quiet: { 'secure_link_overload_total{queue="passwords"}': always(500) },
    firing: { 'secure_link_overload_total{queue="passwords"}': perSecond(1) },
  },
  PosternPasswordsGuessed: {
    quiet: { [denied('invalid_password')]: perSecond(0.2), [denied('password_required')]: perSecond(9) },
    firing: {
      [denied('invalid_password')]: perSecond(0.3),
      'secure_link_preview_total{reason="invalid_password"}': perSecond(0.3),
    },
  },
  PosternCodesGuessed: {
    quiet: { [denied('not_found')]: perSecond(3) },
    firing: { 'secure_link_rate_limited_total{limit="unknown_codes"}': perSecond(2) },
  },
  PosternCredentialsRefused: {
    quiet: { 'secure_link_access_denied_total{reason="sign_in_required"}': perSecond(9) },
    firing: { 'secure_link_access_denied_total{reason="invalid_key"}': perSecond(1) },
  },
  PosternNotificationsFailed: {
    quiet: { 'secure_link_notifications{state="waiting"}': always(9) },
    firing: { 'secure_link_notifications{state="failed"}': ALWAYS_1 },
  },
  PosternNotificationsWaiting: {
    quiet: { 'secure_link_notifications{state="waiting"}': always(900) },
    firing: { 'secure_link_notifications{state="waiting"}': always(1_100) },
  },
  PosternEventsNotCollected: {
    quiet: { secure_link_outbox_age_seconds: always(200) },
    firing: { secure_link_outbox_age_seconds: always(400) },
  },
  PosternMemory: {
    quiet: { process_resident_memory_bytes: always(500 * MIB) },
    firing: { process_resident_memory_bytes: always(600 * MIB) },
  },
  PosternFileDescriptors: {
    quiet: { process_open_fds: always(700), process_max_fds: always(1_000) },
    firing: { process_open_fds: always(900), process_max_fds: always(1_000) },
  },
  PosternRestarting: {
    quiet: { process_start_time_seconds: '100x55 3000x5' },
    firing: { process_start_time_seconds: '100x50 2000x3 2200x3 2400x4' },
  },
};
