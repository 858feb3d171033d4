/** An icon next to text with the same meaning, so screen readers skip it. `path` is one of `src/icons.ts`. */
export function Icon({ path, name = 'icon' }: { path: string; name?: string }) {
  return (
    <svg class={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
