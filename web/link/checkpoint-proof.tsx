import { useEffect, useState } from 'preact/hooks';
import type { Translate } from '../../src/common/translate.ts';
import { requestJson } from '../service/api.ts';
import { type LinkReference, ofLink } from '../service/links.ts';
import type { en } from './record-texts/en.ts';

type Found = { number: number; proof: string; key: string };

/** The newest checkpoint of a link with its proof and the key of the log, as a text to keep; nothing before the first. */
export function CheckpointProof({ link, text }: { link: LinkReference; text: Translate<typeof en> }) {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const outcome = await requestJson('GET', '/api/links/{shortCode}/checkpoint', ofLink(link));
      if (outcome.kind === 'DONE') setFound(outcome.value.checkpoint);
    };
    void load();
  }, [link.shortCode]);
  if (!found) return null;
  return (
    <>
      <h2>{text('checkpoint')}</h2>
      <p>{text('checkpointText', { number: String(found.number) })}</p>
      <pre class="box">{`${found.key}\n\n${found.proof}`}</pre>
    </>
  );
}
