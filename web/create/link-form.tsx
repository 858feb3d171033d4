import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { MessageKey } from '../i18n/translate.ts';
import type { CreatedLink } from '../service/link.ts';
import { createLink } from '../service/links.ts';
import type { Outcome } from '../service/outcome.ts';
import type { Progress } from '../service/progress.ts';
import { type Upload, uploadFile } from '../service/upload.ts';
import { asksFirst, type Draft, EMPTY_DRAFT, type Missing, toRestrictions } from './draft.ts';
import { FIELDS, type Field, type FormFault } from './field-error.tsx';
import { Options } from './options.tsx';
import { SourceField } from './source-field.tsx';
import { UploadProgress } from './upload-progress.tsx';
import { useDropAndPaste } from './use-drop-and-paste.ts';

/** A link that was just made, and what only the reader knows of it. */
export type MadeLink = {
  link: CreatedLink;
  title: string;
  type: 'REDIRECT' | 'DOWNLOAD';
  password: string;
  confirm: boolean;
};

const MISSING_TEXTS = {
  expiresAt: 'expiry.missing',
  maxViews: 'views.missing',
} as const satisfies Record<Missing, MessageKey>;

type Sending = { progress: Progress | null; cancel(): void };

/** @param takesFocus whether what the reader pressed went away for this form */
export function LinkForm({ takesFocus, onMade }: { takesFocus: boolean; onMade(made: MadeLink): void }) {
  const { t } = useI18n();
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT);
  const [fault, setFault] = useState<FormFault>();
  const [sending, setSending] = useState<Sending>();
  const form = useRef<HTMLFormElement>(null);
  const change = (changed: Partial<Draft>): void => setDraft((now) => ({ ...now, ...changed }));
  const isOver = useDropAndPaste(!sending, (source) => {
    setFault(undefined);
    change({ source });
  });
  useStayWhile(sending !== undefined);
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLElement>('[aria-invalid], .form-error')?.focus();
  }, [fault]);
  const faultAt = (...fields: Field[]) => (fault?.field && fields.includes(fault.field) ? fault : undefined);

  async function send(): Promise<void> {
    const asked = toRestrictions(draft, Date.now());
    if (!asked.ok) {
      return setFault({ field: asked.missing, text: t(MISSING_TEXTS[asked.missing]), isOfService: false });
    }
    const begun = begin(draft, asked.restrictions, (progress) =>
      setSending((now) => now && { ...now, progress }),
    );
    setFault(undefined);
    const { source } = draft;
    setSending({
      progress: source.kind === 'FILE' ? nothingSent(source.file) : null,
      cancel: begun.cancel,
    });
    const outcome = await begun.outcome;
    setSending(undefined);
    if (outcome.kind === 'DONE') {
      onMade({
        link: outcome.value,
        title: source.kind === 'FILE' ? source.file.name : source.text.trim(),
        type: source.kind === 'FILE' ? 'DOWNLOAD' : 'REDIRECT',
        password: draft.password,
        confirm: asksFirst(draft),
      });
    } else if (outcome.kind === 'REFUSED') {
      const field = FIELDS.find((each) => each === outcome.field) ?? null;
      const text = field || !outcome.field ? outcome.text : `${outcome.field}: ${outcome.text}`;
      setFault({ field, text, isOfService: true });
    } else if (outcome.kind === 'UNREACHABLE') {
      setFault({ field: null, text: t('error.unreachable'), isOfService: false });
    }
  }

  return (
    <form
      ref={form}
      class="card link-form"
      noValidate
      aria-labelledby="form-title"
      data-over={isOver ? '' : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h1 id="form-title">{t('create.title')}</h1>
      <fieldset class="bare" disabled={sending !== undefined}>
        <SourceField
          source={draft.source}
          takesFocus={takesFocus}
          fault={faultAt('targetUrl', 'file')}
          onChange={(source) => change({ source })}
        />
        <Options draft={draft} faultAt={faultAt} onChange={change} />
        {!sending && (
          <button type="submit" class="button button-main">
            {t('create.submit')}
          </button>
        )}
      </fieldset>
      {sending?.progress && <UploadProgress progress={sending.progress} onCancel={sending.cancel} />}
      {sending && !sending.progress && (
        <p class="making" role="status">
          {t('create.making')}
        </p>
      )}
      {fault && !fault.field && (
        <p class="form-error" role="alert" tabIndex={-1} lang={fault.isOfService ? 'en' : undefined}>
          {fault.text}
        </p>
      )}
    </form>
  );
}

/** Asks the service for the link; a file is uploaded for it. */
function begin(
  { source }: Draft,
  restrictions: Parameters<typeof createLink>[1],
  onProgress: (progress: Progress) => void,
): Upload | { outcome: Promise<Outcome<CreatedLink>>; cancel(): void } {
  if (source.kind === 'FILE') {
    return uploadFile(source.file, restrictions, onProgress);
  }
  return { outcome: createLink(source.text.trim(), restrictions), cancel: () => undefined };
}

function nothingSent({ size }: File): Progress {
  return { sentBytes: 0, totalBytes: size, bytesPerSecond: null, secondsLeft: null };
}

/** Whoever leaves during an upload is asked first. */
function useStayWhile(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);
}
