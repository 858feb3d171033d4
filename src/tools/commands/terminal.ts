import { CONTROLS } from '../../core/rules/file-name.ts';

// What a terminal shows may come from others: a server, an export, an archive, a file name. All texts of commands pass here.

/** Returns a text without what would control a terminal, or hide or reorder its text. Its lines and tabs stay. */
export function toPrintable(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').toWellFormed();
  return lines.replace(CONTROLS, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'));
}

/** Returns a value as JSON in ASCII as far as a terminal needs it. Programs read the same value. */
export function toPrintableJson(value: unknown): string {
  return JSON.stringify(value).replace(CONTROLS, (found) =>
    Array.from({ length: found.length }, (_, index) => {
      const unit = found.charCodeAt(index).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );
}

/** Prints a result. */
export const print = (text: string): void => void process.stdout.write(toPrintable(text));

/** Prints what is no result. */
export const printNote = (text: string): void => void process.stderr.write(toPrintable(text));
