import { DamagedError } from './payload.ts';
import type { Bytes } from './streams.ts';

// The ASCII armor of age: base64 in lines of 64 characters between two lines, and white space around. The library decodes it
// in memory alone.

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----';
const END = '-----END AGE ENCRYPTED FILE-----';
const LINE_CHARACTERS = 64;

/** Yields the bytes of a file as they are, or those in its armor if it has one. @throws DamagedError */
export async function* withoutArmor(bytes: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void, void> {
  let decode: ((text: string) => Bytes) | undefined;
  let isBinary = false;
  let text = '';
  for await (const chunk of bytes) {
    isBinary ||= !decode && chunk.length > 0 && !/[-\s]/.test(String.fromCharCode(chunk[0] ?? 0));
    if (isBinary) {
      yield chunk;
      continue;
    }
    decode ??= createDecoder();
    text += new TextDecoder('latin1').decode(chunk);
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) yield decode(text.slice(0, end));
    text = text.slice(end);
    if (text.length > LINE_CHARACTERS + 2) throw damaged();
  }
  if (!decode) return;
  yield decode(`${text}\n`);
  decode('');
}

const damaged = (): DamagedError => new DamagedError('its armor was changed or cut off');

/** Returns a function that decodes whole lines, and ends with an empty text. */
function createDecoder(): (text: string) => Bytes {
  let place: 'BEFORE' | 'INSIDE' | 'LAST_LINE' | 'AFTER' = 'BEFORE';
  return (text) => {
    if (text === '' && place !== 'AFTER') throw damaged();
    let base64 = '';
    for (const line of text
      .split('\n')
      .slice(0, -1)
      .map((each) => each.replace(/\r$/, ''))) {
      if (line === BEGIN && place === 'BEFORE') place = 'INSIDE';
      else if (line === END && (place === 'INSIDE' || place === 'LAST_LINE')) place = 'AFTER';
      else if (place === 'INSIDE' && line.length > 0 && line.length <= LINE_CHARACTERS) {
        base64 += line;
        if (line.length < LINE_CHARACTERS || line.endsWith('=')) place = 'LAST_LINE';
      } else if (line.trim() !== '' || place === 'INSIDE' || place === 'LAST_LINE') throw damaged();
    }
    return fromBase64(base64);
  };
}

function fromBase64(text: string): Bytes {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw damaged();
  }
}
