import type { EpochMs } from './link.ts';
import type { Period } from './ranges.ts';
import { DAY_MS, HOUR_MS } from './time-units.ts';

// Attempts are counted by hours of UTC. In a time zone that is ahead of it by a part of an hour, each of these counts for
// the day and the hour in which it begins.

/** Returns whether a text names a time zone, such as `Europe/Berlin`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** Sums the attempts of hours by days of a time zone. Hours and days are ascending. */
export function sumByDay(hours: readonly Period[], zone: string): Period[] {
  const days: Period[] = [];
  for (const { hour, startsAt } of withDays(hours, zone)) {
    const day = days.at(-1);
    if (day?.startsAt === startsAt) {
      day.total += hour.total;
      day.success += hour.success;
      day.passwordRequests += hour.passwordRequests;
    } else days.push({ ...hour, startsAt });
  }
  return days;
}

/** Sums the attempts of hours by the hour that the clocks of a time zone show. */
export function sumByHourOfDay(hours: readonly Period[], zone: string): { hour: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const { hour, startsAt, isWhole } of withDays(hours, zone)) {
    const ofDay = isWhole
      ? Math.floor((hour.startsAt - startsAt) / HOUR_MS)
      : toZoned(hour.startsAt, zone).hour;
    counts.set(ofDay, (counts.get(ofDay) ?? 0) + hour.total);
  }
  return [...counts].map(([hour, count]) => ({ hour, count })).sort((a, b) => a.hour - b.hour);
}

/** Yields ascending hours with the day of the time zone in which each begins. `isWhole`: that day has 24 hours. */
function* withDays(hours: readonly Period[], zone: string) {
  let [startsAt, endsAt]: [EpochMs, EpochMs] = [0, 0];
  for (const hour of hours) {
    if (hour.startsAt >= endsAt) {
      const start = toZoned(hour.startsAt, zone).startOfDay();
      startsAt = start.epochMilliseconds;
      endsAt = start.add({ days: 1 }).startOfDay().epochMilliseconds;
    }
    yield { hour, startsAt, isWhole: endsAt - startsAt === DAY_MS };
  }
}

function toZoned(at: EpochMs, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
}
