import { useI18n } from '../i18n/i18n.tsx';
import type { Entry } from '../service/history.ts';
import { toCoverage } from './coverage.ts';

/** Says what a fingerprint does not cover, and which entries the list shows with others. */
export function CoverageNotes({ items }: { items: Entry[] }) {
  const { t } = useI18n();
  const { hasUncovered, hasDownloadEnds } = toCoverage(items);
  return (
    <>
      {hasUncovered && ` ${t('proof.uncovered')}`}
      {hasDownloadEnds && ` ${t('proof.downloadEnds')}`}
    </>
  );
}
