import { useI18n } from '../i18n/i18n.tsx';

/** A time in a short form, with the full one as its title. */
export function Time({ at, text }: { at: string; text(date: Date): string }) {
  const { format } = useI18n();
  const date = new Date(at);
  return (
    <time dateTime={at} title={format.dateTime(date)}>
      {text(date)}
    </time>
  );
}
