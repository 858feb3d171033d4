import { Check } from '../shell/choice.tsx';

/** A check box among the options, below their controls. */
export function CheckOption(props: Omit<Parameters<typeof Check>[0], 'class'>) {
  return (
    <div class="option">
      <span class="option-label" aria-hidden="true" />
      <Check class="option-body" {...props} />
    </div>
  );
}
