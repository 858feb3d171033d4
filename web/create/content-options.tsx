import { useI18n } from '../i18n/i18n.tsx';
import { CheckOption } from './check-option.tsx';
import type { Draft } from './draft.ts';
import { EncryptOption } from './encrypt-option.tsx';
import { isViewable } from './file-source.ts';
import './files.css';

type Props = { draft: Draft; onChange(changed: Partial<Draft>): void };

/** What visitors may do with a file, and what this browser does with files or a text before it sends them. */
export function ContentOptions({ draft, onChange }: Props) {
  const { t } = useI18n();
  const { source, encrypt, viewable } = draft;
  return (
    <>
      {source.kind === 'FILES' && isViewable(source) && !encrypt && (
        <CheckOption
          label={t('viewable')}
          hint={t('viewable.hint')}
          isChecked={viewable}
          onCheck={(viewable) => onChange({ viewable })}
        />
      )}
      <EncryptOption draft={draft} onChange={onChange} />
    </>
  );
}
