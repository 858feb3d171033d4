import { useEffect, useState } from 'preact/hooks';
import { UPLOAD } from '../../src/common/icons.ts';
import { addFiles } from '../files/chosen-files.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { deleteUpload, GONE_STATUSES, readOffset, UPLOADS_PATH } from '../service/resumable-upload.ts';
import { findAbandoned, forgetUnfinished, type UnfinishedUpload } from '../service/unfinished-uploads.ts';
import { CreateTexts, useCreateTexts } from './create-texts.ts';
import type { Draft, Source } from './draft.ts';
import { areFilesOf } from './file-source.ts';
import './files.css';
import { FilePicker } from './file-picker.tsx';

type Props = { source: Source; onChange(changed: Partial<Draft>): void };
type Offered = UnfinishedUpload & { sentShare: number };

/** Offers an upload that a closed tab has not finished. With the same files it goes on where it stopped. */
export function Unfinished(props: Props) {
  return (
    <CreateTexts>
      <Offer {...props} />
    </CreateTexts>
  );
}

function Offer({ source, onChange }: Props) {
  const { t, format } = useI18n();
  const texts = useCreateTexts();
  const [offered, setOffered] = useState<Offered>();
  const offerNext = async (): Promise<void> => setOffered(await findOffered());
  useEffect(() => void offerNext(), []);
  if (!offered) return null;
  const discard = async (): Promise<void> => {
    forgetUnfinished(offered.id);
    void deleteUpload(UPLOADS_PATH, offered.id);
    await offerNext();
  };
  const chosen = source.kind === 'FILES' ? source.files : [];
  const isChosen = areFilesOf(chosen, offered.files);
  const values = { name: offered.title, percent: format.percent(Math.floor(offered.sentShare * 100)) };
  const hint =
    chosen.length > 0
      ? texts('unfinished.other')
      : texts('unfinished.choose', { count: offered.files.length });
  const text = isChosen
    ? texts('unfinished.continues', values)
    : `${texts('unfinished.offer', values)} ${hint}`;
  return (
    <section class="column unfinished" aria-label={texts('unfinished.title')}>
      <p role="status">{text}</p>
      <div class="actions">
        {!isChosen && (
          <FilePicker
            label={t('source.pick')}
            icon={UPLOAD}
            onPick={(files) => onChange({ source: { kind: 'FILES', files: addFiles([], files), name: '' } })}
          />
        )}
        <button type="button" class="button button-quiet" onClick={() => void discard()}>
          {texts('unfinished.discard')}
        </button>
      </div>
    </section>
  );
}

/** Returns the newest upload that can go on. One that the service no longer has is forgotten. */
async function findOffered(): Promise<Offered | undefined> {
  for (const upload of await findAbandoned()) {
    const outcome = await readOffset(UPLOADS_PATH, upload.id);
    const totalBytes = upload.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (outcome.kind === 'DONE') return { ...upload, sentShare: outcome.value / Math.max(1, totalBytes) };
    if (outcome.kind === 'REFUSED' && GONE_STATUSES.includes(outcome.status)) forgetUnfinished(upload.id);
  }
  return undefined;
}
