import { GLOBE } from '../../src/common/icons.ts';
import { isLanguage, LANGUAGES } from '../../src/common/languages.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from './icon.tsx';

/** The choice of the language of the page. */
export function LanguageChoice() {
  const { t, language, setLanguage } = useI18n();
  return (
    <label class="with-icon soft language">
      <Icon path={GLOBE} />
      <span class="visually-hidden">{t('nav.language')}</span>
      <select
        value={language}
        onChange={({ currentTarget: { value } }) => {
          if (isLanguage(value)) setLanguage(value);
        }}
      >
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
