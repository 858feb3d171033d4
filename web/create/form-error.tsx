import { TERM_NAMES } from '../../src/core/model/terms.ts';
import type { I18n } from '../i18n/i18n.tsx';
import type { Outcome } from '../service/outcome.ts';
import { refusalText } from '../shell/refusal-text.ts';
import type { Draft } from './draft.ts';
import { errorText } from './error-texts.ts';

/** The fields that can show an error. Any other error is shown below the form. */
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
export const REQUEST_FIELDS = ['message', 'maxFiles', 'maxBytes', 'recipientKey'] as const satisfies Field[];

/** The fields whose error each part of the draft can cause, unless the field has the name of the part. */
const FIELDS_OF: Partial<Record<keyof Draft, readonly Field[]>> = {
  source: ['targetUrl', 'file', 'text', ...REQUEST_FIELDS],
  utm: ['targetUrl'],
  expiry: ['expiresAt'],
  expiryDate: ['expiresAt'],
  viewLimit: ['maxViews'],
};

/** Returns true if a change of these parts of the draft removes an error. */
export function isErrorOf(parts: (keyof Draft)[], { field }: FormError): boolean {
  return parts.some((part) => FIELDS_OF[part]?.some((name) => name === field) ?? part === field);
}

/** The service refuses every upload. */
const STORAGE_FULL = 507;

/** An error of a form. `lang` is set on the API's own texts, which are English in every language. */
export type FormError = { field: Field | null; text: string; lang?: 'en' };

/** Returns the error that a failed request shows, or undefined when the user cancelled it. */
export function toFormError(
  outcome: Exclude<Outcome<never>, { kind: 'DONE' }>,
  i18n: I18n,
): FormError | undefined {
  const { t } = i18n;
  if (outcome.kind === 'CANCELLED') return undefined;
  if (outcome.kind === 'UNREACHABLE') return { field: null, text: t('error.unreachable') };
  const known = refusalText(outcome, t);
  if (known.lang === undefined) return { field: null, text: known.text };
  if (outcome.status === STORAGE_FULL) return { field: 'file', text: t('error.storageFull') };
  if (outcome.status === 401) return { field: null, text: t('error.signedOut') };
  const field = FIELDS.find((name) => name === outcome.field) ?? null;
  const translated = errorText(outcome.code, outcome.params, i18n);
  if (translated !== undefined) return { field, text: translated };
  const text = field || !outcome.field ? outcome.text : `${outcome.field}: ${outcome.text}`;
  return { field, text, lang: 'en' };
}

/** The error below a field. */
export function FieldError({ id, error }: { id: string; error: FormError | undefined }) {
  if (!error) return null;
  return (
    <p class="field-error" id={id} lang={error.lang}>
      {error.text}
    </p>
  );
}

/** Returns the attributes that connect a field to its error. */
export function errorAttributes(id: string, error: FormError | undefined) {
  return error ? { 'aria-invalid': true, 'aria-describedby': id } : {};
}

/** An error that concerns the form as a whole. */
export function FormAlert({ error: { text, lang } }: { error: FormError }) {
  return (
    <p class="form-error" role="alert" tabIndex={-1} lang={lang}>
      {text}
    </p>
  );
}
