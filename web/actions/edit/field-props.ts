import type { FormError } from '../../form/form-error.tsx';
import type { LinkDescription } from '../../service/contract.ts';
import type { EditDraft } from './edit-draft.ts';

export type FieldProps = {
  link: LinkDescription;
  draft: EditDraft;
  error: FormError | undefined;
  onChange(changed: Partial<EditDraft>): void;
};
