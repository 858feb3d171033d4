const MARK = '\n';

/** A text some of whose values are code. `text` marks them with the function that it gets. */
export function WithCode({ text }: { text(mark: (code: string) => string): string }) {
  const parts = text((code) => `${MARK}${code}${MARK}`).split(MARK);
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}
