import { useRef } from 'preact/hooks';
import { UPLOAD } from '../../../src/common/icons.ts';
import { LINK_COLUMNS, type LinkColumn } from '../../../src/core/model/terms.ts';
import { useI18n } from '../../i18n/i18n.tsx';
import { serviceUrl } from '../../service/requests.ts';
import { Icon } from '../../shell/icon.tsx';
import { SaveButton } from '../../shell/save-button.tsx';
import { useSession } from '../../shell/session.tsx';
import { useBulkTexts } from './bulk-texts.ts';

type Props = {
  /** The text about an error in the chosen file. */
  problem: string | undefined;
  onChoose(file: File): void;
};

/** Explains the columns of a file, and lets the user choose one. */
export function ChooseFile({ problem, onChoose }: Props) {
  const { t } = useI18n();
  const bulkT = useBulkTexts();
  const input = useRef<HTMLInputElement>(null);
  const { settings, serves } = useSession();
  const { links, notify } = settings ?? {};
  const isOffered = (name: LinkColumn) =>
    (name !== 'customCode' || links?.customCodes !== false) &&
    (name !== 'notifyEmail' || notify?.email) &&
    (name !== 'notifyUrl' || notify?.url) &&
    (name !== 'host' || (links?.hosts.length ?? 0) > 1);
  return (
    <section class="card column card-content bulk-card" aria-label={bulkT('bulk.pick')}>
      <p>{bulkT('bulk.intro')}</p>
      <p class="soft small">
        {bulkT('bulk.columns')}{' '}
        {LINK_COLUMNS.filter(isOffered).map((name) => [<code key={name}>{name}</code>, ' '])}
        {bulkT('bulk.dates')} {bulkT('bulk.confirm')}
      </p>
      {serves('docs') && (
        <p class="soft small">
          {bulkT('bulk.meaning')} <a href={serviceUrl('docs#linkrequest').href}>{t('footer.reference')}</a>
        </p>
      )}
      <div class="actions">
        <button type="button" class="button button-main" onClick={() => input.current?.click()}>
          <Icon path={UPLOAD} />
          {bulkT('bulk.pick')}
        </button>
        <SaveButton
          kind="CSV"
          label={bulkT('bulk.template')}
          isLabelShown
          fileName="postern-links"
          createFile={createTemplate}
        />
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,text/csv"
        aria-label={bulkT('bulk.pick')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onChoose(file);
          // The same file can be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
      {problem && (
        <p class="form-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** Returns a file with the headings and one row as an example. */
async function createTemplate(): Promise<Blob> {
  const { formatCsv } = await import('../../../client/bulk-csv.ts');
  const year = new Date().getFullYear() + 1;
  const example: Partial<Record<LinkColumn, string>> = {
    ...{ targetUrl: 'https://example.com/', label: 'Report', recipient: 'Ann Example' },
    ...{ expiresAt: `${year}-12-31 18:00`, maxViews: '3', confirm: 'true' },
  };
  const csv = formatCsv([[...LINK_COLUMNS], LINK_COLUMNS.map((column) => example[column] ?? '')], ',');
  return new Blob([csv], { type: 'text/csv' });
}
