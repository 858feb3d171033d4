import type { ComponentChildren } from 'preact';
import { SHIELD } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { HistoryPage, LinkDescription } from '../service/contract.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Icon } from '../shell/icon.tsx';

type Props = {
  description: LinkDescription;
  history: HistoryPage;
  isFiltered: boolean;
};

/** The fingerprint of the history, and what proves the history to others. Closed for received files. */
export function Proof({ description: { file, requestCode }, history: { fingerprint }, isFiltered }: Props) {
  const { t, ofRequests } = useI18n();
  // A short text, such as a password, could be guessed by it.
  const fileSha256 = file?.fileCount || file?.text ? undefined : file?.sha256;
  return (
    <Frame isClosed={requestCode !== undefined}>
      <p class="row fingerprint">
        <code>{fingerprint}</code>
        <CopyButton text={fingerprint} label={t('proof.copy')} kind="quiet" />
      </p>
      <p class="soft small">{t('proof.meaning')}</p>
      <p class="soft small">
        {t('proof.where', { record: (requestCode === undefined ? t : ofRequests)('record.open') })}
      </p>
      {fileSha256 && (
        <p class="soft small break">
          {t('term.fileSha256')}: <code>{fileSha256}</code>
        </p>
      )}
      {isFiltered && <p class="soft small">{t('proof.unfiltered')}</p>}
    </Frame>
  );
}

/** The part of the page, which takes less room where it is closed at first. */
function Frame({ isClosed, children }: { isClosed: boolean; children: ComponentChildren }) {
  const { t } = useI18n();
  if (isClosed)
    return (
      <details class="analysis">
        <summary class="card">{t('proof.title')}</summary>
        <div class="card column card-content">{children}</div>
      </details>
    );
  return (
    <section class="card column card-content" aria-labelledby="proof-title">
      <h2 id="proof-title" class="with-icon">
        <Icon path={SHIELD} />
        {t('proof.title')}
      </h2>
      {children}
    </section>
  );
}
