/** A sample of a chart colour. The content security policy allows no `style` in markup; Preact sets it by script. */
export function Swatch({ colour }: { colour: string }) {
  return <span class="swatch" aria-hidden="true" style={{ '--swatch': `var(${colour})` }} />;
}
