import { useState } from 'preact/hooks';
import { addFiles, totalBytesOf } from '../files/chosen-files.ts';
import type { FormError } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import type { Draft, Source } from './draft.ts';

/** A text about further effects of a choice, and the target that it replaced. */
export type SourceNotice = { text: string; replaced: Source | undefined };

type Actions = { change(changed: Partial<Draft>): void; showError(error: FormError): void };

/** Takes chosen targets. Files are added to files. A link has one target, so another one that is replaced can be restored. */
export function useSource(draft: Draft, initial: Draft, actions: Actions) {
  const { t } = useI18n();
  const tooLarge = useTooLarge();
  const [notice, setNotice] = useState<SourceNotice>();

  function choose(chosen: Source): void {
    const current = draft.source;
    const source = toMerged(current, chosen);
    const error = tooLarge(source);
    // A file that is too large alone is not even taken. Of several, the user decides which to remove.
    if (error && current.kind !== 'FILES' && !isSet(source)) {
      actions.showError(error);
      return;
    }
    const former = nameOf(current);
    const isReplaced = former !== '' && former !== nameOf(source) && !isAddition(current, source);
    setNotice(isReplaced ? { text: t('source.replaced', { former }), replaced: current } : undefined);
    actions.change({ source, ...viewLimitOf(source) });
    if (error) actions.showError(error);
  }
  /** Sets what the user typed, removed or restored. */
  function change(changed: Partial<Draft>): void {
    if (changed.source) setNotice(undefined);
    actions.change({ ...changed, ...(changed.source && viewLimitOf(changed.source)) });
  }
  /** Returns the view limit of a source: a text is shown once, unless the user chooses otherwise. */
  function viewLimitOf({ kind }: Source): Partial<Draft> {
    if (kind === draft.source.kind) return {};
    if (kind === 'TEXT') return { viewLimit: 'ONCE' };
    return draft.source.kind === 'TEXT' ? { viewLimit: initial.viewLimit } : {};
  }
  /** Returns what a notice calls a target. A text is not repeated there. */
  function nameOf(source: Source): string {
    if (source.kind === 'URL' || source.kind === 'REQUEST') return source.text.trim();
    if (source.kind === 'TEXT') return source.text.trim() && t('text.title');
    return source.files.map(({ path }) => path).join(', ');
  }
  return { notice, choose, change };
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

function toMerged(current: Source, chosen: Source): Source {
  if (chosen.kind !== 'FILES') return chosen;
  const { files, name } = current.kind === 'FILES' ? current : { files: [], name: '' };
  return { kind: 'FILES', files: addFiles(files, chosen.files), name };
}

const isSet = (source: Source): boolean => source.kind === 'FILES' && source.files.length > 1;

const isAddition = (current: Source, { kind }: Source): boolean => kind === 'FILES' && current.kind === kind;
