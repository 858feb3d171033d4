import { useRef } from 'preact/hooks';
import { addFiles, totalBytesOf } from '../files/chosen-files.ts';
import type { FormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import { type Draft, EMPTY_SOURCES, NO_FILES, type Source } from './draft.ts';

type Actions = { change(changed: Partial<Draft>): void; showError(error: FormError): void };

/** Returns the view limit that a kind of source has of its own: a text is shown once, unless the user chooses otherwise. */
const ownViewLimitOf = (kind: Source['kind']): Partial<Draft> =>
  kind === 'TEXT' ? { viewLimit: 'ONCE' } : {};

/** Returns what an empty form of a kind begins with. */
export const startOf = (kind: Source['kind']): Partial<Draft> => ({
  source: EMPTY_SOURCES[kind],
  ...ownViewLimitOf(kind),
});

/** Takes chosen targets. Files are added to files. A link has one target; those of other kinds stay for a change of mind. */
export function useSource(draft: Draft, initial: Draft, actions: Actions) {
  const tooLarge = useTooLarge();
  const kept = useRef<Partial<Record<Source['kind'], Source>>>({});

  /** Takes what was dropped, pasted or picked. */
  function choose(chosen: Source): void {
    const source = toMerged(draft.source.kind === 'FILES' ? draft.source : kept.current.FILES, chosen);
    const error = tooLarge(source);
    // A file that is too large alone is not even taken. Of several, the user decides which to remove.
    change({ source: error && !isSet(source) ? NO_FILES : source });
    if (error) actions.showError(error);
  }
  /** Takes what the user typed or removed. */
  function change(changed: Partial<Draft>): void {
    if (changed.source) kept.current[draft.source.kind] = draft.source;
    actions.change({ ...changed, ...(changed.source && viewLimitOf(changed.source)) });
  }
  function switchTo(kind: Source['kind']): void {
    change({ source: kept.current[kind] ?? EMPTY_SOURCES[kind] });
  }
  /** Returns the view limit of another kind of source than before. */
  function viewLimitOf({ kind }: Source): Partial<Draft> {
    if (kind === draft.source.kind || (kind !== 'TEXT' && draft.source.kind !== 'TEXT')) return {};
    return { viewLimit: initial.viewLimit, ...ownViewLimitOf(kind) };
  }
  return { choose, change, switchTo };
}

/** Returns a function that returns the error of files that are larger, or more, than the service allows. */
export function useTooLarge(): (source: Source) => FormError | undefined {
  const { t, format } = useI18n();
  const { settings } = useSession();
  const maxFileBytes = settings?.maxFileBytes ?? Number.POSITIVE_INFINITY;
  const maxFiles = settings?.upload.maxFiles ?? Number.POSITIVE_INFINITY;
  return (source) => {
    if (source.kind !== 'FILES') return undefined;
    if (source.files.length > maxFiles)
      return { field: 'file', text: t('source.tooMany', { count: maxFiles }) };
    if (totalBytesOf(source.files) <= maxFileBytes) return undefined;
    const [first, ...others] = source.files;
    const max = format.bytes(maxFileBytes);
    const text =
      first && others.length === 0
        ? t('source.tooLarge', { name: first.path, max })
        : t('source.tooLargeSet', { size: format.bytes(totalBytesOf(source.files)), max });
    return { field: 'file', text };
  };
}

function toMerged(current: Source | undefined, chosen: Source): Source {
  if (chosen.kind !== 'FILES') return chosen;
  const { files, name } = current?.kind === 'FILES' ? current : NO_FILES;
  return { kind: 'FILES', files: addFiles(files, chosen.files), name };
}

const isSet = (source: Source): boolean => source.kind === 'FILES' && source.files.length > 1;
