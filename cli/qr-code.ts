import { generate } from 'lean-qr';

/** The margin in modules that scanners need. */
const QUIET_ZONE = 4;
/** Black on white in every theme, as scanners expect. */
const BLACK_ON_WHITE = '\u001b[38;5;16;48;5;231m';
const RESET = '\u001b[0m';

/** Returns the QR code of a text for a terminal, with two modules in each character. */
export function renderQrCode(text: string): string {
  const code = generate(text);
  const lines: string[] = [];
  for (let y = -QUIET_ZONE; y < code.size + QUIET_ZONE; y += 2) {
    let line = '';
    for (let x = -QUIET_ZONE; x < code.size + QUIET_ZONE; x++) {
      line += code.get(x, y) ? (code.get(x, y + 1) ? '█' : '▀') : code.get(x, y + 1) ? '▄' : ' ';
    }
    lines.push(BLACK_ON_WHITE + line + RESET);
  }
  return lines.join('\n');
}
