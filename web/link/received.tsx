import type { ComponentChildren } from 'preact';
import { FileNames } from '../history/file-set.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { prepareLateTexts } from '../i18n/late-texts.tsx';
import type { FileOfSet, LinkDescription } from '../service/contract.ts';
import { historyPageUrl, type LinkReference } from '../service/links.ts';
import { saveLinkToken } from '../service/saved-links.ts';
import { Breakable } from '../shell/breakable.tsx';
import { CopyButton } from '../shell/copy-button.tsx';
import { fileNameOf, nameOfLink } from '../shell/link-facts.ts';
import type { en } from './received-texts/en.ts';
import { useDescription } from './use-description.ts';

const { LateTexts, useLateTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./received-texts/en.ts')).en,
  pt: async () => (await import('./received-texts/pt.ts')).pt,
  es: async () => (await import('./received-texts/es.ts')).es,
  de: async () => (await import('./received-texts/de.ts')).de,
  fr: async () => (await import('./received-texts/fr.ts')).fr,
});

type FactsProps = {
  link: LinkReference;
  description: LinkDescription;
  /** Of a set. */
  files: FileOfSet[];
};

/** Who sent the files of a file request and for which one, what the sender wrote, and the files. */
export function ReceivedFacts(props: FactsProps) {
  return (
    <LateTexts>
      <Facts {...props} />
    </LateTexts>
  );
}

function Facts({ link, description: { label, note, file, requestCode }, files }: FactsProps) {
  const { t, format } = useI18n();
  const text = useLateTexts();
  return (
    <>
      <p class="soft small">
        {label && `${text('typedName')} `}
        {requestCode !== undefined && <RequestLink link={{ ...link, shortCode: requestCode }} />}
      </p>
      {note && (
        <figure class="received-note">
          <figcaption class="soft small">{text('note')}</figcaption>
          <blockquote class="break">{note}</blockquote>
        </figure>
      )}
      <FileNames files={files} isOpen={files.length <= MAX_OPEN} />
      {file && files.length === 0 && (
        <p class="break">
          {fileNameOf(file, t)} <span class="soft">{format.bytes(file.sizeBytes)}</span>
        </p>
      )}
    </>
  );
}

/** Says that the history does not distinguish the downloads of this page from those of visitors. */
export function DownloadNote() {
  return (
    <LateTexts>
      <DownloadNoteText />
    </LateTexts>
  );
}

function DownloadNoteText() {
  const text = useLateTexts();
  return <p class="soft small">{text('downloadRecorded')}</p>;
}

/** More files are closed, so that the buttons stay in view. */
const MAX_OPEN = 8;

/** Leads to the file request, by the text with which it asks. `link`: of the request, whose token its submissions have. */
function RequestLink({ link }: { link: LinkReference }) {
  const i18n = useI18n();
  const text = useLateTexts();
  const { description } = useDescription(link);
  const { shortCode, token } = link;
  return (
    <>
      {text('request')}{' '}
      <a
        class="break"
        href={historyPageUrl(shortCode)}
        onClick={() => token !== undefined && saveLinkToken(shortCode, token)}
      >
        {description ? nameOfLink(description, i18n) : shortCode}
      </a>
    </>
  );
}

type AccessProps = {
  description: LinkDescription;
  url: string;
  shownUrl: string;
  /** The button that revokes the link. */
  children: ComponentChildren;
  /** Undefined for those who may not change the link. */
  onSetExpiry: (() => void) | undefined;
};

/** Says that anyone with the address can open received files and until when, with what ends that. */
export function ReceivedAccess(props: AccessProps) {
  return (
    <LateTexts>
      <Access {...props} />
    </LateTexts>
  );
}

function Access({ description, url, shownUrl, children, onSetExpiry }: AccessProps) {
  const { t, format } = useI18n();
  const text = useLateTexts();
  const { expiresAt, passwordProtected, file } = description;
  const who = file?.encrypted ? 'anyoneEncrypted' : passwordProtected ? 'anyoneWithPassword' : 'anyone';
  return (
    <section class="column received-access" aria-labelledby="received-access">
      <h2 id="received-access">{text('access')}</h2>
      <p>
        {text(who)}{' '}
        {expiresAt === null
          ? text('neverExpires')
          : text('expires', { time: format.shortDateTime(new Date(expiresAt)) })}
      </p>
      <p class="soft break link-url">
        <Breakable text={shownUrl} />
      </p>
      <div class="actions">
        {onSetExpiry && (
          <button type="button" class="button" onClick={onSetExpiry}>
            {text(expiresAt === null ? 'setExpiry' : 'changeExpiry')}
          </button>
        )}
        {children}
        <CopyButton text={url} label={t('copy.link')} isLabelShown kind="quiet" />
      </div>
      <p class="soft small">{text('ending')}</p>
    </section>
  );
}
