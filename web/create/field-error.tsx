/** What is wrong with a field, beside it. The service speaks English; what the page itself misses, the reader's tongue. */
export type Fault = { text: string; isOfService: boolean };

/** The fields beside which an error can stand. Any other is told below the form. */
export const FIELDS = ['targetUrl', 'file', 'expiresAt', 'maxViews', 'password'] as const;
export type Field = (typeof FIELDS)[number];
export type FormFault = Fault & { field: Field | null };

export function FieldError({ id, fault }: { id: string; fault: Fault | undefined }) {
  if (!fault) return null;
  return (
    <p class="field-error" id={id} lang={fault.isOfService ? 'en' : undefined}>
      {fault.text}
    </p>
  );
}

/** The attributes that tie a field to what is wrong with it. */
export function faultOf(id: string, fault: Fault | undefined) {
  return fault ? { 'aria-invalid': true, 'aria-describedby': id } : {};
}
