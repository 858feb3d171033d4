import { useEffect, useState } from 'preact/hooks';
import type { Translate } from '../../src/common/translate.ts';
import { type Cosigner, cosignersOf, parseProof } from '../../src/core/model/signed-note.ts';
import { useVerifyTexts } from '../history/verify-texts.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { requestJson } from '../service/api.ts';
import { type LinkReference, ofLink } from '../service/links.ts';
import type { en } from './record-texts/en.ts';

export type Found = { number: number; proof: string; key: string };
type Text = Translate<typeof en>;

/**
 * Loads the newest checkpoint of a link with its proof and the key of the log, as soon as its history is loaded. Returns null
 * before the first.
 */
export function useCheckpoint(link: LinkReference, isHistoryLoaded: boolean): Found | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (!isHistoryLoaded) return;
    const load = async (): Promise<void> => {
      const outcome = await requestJson('GET', '/api/links/{shortCode}/checkpoint', ofLink(link));
      if (outcome.kind === 'DONE') setFound(outcome.value.checkpoint);
    };
    void load();
  }, [link.shortCode, isHistoryLoaded]);
  return found;
}

/** A checkpoint as a text to keep, with what it proves. */
export function CheckpointProof({ found, text }: { found: Found; text: Text }) {
  const field = useVerifyTexts();
  const { proof, key } = found;
  const number = String(found.number);
  const checkpoint = parseProof(proof)?.checkpoint;
  return (
    <section class="column record-checkpoint">
      <h2>{text('checkpoint')}</h2>
      <p>{text('checkpointText', { number, label: field('kept') })}</p>
      <Witnesses cosigners={checkpoint ? cosignersOf(checkpoint) : []} number={number} text={text} />
      <pre>{`${key}\n\n${proof}`}</pre>
    </section>
  );
}

/** Who signed the checkpoint besides the service, and what that proves; nothing where no one did. */
function Witnesses({ cosigners, number, text }: { cosigners: Cosigner[]; number: string; text: Text }) {
  const { format } = useI18n();
  if (cosigners.length === 0) return null;
  return (
    <>
      <p>{text('witnesses')}</p>
      <ul>
        {cosigners.map(({ name, at }) => (
          <li key={name}>
            {name}: {format.time(new Date(at * 1000))}
          </li>
        ))}
      </ul>
      <p>{text('witnessProves', { number })}</p>
    </>
  );
}
