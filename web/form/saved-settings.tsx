import { useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { getItem, own, setItem } from '../service/browser-storage.ts';
import { isRecord, parseJson } from '../service/outcome.ts';
import { Menu } from '../shell/menu.tsx';
import { Field } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';

type Props = {
  kind: 'filters' | 'templates';
  label: string;
  /** The settings to save. */
  value: string;
  onChoose(value: string): void;
};

function load(key: string): [name: string, value: string][] {
  const stored = parseJson(getItem(key) ?? '');
  return Object.entries(isRecord(stored) ? stored : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
}

/** A menu of settings that this browser keeps by name. */
export function SavedSettings({ kind, label, value, onChoose }: Props) {
  const { t } = useI18n();
  const key = own(`postern.${kind}`);
  const [saved, setSaved] = useState(() => load(key));
  const [naming, setNaming] = useState<{ name: string; former?: string }>();
  const [current] = saved.find((each) => each[1] === value) ?? [];
  const keep = (entries: typeof saved): void => {
    setItem(key, JSON.stringify(Object.fromEntries(entries)));
    setSaved(load(key));
  };
  const without = (...unwanted: (string | undefined)[]) => saved.filter(([each]) => !unwanted.includes(each));
  const save = (): void => {
    const name = naming?.name.trim();
    if (!name) return;
    keep([...without(name, naming?.former), [name, value]]);
    setNaming(undefined);
  };
  const items = [
    ...saved.map(([each, chosen]) => ({ label: each, onChoose: () => onChoose(chosen) })),
    { label: t('saved.save'), onChoose: () => setNaming({ name: '' }) },
    ...(current === undefined
      ? []
      : [
          {
            label: t('saved.rename', { name: current }),
            onChoose: () => setNaming({ name: current, former: current }),
          },
          { label: t('saved.delete', { name: current }), onChoose: () => keep(without(current)) },
        ]),
  ];
  return (
    <>
      <Menu label={label} text={label} items={items} />
      {naming && (
        <FormDialog
          title={naming.former === undefined ? t('saved.save') : t('saved.rename', { name: naming.former })}
          action={t('saved.save')}
          onSubmit={save}
          onClose={() => setNaming(undefined)}
        >
          <Field
            name="saved-name"
            label={t('label')}
            value={naming.name}
            onInput={(name) => setNaming({ ...naming, name })}
          />
        </FormDialog>
      )}
    </>
  );
}
