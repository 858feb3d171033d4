import { TERM_NAMES } from '../../src/core/model/terms.ts';
import type { I18n } from '../i18n/i18n.tsx';
import type { Outcome } from '../service/outcome.ts';
import { failureText } from '../shell/error-texts.ts';

/** The fields that can show an error. Any other error concerns the form as a whole. */
const FIELDS = [
  'targetUrl',
  'file',
  'text',
  'message',
  'maxFiles',
  'maxBytes',
  'recipientKey',
  ...TERM_NAMES,
] as const;
export type Field = (typeof FIELDS)[number];
/** Those of a file request that stand together. */
export const REQUEST_FIELDS = ['message', 'maxFiles', 'maxBytes'] as const satisfies Field[];

export type FormError = { field: Field | null; text: string };

/** Returns the error that a failed request shows, or undefined when the user cancelled it. */
export function toFormError(
  outcome: Exclude<Outcome<never>, { kind: 'DONE' }>,
  i18n: I18n,
): FormError | undefined {
  if (outcome.kind === 'CANCELLED') return undefined;
  return { field: fieldOf(outcome), text: failureText(outcome, i18n) };
}

function fieldOf(outcome: Exclude<Outcome<never>, { kind: 'DONE' }>): Field | null {
  if (outcome.kind !== 'REFUSED') return null;
  if (outcome.code === 'STORAGE_FULL' || outcome.code === 'QUOTA_EXCEEDED') return 'file'; // it refuses every upload
  return FIELDS.find((name) => name === outcome.field) ?? null;
}

/** The error below a field. */
export function FieldError({ id, error }: { id: string; error: FormError | undefined }) {
  if (!error) return null;
  return (
    <p class="field-error" id={id}>
      {error.text}
    </p>
  );
}

/** Returns the attributes that connect a field to its error. */
export function errorAttributes(id: string, error: FormError | undefined) {
  return error ? { 'aria-invalid': true, 'aria-describedby': id } : {};
}

type AlertProps = { error: FormError; onShown?: (alert: HTMLElement | null) => void };

/** An error that concerns the form as a whole. */
export function FormAlert({ error: { text }, onShown }: AlertProps) {
  return (
    <p class="form-error" role="alert" tabIndex={-1} {...(onShown && { ref: onShown })}>
      {text}
    </p>
  );
}
