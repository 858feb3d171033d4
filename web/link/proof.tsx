import { SHIELD } from '../../src/common/icons.ts';
import { CoverageNotes } from '../history/entry-notes.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import type { HistoryPage } from '../service/contract.ts';
import { type LinkReference, recordPageUrl } from '../service/links.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Icon } from '../shell/icon.tsx';
import { SaveHistory } from './save-history.tsx';

type Props = { link: LinkReference; history: HistoryPage; isFiltered: boolean };

/** The fingerprint of the history, and what proves the history to others. */
export function Proof({ link, history, isFiltered }: Props) {
  const { t } = useI18n();
  const { items, entryCount, fingerprint } = history;
  return (
    <section class="card column card-content" aria-labelledby="proof-title">
      <h2 id="proof-title" class="with-icon">
        <Icon path={SHIELD} />
        {t('proof.title')}
      </h2>
      <p class="row fingerprint">
        <code>{fingerprint}</code>
        <CopyButton text={fingerprint} label={t('proof.copy')} kind="quiet" />
      </p>
      <p class="soft small">
        {t('proof.meaning', { count: entryCount })}
        <CoverageNotes items={items} />
      </p>
      <div class="actions">
        <a class="button" href={recordPageUrl(link.shortCode)}>
          {t('record.open')}
        </a>
        <SaveHistory link={link} />
      </div>
      {isFiltered && <p class="soft small">{t('proof.unfiltered')}</p>}
    </section>
  );
}
