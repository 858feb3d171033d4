/** A spot of the colour that something has in a chart. The policy allows styles by the object model alone. */
export function Swatch({ colour }: { colour: string }) {
  return <span class="swatch" aria-hidden="true" style={{ '--swatch': `var(${colour})` }} />;
}
