/** A sample of a chart colour. Preact sets the style by script: the policy forbids it in markup. */
export function Swatch({ colour }: { colour: string }) {
  return <span class="swatch" aria-hidden="true" style={{ '--swatch': `var(${colour})` }} />;
}
