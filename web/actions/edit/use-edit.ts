import { useEffect, useState } from 'preact/hooks';
import { type FormError, toFormError } from '../../form/form-error.tsx';
import { useI18n } from '../../i18n/i18n.tsx';
import {
  changeLink,
  type LinkReference,
  PRECONDITION_FAILED,
  readTaggedLink,
  type TaggedLink,
} from '../../service/links.ts';
import { type EditDraft, isChanged, rebaseDraft, toEditDraft, toPatch } from './edit-draft.ts';

/** The terms that another user has changed while the form was open: before and now. */
export type Conflict = { former: EditDraft; latest: EditDraft };

type Loaded = TaggedLink & { original: EditDraft };

/** Reads a link, holds what the user changes of it, and sends the changes. */
export function useEdit(reference: LinkReference, onSaved: (saved: TaggedLink) => void) {
  const i18n = useI18n();
  const [loaded, setLoaded] = useState<Loaded>();
  const [draft, setDraft] = useState<EditDraft>();
  const [error, setError] = useState<FormError>();
  const [conflict, setConflict] = useState<Conflict>();
  const [isSaving, setSaving] = useState(false);
  useEffect(() => void load(), []);

  async function load(): Promise<Loaded | undefined> {
    const outcome = await readTaggedLink(reference);
    if (outcome.kind !== 'DONE') {
      setError(toFormError(outcome, i18n));
      return undefined;
    }
    const read = { ...outcome.value, original: toEditDraft(outcome.value.link) };
    setLoaded(read);
    setDraft((now) => now ?? read.original);
    return read;
  }

  /** Puts the user's changes on top of those of the other user. */
  async function showConflict(draft: EditDraft, former: EditDraft): Promise<void> {
    const latest = await load();
    if (!latest) return;
    setConflict({ former, latest: latest.original });
    setDraft(rebaseDraft(draft, former, latest.original));
  }

  async function save(): Promise<void> {
    if (!loaded || !draft || isSaving) return;
    if (draft.passwordChange === 'SET' && draft.password === '') {
      return setError({ field: 'password', text: i18n.t('edit.passwordMissing') });
    }
    setSaving(true);
    setError(undefined);
    setConflict(undefined);
    const outcome = await changeLink(reference, toPatch(loaded.original, draft), loaded.entityTag);
    setSaving(false);
    if (outcome.kind === 'DONE') return onSaved(outcome.value);
    const isConflict = outcome.kind === 'REFUSED' && outcome.status === PRECONDITION_FAILED;
    if (isConflict) await showConflict(draft, loaded.original);
    else setError(toFormError(outcome, i18n));
  }

  function change(changed: Partial<EditDraft>): void {
    setDraft((now) => now && { ...now, ...changed });
    const fields = 'passwordChange' in changed ? [...Object.keys(changed), 'password'] : Object.keys(changed);
    setError((now) => (now?.field && fields.includes(now.field) ? undefined : now));
  }
  const hasChanges = loaded !== undefined && draft !== undefined && isChanged(loaded.original, draft);
  return { link: loaded?.link, draft, hasChanges, error, setError, conflict, isSaving, change, save };
}
