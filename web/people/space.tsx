import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import type { Outcome } from '../service/outcome.ts';
import { type OwnUse, readOwnUse, readUse, type StorageUse } from '../service/people.ts';
import { LoadProblem } from '../shell/load-problem.tsx';
import type { Failure } from '../shell/use-pages.ts';

/** The space that the files of the user take, with a quota as a part of it. */
export function OwnSpace() {
  const { t, format } = useI18n();
  const { value, problem } = useUse<OwnUse>(readOwnUse);
  if (!value && !problem) return null;
  return (
    <section class="card column card-wide">
      <h2>{t('space.title')}</h2>
      {problem}
      {value?.quotaBytes === null && <p>{t('space.own', { used: format.bytes(value.usedBytes) })}</p>}
      {value && value.quotaBytes !== null && <Used {...value} />}
    </section>
  );
}

/** The space that the files of each owner and of each team take, for administrators. */
export function SpaceSection() {
  const { t } = useI18n();
  const { value, problem } = useUse<StorageUse>(readUse);
  return (
    <>
      <h1>{t('space.title')}</h1>
      {problem}
      {value && (
        <>
          <Used {...value} />
          <UseTable
            label={t('column.owner')}
            rows={value.owners.map(({ owner, ...use }) => ({
              ...use,
              quotaBytes: value.quotaPerOwnerBytes,
              name: owner.displayName ?? owner.name ?? t('links.noOwner'),
            }))}
          />
          <UseTable
            label={t('team')}
            rows={value.teams.map(({ team, ...use }) => ({ ...use, quotaBytes: null, name: team }))}
          />
        </>
      )}
    </>
  );
}

/** Loads the use of space once the component is shown. */
function useUse<Use>(read: () => Promise<Outcome<Use>>): { value?: Use; problem?: ComponentChildren } {
  const [loaded, setLoaded] = useState<{ value?: Use; failure?: Failure }>({});
  async function load(): Promise<void> {
    const outcome = await read();
    if (outcome.kind === 'DONE') setLoaded({ value: outcome.value });
    else if (outcome.kind !== 'CANCELLED') setLoaded({ failure: outcome });
  }
  useEffect(() => void load(), []);
  const { value, failure } = loaded;
  return {
    ...(value && { value }),
    problem: failure && <LoadProblem failure={failure} onRetry={() => void load()} />,
  };
}

/** Returns the use of space, of a quota if there is one, as a text. */
function useUsedText(): (use: { usedBytes: number; quotaBytes: number | null }) => string {
  const { t, format } = useI18n();
  return ({ usedBytes, quotaBytes }) => {
    const used = format.bytes(usedBytes);
    return quotaBytes === null
      ? t('space.used', { used })
      : t('space.usedOf', { used, quota: format.bytes(quotaBytes) });
  };
}

function Used({ usedBytes, quotaBytes }: OwnUse) {
  const text = useUsedText()({ usedBytes, quotaBytes });
  if (quotaBytes === null) return <p>{text}</p>;
  return (
    <>
      <p>{text}</p>
      <progress max={quotaBytes} value={Math.min(usedBytes, quotaBytes)} aria-label={text} />
    </>
  );
}

type Row = OwnUse & { name: string };

function UseTable({ label, rows }: { label: string; rows: Row[] }) {
  const { t } = useI18n();
  const toText = useUsedText();
  if (rows.length === 0) return null;
  return (
    <>
      <h2>{label}</h2>
      <table class="card list-table">
        <thead>
          <tr>
            {[t('signIn.name'), t('term.size')].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, ...use }, index) => (
            <tr key={index}>
              <th scope="row" class="wide-cell">
                <strong>{name}</strong>
              </th>
              <td data-label={t('term.size')}>
                {toText(use)}, {t('files.count', { count: use.fileCount })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
