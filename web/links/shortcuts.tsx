import { useEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { getItem, setItem } from '../service/browser-storage.ts';
import { serviceUrl } from '../service/requests.ts';
import { Check } from '../shell/choice.tsx';
import { ConfirmDialog } from '../shell/dialog.tsx';
import { TYPING } from '../shell/palette-keys.tsx';

const STORAGE_KEY = 'postern.shortcuts';
const KEYS = {
  '/': 'links.search',
  'Ctrl K, p': 'keys.palette',
  'j, k': 'keys.move',
  Enter: 'history.title',
  x: 'keys.select',
  e: 'edit',
  c: 'create.title',
  '?': 'keys.title',
} as const;

/** Elements above the page, to which keys belong while they are open. */
const ABOVE = 'dialog[open], :popover-open';

/** Adds keys to the list, and a button that lists them. `onEdit` gets the index of the row that has the focus. */
export function Shortcuts({ onEdit }: { onEdit(index: number): void }) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useState(() => getItem(STORAGE_KEY) !== 'off');
  const latest = useRef(onEdit);
  latest.current = onEdit;
  useEffect(() => {
    if (!isOn) return undefined;
    const press = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey, repeat } = event;
      const isText = target instanceof Element && target.closest(TYPING) !== null;
      if (ctrlKey || metaKey || altKey || isText || document.querySelector(ABOVE)) return;
      const rows = [...document.querySelectorAll('.link-table tbody tr')];
      const index = rows.findIndex((row) => row.matches(':focus-within'));
      const focus = (row: Element | undefined): void => row?.querySelector<HTMLElement>('th a')?.focus();
      const actions: Record<string, () => void> = {
        '/': () => document.querySelector<HTMLElement>('input[type=search]')?.focus(),
        j: () => focus(rows[Math.min(index + 1, rows.length - 1)]),
        k: () => focus(rows[Math.max(index - 1, 0)]),
        x: () => rows[index]?.querySelector('input')?.click(),
        e: () => latest.current(index),
        c: () => location.assign(serviceUrl('')),
        '?': () => setOpen(true),
      };
      const action = actions[key];
      if (!action || (repeat && key !== 'j' && key !== 'k')) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOn]);
  const close = (): void => setOpen(false);
  const use = (wanted: boolean): void => {
    setOn(wanted);
    setItem(STORAGE_KEY, wanted ? null : 'off');
  };
  return (
    <>
      <button type="button" class="button button-quiet shortcuts" onClick={() => setOpen(true)}>
        {t('keys.title')}
      </button>
      {isOpen && (
        <ConfirmDialog title={t('keys.title')} keep={t('dialog.close')} onConfirm={close} onClose={close}>
          <dl class="keys">
            {Object.entries(KEYS).map(([key, label]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{t(label)}</dd>
              </div>
            ))}
          </dl>
          <Check label={t('keys.use')} isChecked={isOn} onCheck={use} />
        </ConfirmDialog>
      )}
    </>
  );
}
