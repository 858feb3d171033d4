import { type ComponentType, render } from 'preact';
import { I18nProvider } from '../i18n/i18n.tsx';

/** Renders a page into its document. */
export function mount(App: ComponentType): void {
  const root = document.getElementById('app');
  if (!root) throw new Error('The document has no #app element');
  render(
    <I18nProvider>
      <App />
    </I18nProvider>,
    root,
  );
}
