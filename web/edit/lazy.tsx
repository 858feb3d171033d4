import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FormAlert } from '../create/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';

export type Component<Props> = (props: Props) => JSX.Element | null;

/** Returns a component whose code is loaded when it is shown first: most visits of a page need none. */
export function lazy<Props extends object>(
  load: () => Promise<Component<Props>>,
  Failed: Component<Props & { children: ComponentChildren }> = ({ children }) => <>{children}</>,
): Component<Props> {
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
    return (
      <Failed {...props}>
        <FormAlert error={{ field: null, text: t('error.unreachable') }} />
      </Failed>
    );
  };
}
