import { registerHooks } from 'node:module';

// Loaded before a service, this gives it a defect that the kind `headers` must find: header bytes that are not UTF-8
// make it throw.

const MODULE = '/src/http/headers.ts';
const CORRECT = "return isUtf8(bytes) ? bytes.toString('utf8') : value;";
const WRONG = "return new TextDecoder('utf-8', { fatal: true }).decode(bytes);";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(MODULE)) return loaded;
    const { source = '' } = loaded;
    const text = typeof source === 'string' ? source : new TextDecoder().decode(source ?? undefined);
    if (!text.includes(CORRECT)) throw new Error(`${MODULE} has no line to replace: ${CORRECT}`);
    return { ...loaded, source: text.replace(CORRECT, WRONG) };
  },
});
