import { toPrintable, toPrintableJson } from '../src/tools/commands/terminal.ts';
import { renderQrCode } from './qr-code.ts';
import { type Column, renderTable, type TableOptions, toCell } from './table.ts';

/** A name and a value; one without a value is left out. */
export type Field = readonly [string, string | null | undefined];

/** The outputs of a command: results on standard output, everything else on standard error. */
export type Output = {
  isJson: boolean;
  /** The width of the terminal; undefined for a file or a pipe. */
  width: number | undefined;
  /** True if notes appear on a terminal, where no log keeps them. */
  isNoteSeen: boolean;
  print(text: string): void;
  /** Prints one JSON document in a line. */
  printJson(value: unknown): void;
  /** Prints rows for a person, as wide as the terminal. Into a pipe, nothing is shortened. */
  printTable(columns: readonly Column[], rows: readonly (readonly string[])[], options?: TableOptions): void;
  /** Prints a record: as pairs of a name and a value for a person, or as JSON. */
  printRecord(record: object, fields: readonly Field[]): void;
  /** Prints a note for a person, on standard error. */
  note(text: string): void;
  /** Shows a QR code, on a terminal as a result. */
  showQrCode(text: string): void;
  /** Announces tokens, which are not shown again. `remedy`: what to do if standard output is closed before them. */
  announceTokens(remedy: string): void;
};

/** `columns`: the width of a terminal; undefined for a file or a pipe. */
type Stream = { write(text: string): unknown; columns?: number | undefined };
export type Streams = { stdout: Stream; stderr: Stream; onTokens?: (remedy: string) => void };
/** A stream that no text controls. `draw`: writes what the program itself has composed, in colors. */
type SafeStream = Stream & { draw(text: string): void };
export type SafeStreams = Streams & { stdout: SafeStream; stderr: SafeStream };

/** Returns a stream that no text controls. */
export const toSafeStream = (stream: Stream): SafeStream => ({
  columns: stream.columns,
  write: (text) => stream.write(toPrintable(text)),
  draw: (text) => void stream.write(text),
});

export function createOutput(isJson: boolean, { stdout, stderr, onTokens }: SafeStreams): Output {
  const print = (text: string): void => void stdout.write(`${text}\n`);
  const { columns } = stdout;
  return {
    isJson,
    width: columns,
    isNoteSeen: stderr.columns !== undefined,
    print,
    printJson: (value) => print(toPrintableJson(value)),
    printTable: (table, rows, options) => print(renderTable(table, rows, { width: columns, ...options })),
    printRecord(record, fields) {
      if (isJson) print(toPrintableJson(record));
      else print(renderFields(fields));
    },
    note(text) {
      if (!isJson) stderr.write(`${text}\n`);
    },
    showQrCode: (text) => (columns === undefined ? stderr : stdout).draw(`${renderQrCode(text)}\n`),
    announceTokens: (remedy) => onTokens?.(remedy),
  };
}

/** Prints a text: into a pipe as it is, and on a terminal with an end of its last line. */
export function printText(output: Output, text: string): void {
  if (output.isJson) output.printJson({ type: 'TEXT', text });
  else if (output.width === undefined) process.stdout.write(text);
  else output.print(text);
}

/** Returns a line for each field that has a value. */
export function renderFields(fields: readonly Field[]): string {
  const shown = fields.flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]));
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${toCell(value)}`).join('\n');
}
