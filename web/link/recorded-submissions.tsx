import { FilesWithHashes } from '../history/files-with-hashes.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { requestJson, requestPage } from '../service/api.ts';
import type { FileOfSet, LinkDescription } from '../service/contract.ts';
import { editPageUrl, type LinkReference, mayChange, ofLink, recordPageUrl } from '../service/links.ts';
import type { Outcome } from '../service/outcome.ts';
import type { PageRequest } from '../service/requests.ts';
import { saveLinkToken } from '../service/saved-links.ts';
import { fileNameOf, opensForAnyone } from '../shell/link-facts.ts';
import { SaveHistory, verifyPageUrl } from './save-history.tsx';

/** A record lists so many of the newest submissions. */
const MAX_SUBMISSIONS = 100;

/** The link of what arrived at once with a file request, and its files. They are empty for a reader without the right to them. */
export type RecordedSubmission = { description: LinkDescription; files: FileOfSet[] };

/**
 * Requests what has arrived with a file request: the newest submissions, oldest first. The token of the request is also that of
 * its submissions.
 */
export async function fetchSubmissions(
  request: LinkReference,
  { signal }: PageRequest,
): Promise<Outcome<RecordedSubmission[]>> {
  const page = { limit: MAX_SUBMISSIONS, cursor: null, signal };
  const listed = await requestPage('/api/links/{shortCode}/submissions', page, ofLink(request));
  if (listed.kind !== 'DONE') return listed;
  const submissions: RecordedSubmission[] = [];
  for (const description of listed.value.items.toReversed()) {
    const { file, shortCode } = description;
    if (!file?.fileCount) submissions.push({ description, files: file ? [file] : [] });
    else {
      const outcome = await requestJson('GET', '/api/links/{shortCode}/files', {
        ...ofLink({ ...request, shortCode }),
        signal,
      });
      if (outcome.kind !== 'DONE') return outcome;
      submissions.push({ description, files: outcome.value.files });
    }
  }
  return { kind: 'DONE', value: submissions };
}

type Props = {
  /** Of the request, which its submissions have, too. */
  token: string | undefined;
  submissions: RecordedSubmission[];
  /** Of the request. */
  submissionCount: number;
  /** That names are not verified, what the fingerprints cover, and the label of what saves a history. */
  notes: { names: string; fingerprints: string; save: string };
};

/** Who sent which files and when, with their checksums and the fingerprint that covers them. */
export function RecordedSubmissions({ token, submissions, submissionCount, notes }: Props) {
  const { t, ofRequests } = useI18n();
  const olderCount = submissionCount - submissions.length;
  if (submissions.length === 0) return null;
  return (
    <>
      <h2>{t('request.arrived')}</h2>
      {olderCount > 0 && <p class="soft small">+ {ofRequests('state.views', { count: olderCount })}</p>}
      <ol class="column plain recorded">
        {submissions.map((submission) => (
          <Submission
            key={submission.description.shortCode}
            {...submission}
            token={token}
            save={notes.save}
          />
        ))}
      </ol>
      <p class="small">
        {submissions.some(({ description }) => description.label) && notes.names} {notes.fingerprints}
      </p>
    </>
  );
}

type SubmissionProps = RecordedSubmission & Pick<Props, 'token'> & { save: string };

function Submission({ description, files, token, save }: SubmissionProps) {
  const { t, format } = useI18n();
  const { label, createdAt, shortCode, file, fingerprint } = description;
  const link = { shortCode, ...(token !== undefined && { token }) };
  const keepToken = (): void => {
    if (token !== undefined) saveLinkToken(shortCode, token);
  };
  const name = (each: FileOfSet): string => (file && !file.fileCount ? fileNameOf(file, t) : each.name);
  return (
    <li>
      <p>
        <strong>{label || t('request.unnamed')}</strong> · {format.time(new Date(createdAt))} ·{' '}
        <a href={recordPageUrl(shortCode)} onClick={keepToken}>
          {shortCode}
        </a>
      </p>
      <FilesWithHashes files={files.map((each) => ({ ...each, name: name(each) }))} />
      {fingerprint !== undefined && (
        <p class="small">
          {t('proof.title')}:{' '}
          <a href={`${verifyPageUrl()}#${fingerprint}`}>
            <code>{fingerprint}</code>
          </a>
        </p>
      )}
      <div class="actions">
        <SaveHistory link={link} label={save} of={shortCode} />
        {opensForAnyone(description) && mayChange(link, description) && (
          <a
            class="button button-quiet"
            href={editPageUrl(shortCode)}
            aria-label={`${t('edit')}: ${shortCode}`}
            onClick={keepToken}
          >
            {t('edit')}
          </a>
        )}
      </div>
    </li>
  );
}
