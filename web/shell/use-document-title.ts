import { useEffect } from 'preact/hooks';
import { brandName } from '../service/brand.ts';

/** Names in the title of the document what it shows, in the language of the page, for as long as that is shown. */
export function useDocumentTitle(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return;
    const { title } = document;
    document.title = `${brandName()}: ${text}`;
    return () => {
      document.title = title;
    };
  }, [text]);
}
