import { useId } from 'preact/hooks';
import { CHEVRON, USER } from '../../src/common/icons.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { Icon } from './icon.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { useSession } from './session.tsx';
import { SignedIn } from './signed-in.tsx';

/** The account and the language. A phone has them in a menu, which the browser opens and closes. */
export function HeaderMenu() {
  const { t } = useI18n();
  const { caller } = useSession();
  const id = useId();
  if (!caller) return <LanguageChoice />;
  return (
    <>
      <button
        type="button"
        class="button button-quiet header-menu-button"
        aria-label={t('nav.menu')}
        popoverTarget={id}
      >
        <Icon path={USER} />
        <Icon path={CHEVRON} />
      </button>
      <div id={id} class="header-menu" popover="auto">
        <SignedIn />
        <LanguageChoice />
      </div>
    </>
  );
}
