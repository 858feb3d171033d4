import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';
import { ConfirmDialog } from './dialog.tsx';

type Component<Props> = (props: Props) => JSX.Element | null;

/** Returns a component whose code is loaded when it is shown first: most visits of a page need none. */
export function lazy<Props extends object>(load: () => Promise<Component<Props>>): Component<Props> {
  return function Lazy(props) {
    const { t } = useI18n();
    const [loaded, setLoaded] = useState<{ Loaded: Component<Props> } | 'FAILED'>();
    useEffect(() => {
      load().then(
        (Loaded) => setLoaded({ Loaded }),
        () => setLoaded('FAILED'),
      );
    }, []);
    if (loaded === undefined) return null;
    if (loaded !== 'FAILED') return <loaded.Loaded {...props} />;
    const close = (): void => {
      setLoaded(undefined);
      if (hasClose(props)) props.onClose();
    };
    return <ConfirmDialog title={t('error.unreachable')} onConfirm={close} onClose={close} />;
  };
}

/** Returns whether a component has a function for its close. */
function hasClose(props: object): props is { onClose: () => void } {
  return 'onClose' in props && typeof props.onClose === 'function';
}
