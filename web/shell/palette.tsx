import './palette.css';
import { useState } from 'preact/hooks';
import { isLanguage, LANGUAGES } from '../../src/common/languages.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { serviceUrl } from '../service/requests.ts';
import { Dialog } from './dialog.tsx';
import { useSession } from './session.tsx';
import { useFoundLinks } from './use-found-links.ts';

/** A choice: a page to open, or something to do on this one. */
type Option = { label: string; detail?: string } & ({ href: string } | { onChoose(): void });

/** A search box for links and commands: a combobox as the ARIA Authoring Practices describe it, whose field keeps the focus. */
export function Palette({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const commands = useCommands().filter(({ label }) => includes(label, text));
  const links = useFoundLinks(text);
  const options = [...commands, ...links];
  const active = Math.min(index, options.length - 1);
  const choose = (option: Option | undefined): void => {
    if (!option) return;
    onClose();
    if ('href' in option) location.assign(option.href);
    else option.onChoose();
  };
  const press = (event: KeyboardEvent): void => {
    const { key, isComposing } = event;
    const keys: Record<string, () => void> = {
      ArrowDown: () => setIndex(active + 1 < options.length ? active + 1 : 0),
      ArrowUp: () => setIndex(active > 0 ? active - 1 : options.length - 1),
      Enter: () => choose(options[active]),
    };
    const action = keys[key];
    if (!action || isComposing) return;
    event.preventDefault();
    action();
  };
  const group = { offset: 0, active, onChoose: choose };
  return (
    <Dialog title={t('palette.title')} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={t('palette.title')}
        aria-expanded={options.length > 0}
        aria-controls="palette-options"
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `palette-${active}`}
        autoComplete="off"
        spellcheck={false}
        placeholder={t('palette.hint')}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          setIndex(0);
        }}
        onKeyDown={press}
      />
      <div id="palette-options" class="palette" role="listbox" aria-label={t('palette.title')}>
        <Group {...group} label={t('palette.commands')} options={commands} />
        <Group {...group} label={t('links.title')} options={links} offset={commands.length} />
      </div>
      <p class="soft small" role="status">
        {t('palette.found', { count: options.length })}
      </p>
    </Dialog>
  );
}

type GroupProps = {
  label: string;
  options: Option[];
  /** The number of options before those of the group. */
  offset: number;
  active: number;
  onChoose(option: Option): void;
};

function Group({ label, options, offset, active, onChoose }: GroupProps) {
  if (options.length === 0) return null;
  return (
    <fieldset class="bare" aria-label={label}>
      <p class="soft small" aria-hidden="true">
        {label}
      </p>
      {options.map((option, index) => (
        <button
          key={offset + index}
          ref={(element) => {
            if (offset + index === active) element?.scrollIntoView({ block: 'nearest' });
          }}
          id={`palette-${offset + index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={offset + index === active}
          onClick={() => onChoose(option)}
        >
          {option.label}
          {option.detail && <span class="soft small"> {option.detail}</span>}
        </button>
      ))}
    </fieldset>
  );
}

function includes(label: string, text: string): boolean {
  return label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
}

/** Returns the commands: the pages that the head of this one leads to, and what this one has. */
function useCommands(): Option[] {
  const { t, language, setLanguage } = useI18n();
  const { caller } = useSession();
  const pages = [...document.querySelectorAll<HTMLAnchorElement>('.site-nav a')];
  const shortcuts = document.querySelector<HTMLButtonElement>('button.shortcuts');
  const toLinks = (show: string): string => serviceUrl(`links?show=${show}`).href;
  const languages = Object.entries(LANGUAGES).filter(([tag]) => tag !== language);
  return [
    ...pages.map(({ textContent, href }) => ({ label: textContent, href })),
    ...(caller?.scopes.includes('create') ? [{ label: t('board.mine'), href: toLinks('mine') }] : []),
    ...(caller?.scopes.includes('read') ? [{ label: t('board.links'), href: toLinks('all') }] : []),
    ...(caller?.hasSession ? [{ label: t('palette.account'), href: serviceUrl('account').href }] : []),
    ...(shortcuts ? [{ label: shortcuts.textContent, onChoose: () => shortcuts.click() }] : []),
    ...languages.map(([tag, name]) => ({
      label: `${t('nav.language')}: ${name}`,
      onChoose: () => isLanguage(tag) && setLanguage(tag),
    })),
  ];
}
