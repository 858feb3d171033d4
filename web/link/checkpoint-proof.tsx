import { useEffect, useState } from 'preact/hooks';
import type { Translate } from '../../src/common/translate.ts';
import { type Cosigner, cosignersOf, parseProof } from '../../src/core/model/signed-note.ts';
import { useVerifyTexts } from '../history/verify-texts.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { requestJson } from '../service/api.ts';
import { type LinkReference, ofLink } from '../service/links.ts';
import type { en } from './record-texts/en.ts';

type Found = { number: number; proof: string; key: string };
type Text = Translate<typeof en>;
type Props = {
  link: LinkReference;
  /** Of the entries that the record covers. */
  entryCount: number;
  text: Text;
};

/**
 * The newest checkpoint of a link with its proof and the key of the log, as a text to keep, with what it proves; nothing
 * before the first.
 */
export function CheckpointProof({ link, entryCount, text }: Props) {
  const [found, setFound] = useState<Found | null>(null);
  const field = useVerifyTexts();
  useEffect(() => {
    const load = async (): Promise<void> => {
      const outcome = await requestJson('GET', '/api/links/{shortCode}/checkpoint', ofLink(link));
      if (outcome.kind === 'DONE') setFound(outcome.value.checkpoint);
    };
    void load();
  }, [link.shortCode]);
  if (!found) return null;
  const { proof, key } = found;
  const number = String(found.number);
  const checkpoint = parseProof(proof)?.checkpoint;
  return (
    <section class="column record-checkpoint">
      <h2>{text('checkpoint')}</h2>
      <p>
        {text('checkpointText', { number, label: field('kept') })}{' '}
        {entryCount > found.number && text('checkpointLater')}
      </p>
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
