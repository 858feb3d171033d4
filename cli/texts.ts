import { formatBytes as formatBytesIn } from '../src/common/format.ts';

/** The time zone of the person, in which all times are shown. */
export const TIME_ZONE = Temporal.Now.timeZoneId();

/** Returns an instant in the time zone of the person, to the second. */
export function formatTime(instant: string): string {
  const zoned = Temporal.Instant.from(instant).toZonedDateTimeISO(TIME_ZONE);
  return `${zoned.toPlainDate()} ${zoned.toPlainTime().toString({ smallestUnit: 'second' })}`;
}

/** Returns an instant with the name of the time zone. */
export const formatZonedTime = (instant: string): string => `${formatTime(instant)} (${TIME_ZONE})`;

/** Returns whether browsers see a confirmation page first. */
export const describeConfirmation = (confirm = false): string =>
  confirm ? 'page shown to browsers first' : 'none';

/** Returns a short code that may be given as the address of its link, on any host. */
export function toShortCode(text: string): string {
  const path = URL.parse(text)?.pathname;
  const [, code = path?.slice(1)] = /\/(?:l|links)\/(.+?)\/?$/.exec(path ?? text) ?? [];
  return decodeURIComponent(code ?? text);
}

/** Returns a size as the pages show it. */
export const formatBytes = (bytes: number): string => formatBytesIn(bytes, 'en');
