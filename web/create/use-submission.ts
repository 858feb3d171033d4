import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Created, LinkType, Restrictions } from '../service/contract.ts';
import { createLink } from '../service/links.ts';
import type { Progress } from '../service/progress.ts';
import { type Upload, uploadFile } from '../service/upload.ts';
import { type Draft, keysOf, type Source, toRestrictions, toTargetUrl } from './draft.ts';
import { type FormError, isErrorOf, toFormError } from './form-error.tsx';

/** A link just created, with the details that only this page knows. */
export type NewLink = Created & {
  /** The target URL, or the name of the file. */
  title: string;
  type: LinkType;
  password: string;
  /** The restrictions that were sent: the response does not repeat labels. */
  restrictions: Restrictions;
};

/** A request in progress. Only an upload has progress to show, and can be cancelled. */
type Sending = { progress: Progress | null; cancel(): void };

const MISSING_TEXTS = { expiresAt: 'expiry.missing', maxViews: 'views.missing' } as const;

/** Creates links, one at a time, and holds the progress and the error of the last request. */
export function useSubmission(onCreated: (created: NewLink) => void) {
  const i18n = useI18n();
  const [error, setError] = useState<FormError>();
  const [sending, setSending] = useState<Sending>();

  async function submit(draft: Draft): Promise<void> {
    const request = toRestrictions(draft, Date.now());
    if (!request.ok)
      return setError({ field: request.missing, text: i18n.t(MISSING_TEXTS[request.missing]) });
    setError(undefined);
    const { outcome, cancel } = startCreation(draft, request.restrictions, (progress) =>
      setSending((now) => now && { ...now, progress }),
    );
    setSending({ progress: initialProgress(draft.source), cancel });
    const result = await outcome;
    setSending(undefined);
    if (result.kind === 'DONE') onCreated(toNewLink(draft, request.restrictions, result.value));
    else setError(toFormError(result, i18n));
  }

  /** Removes the error of a part of the form that has changed. */
  function clearErrorsOf(changed: Partial<Draft>): void {
    setError((now) => (now && isErrorOf(keysOf(changed), now) ? undefined : now));
  }

  return { error, setError, clearErrorsOf, sending, submit };
}

function startCreation(
  draft: Draft,
  restrictions: Restrictions,
  onProgress: (progress: Progress) => void,
): Upload {
  const { source } = draft;
  if (source.kind === 'FILE') return uploadFile(source.file, restrictions, onProgress);
  return { outcome: createLink(toTargetUrl(draft), restrictions), cancel: () => undefined };
}

function initialProgress(source: Source): Progress | null {
  if (source.kind === 'URL') return null;
  return { sentBytes: 0, totalBytes: source.file.size, bytesPerSecond: null, secondsLeft: null };
}

function toNewLink(draft: Draft, restrictions: Restrictions, created: Created): NewLink {
  const { source, password } = draft;
  const known = { ...created, password, restrictions };
  return source.kind === 'FILE'
    ? { ...known, type: 'DOWNLOAD', title: source.file.name }
    : { ...known, type: 'REDIRECT', title: toTargetUrl(draft) };
}
