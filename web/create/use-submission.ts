import { useRef, useState } from 'preact/hooks';
import { titleOfRequest } from '../../src/core/model/request-title.ts';
import type { MessageFacts } from '../actions/message.ts';
import { totalBytesOf } from '../files/chosen-files.ts';
import { type Field, type FormError, REQUEST_FIELDS, toFormError } from '../form/form-error.tsx';
import type { UploadControls } from '../form/upload-progress.tsx';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import type { LinkType, Restrictions } from '../service/contract.ts';
import { createKey, createLink } from '../service/links.ts';
import type { Outcome } from '../service/outcome.ts';
import { type Progress, unmeasured } from '../service/progress.ts';
import { nameOfFiles, timedTitleOf } from '../shell/link-facts.ts';
import { useSession } from '../shell/session.tsx';
import { type Draft, keysOf, type Source, toFileRequest, toRestrictions, toTargetUrl } from './draft.ts';
import type { sendFiles as SendFiles } from './send-files.ts';
import { isAway, type Sent, toSent } from './sent.ts';
import { useTooLarge } from './use-source.ts';

/** A link just created, with the details that only this page knows. */
export type NewLink = Sent & {
  type: LinkType;
  kind: Source['kind'];
  content: MessageFacts['content'];
  /** True when visitors may view the file without a download. */
  viewable: boolean;
  password: string;
  /** What a file request asks for. */
  request?: string;
  /** The restrictions that were sent: the response does not repeat labels. */
  restrictions: Restrictions;
};

/** A request in progress. Only an upload has progress to show, and can be cancelled. */
type Sending = { progress: Progress | null; controls?: UploadControls };

/** Every service allows it, also one whose settings could not be loaded. */
const LEAST_CHUNK_BYTES = 5 * 1024 ** 2;
const TYPES: Partial<Record<Source['kind'], LinkType>> = { URL: 'REDIRECT', REQUEST: 'REQUEST' };
const MISSING_TEXTS = { expiresAt: 'expiry.missing', maxViews: 'views.missing' } as const;

/** A creation that is one link, however often it is sent: its key stays while the form does and no response came. */
type Creation = { draft: Draft; restrictions: Restrictions; key: string };

/** Creates links, one at a time, and holds the progress and the error of the last request. */
export function useSubmission(onCreated: (created: NewLink) => void) {
  const i18n = useI18n();
  const tooLarge = useTooLarge();
  const { settings } = useSession();
  const chunkBytes = settings?.upload.chunkBytes ?? LEAST_CHUNK_BYTES;
  const [error, setError] = useState<FormError>();
  const [sending, setSending] = useState<Sending>();
  const unanswered = useRef<Creation | undefined>(undefined);

  async function submit(draft: Draft): Promise<void> {
    const request = toRestrictions(draft, Date.now(), Boolean(settings?.links.defaultTtl));
    if (!request.ok)
      return setError({ field: request.missing, text: i18n.t(MISSING_TEXTS[request.missing]) });
    const invalid = checkContent(draft.source, i18n) ?? tooLarge(draft.source);
    setError(invalid);
    if (invalid) return;
    setSending({ progress: initialProgress(draft.source) });
    const { current: last } = unanswered;
    const { restrictions } = request;
    const creation = last?.draft === draft ? last : { draft, restrictions, key: createKey() };
    const result = await create(creation);
    unanswered.current = isAway(result) ? creation : undefined;
    setSending(undefined);
    if (result.kind !== 'DONE') return setError(toFormError(result, i18n));
    const { password, viewable } = draft;
    const { kind } = draft.source;
    const { [kind]: type = 'DOWNLOAD' } = TYPES;
    const title = shownTitleOf(draft.source, result.value.title, i18n);
    onCreated({
      ...result.value,
      title,
      type,
      kind,
      content: contentOf(draft),
      viewable,
      password,
      restrictions,
      ...(draft.source.kind === 'REQUEST' && { request: draft.source.text }),
    });
  }

  function create({ draft, restrictions, key }: Creation): Promise<Outcome<Sent>> {
    return createFrom(draft, restrictions, key, {
      chunkBytes,
      textTitle: timedTitleOf('text', new Date(), i18n),
      onProgress: (progress) => setSending((now) => now && { ...now, progress }),
      onStart: (controls) => setSending((now) => now && { ...now, controls }),
    });
  }

  /** Removes the error of a part of the form that has changed. */
  function clearErrorsOf(changed: Partial<Draft>): void {
    setError((now) => (now && isErrorOf(keysOf(changed), now) ? undefined : now));
  }

  return { error, setError, clearErrorsOf, sending, submit };
}

/** Returns the title of a link as the lists show it. */
function shownTitleOf(source: Source, title: string, { t }: I18n): string {
  const isSet = source.kind === 'FILES' && source.files.length > 1;
  return isSet ? nameOfFiles({ name: title, fileCount: source.files.length }, t) : title;
}

function contentOf({ source, encrypt }: Draft): MessageFacts['content'] {
  if (source.kind === 'URL') return 'PAGE';
  if (source.kind === 'REQUEST') return 'REQUEST';
  if (encrypt) return 'ENCRYPTED';
  if (source.kind === 'TEXT') return 'TEXT';
  return source.files.length === 1 ? 'FILE' : 'FILES';
}

/** Refuses an empty text, and no files: encrypted, the service would not notice. */
function checkContent(source: Source, { t }: I18n): FormError | undefined {
  if (source.kind === 'URL' && source.text.trim() === '')
    return { field: 'targetUrl', text: t('create.nothing') };
  if (source.kind === 'FILES' && source.files.length === 0)
    return { field: 'file', text: t('error.fileMissing') };
  const isEmpty = source.kind === 'TEXT' && source.text === '';
  return isEmpty ? { field: 'text', text: t('error.textInvalid') } : undefined;
}

type SendOptions = Omit<Parameters<typeof SendFiles>[1], 'restrictions'>;

/** Creates the link of a draft. Files, and what is encrypted, are sent by a script of their own. */
async function createFrom(
  draft: Draft,
  restrictions: Restrictions,
  key: string,
  options: SendOptions,
): Promise<Outcome<Sent>> {
  const { source, encrypt } = draft;
  if (source.kind === 'URL') {
    const targetUrl = toTargetUrl(draft);
    return toSent(await createLink({ targetUrl }, restrictions, key), targetUrl);
  }
  if (source.kind === 'REQUEST') {
    const created = await createLink({ request: toFileRequest(source) }, restrictions, key);
    return toSent(created, titleOfRequest(source.text));
  }
  if (source.kind === 'TEXT' && !encrypt) {
    // The service limits a text to one view, unless the request says otherwise.
    const created = await createLink({ text: source.text, maxViews: null }, restrictions, key);
    return toSent(created, options.textTitle);
  }
  try {
    // The progress is loaded first: a line that breaks during the upload could not load it.
    const [{ sendFiles }] = await Promise.all([
      import('./send-files.ts'),
      import('../form/upload-progress.tsx'),
    ]);
    return await sendFiles(draft, { ...options, restrictions });
  } catch {
    return { kind: 'UNREACHABLE' }; // the script could not be loaded
  }
}

/** The fields whose error each part of the draft can cause, unless the field has the name of the part. */
const FIELDS_OF: Partial<Record<keyof Draft, readonly Field[]>> = {
  source: ['targetUrl', 'file', 'text', 'expiresAt', 'recipientKey', ...REQUEST_FIELDS],
  utm: ['targetUrl'],
  expiry: ['expiresAt'],
  expiryDate: ['expiresAt'],
  viewLimit: ['maxViews'],
};

/** Returns true if a change of these parts of the draft removes an error. */
function isErrorOf(parts: (keyof Draft)[], { field }: FormError): boolean {
  return parts.some((part) => FIELDS_OF[part]?.some((name) => name === field) ?? part === field);
}

function initialProgress(source: Source): Progress | null {
  return source.kind === 'FILES' ? unmeasured(0, totalBytesOf(source.files)) : null;
}
