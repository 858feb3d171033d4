import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Language } from '../../src/common/languages.ts';
import {
  type Messages,
  prepareTranslate,
  type Translate,
  type Translated,
} from '../../src/common/translate.ts';
import { useI18n } from './i18n.tsx';

type Load<English extends Messages> = Record<Language, () => Promise<Translated<English>>>;

/**
 * Prepares the messages that only a part of the pages needs, which other pages do not load. `LateTexts` renders its
 * children once they are there in the language of the page.
 */
export function prepareLateTexts<English extends Messages>(load: Load<English>) {
  const Context = createContext<Translate<English> | undefined>(undefined);

  function LateTexts({ children }: { children: ComponentChildren }) {
    const { language } = useI18n();
    const [t, setTranslate] = useState<Translate<English>>();
    useEffect(() => {
      let isLatest = true;
      void load[language]().then((messages) => {
        if (isLatest) setTranslate(() => prepareTranslate<English>(language, messages));
      });
      return () => {
        isLatest = false;
      };
    }, [language]);
    return t ? <Context.Provider value={t}>{children}</Context.Provider> : null;
  }

  function useLateTexts(): Translate<English> {
    const t = useContext(Context);
    if (!t) throw new Error('There are no late texts around this component');
    return t;
  }

  return { LateTexts, useLateTexts };
}
