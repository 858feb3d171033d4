import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Language } from '../../src/common/languages.ts';
import { prepareTranslate } from '../../src/common/translate.ts';
import { Context, useI18n } from './i18n.tsx';
import type { Messages, Translate } from './translate.ts';

type Props<Further> = {
  dictionaries: Record<Language, () => Promise<Further>>;
  children: ComponentChildren;
};

/** Renders its children once further messages are loaded, which most loads of a page do not need. */
export function FurtherTexts<Further extends object>({ dictionaries, children }: Props<Further>) {
  const i18n = useI18n();
  const { language } = i18n;
  const [loaded, setLoaded] = useState<Further>();
  useEffect(() => void dictionaries[language]().then(setLoaded), [language]);
  if (!loaded) return null;
  // The messages of the page translate the other keys.
  const own = prepareTranslate<Messages>(language, loaded as Further & Messages);
  const t: Translate = (key, ...values) => (key in loaded ? own : i18n.t)(key, ...values);
  return <Context.Provider value={{ ...i18n, t }}>{children}</Context.Provider>;
}
