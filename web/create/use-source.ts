import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { useSession } from '../shell/session.tsx';
import type { Source } from './draft.ts';
import type { FormError } from './form-error.tsx';

/** A URL or file that was chosen at once rather than typed. `isOneOfMany`: the other files were left out. */
export type ChosenSource = { source: Source; isOneOfMany: boolean };
/** A text about further effects of a choice, and the target that it replaced. */
export type SourceNotice = { text: string; replaced: Source | undefined };

type Actions = { setSource(source: Source): void; showError(error: FormError): void };

/** Takes chosen targets. A link has one, so a replaced one can be restored, and too large a file is refused. */
export function useSource(current: Source, { setSource, showError }: Actions) {
  const { t, format } = useI18n();
  const maxFileBytes = useSession().settings?.maxFileBytes;
  const [notice, setNotice] = useState<SourceNotice>();

  function choose({ source, isOneOfMany }: ChosenSource): void {
    if (source.kind === 'FILE' && maxFileBytes !== undefined && source.file.size > maxFileBytes) {
      const size = { name: source.file.name, max: format.bytes(maxFileBytes) };
      showError({ field: 'file', text: t('source.tooLarge', size) });
      return;
    }
    const replaced = isReplaced(current, source) ? current : undefined;
    const former = replaced && nameOf(replaced);
    const texts = [
      former && t('source.replaced', { former }),
      isOneOfMany && t('source.oneOfMany', { name: nameOf(source) }),
    ].filter(Boolean);
    setNotice(texts.length === 0 ? undefined : { text: texts.join(' '), replaced });
    setSource(source);
  }
  /** Sets what the user typed, removed or restored. */
  function change(source: Source): void {
    setNotice(undefined);
    setSource(source);
  }
  return { notice, choose, change };
}

function isReplaced(current: Source, source: Source): boolean {
  return nameOf(current) !== '' && (current.kind === 'FILE' || nameOf(current) !== nameOf(source));
}

function nameOf(source: Source): string {
  return source.kind === 'FILE' ? source.file.name : source.text.trim();
}
