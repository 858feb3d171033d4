/** A command to copy. Its lines break between words, but not inside an option, after whose hyphens browsers would break it. */
export function Command({ text }: { text: string }) {
  return (
    <code>{text.split(/(?<= )/).map((word) => (word.startsWith('-') ? <span>{word}</span> : word))}</code>
  );
}
