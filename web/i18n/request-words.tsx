import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Context, useI18n } from './i18n.tsx';
import type { Translate } from './translate.ts';

type Props = { isOn: boolean; children: ComponentChildren };

/** Renders its children in the words for a file request, as soon as these are loaded. Its views are submissions. */
export function RequestWords({ isOn, children }: Props) {
  const i18n = useI18n();
  const { language } = i18n;
  const [words, setWords] = useState<(other: Translate) => Translate>();
  useEffect(() => {
    setWords(undefined); // those of another language
    if (!isOn) return;
    import('./request-texts.ts')
      .then(({ loadRequestWords }) => loadRequestWords(language))
      .then((loaded) => setWords(() => loaded))
      .catch(() => {}); // the words for links stay
  }, [isOn, language]);
  const own = isOn && words ? { ...i18n, t: words(i18n.t) } : i18n;
  return <Context.Provider value={own}>{children}</Context.Provider>;
}
