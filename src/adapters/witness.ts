import type { AskWitness } from '../core/use-cases/evidence/ask-witnesses.ts';

const TIMEOUT_MS = 5_000;
/** Signatures of 16 keys have less. */
const MAX_RESPONSE = 16_384;

/** Sends a checkpoint to a witness. Follows no redirect. */
export const askWitness: AskWitness = async (url, body, stopping) => {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, {
    ...{ method: 'POST', body, redirect: 'error' },
    signal: stopping ? AbortSignal.any([timeout, stopping]) : timeout,
  });
  let text = '';
  const decoder = new TextDecoder();
  const received: AsyncIterable<Uint8Array> | Uint8Array[] = response.body ?? [];
  for await (const chunk of received) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_RESPONSE) throw new Error('its response is too long');
  }
  return { status: response.status, text };
};
