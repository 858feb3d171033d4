import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/i18n.tsx';

type Props = { title: string; children: ComponentChildren; onClose(): void };

/** A modal dialog, which its owner removes. The browser keeps the focus inside it, and asks to close it on Escape. */
export function Dialog({ title, children, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  // The cleanup of a passive effect runs after the next frame, and would take the focus from where it is by then.
  useLayoutEffect(() => {
    const { current } = dialog;
    // The browser closes it without a question on a repeated Escape. The owner may want to keep it.
    const reopen = (): void => {
      current?.showModal();
      latest.current();
    };
    const focused = document.activeElement;
    current?.showModal();
    current?.addEventListener('close', reopen);
    return () => {
      // The event arrives late, when it would close the next dialog.
      current?.removeEventListener('close', reopen);
      current?.close();
      if (focused instanceof HTMLElement) focused.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        // The owner removes the dialog. A closed one left in place would not open again.
        event.preventDefault();
        onClose();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

type ConfirmProps = {
  title: string;
  /** The consequences of the action, above the buttons. */
  children?: ComponentChildren;
  /** The label of the action. Without one the user can only close the dialog. */
  action?: string | undefined;
  /** True for an action that cannot be undone. */
  isDangerous?: boolean;
  /** The label of the other button, unless it is “Cancel”. */
  keep?: string | undefined;
  onConfirm(): void;
  onClose(): void;
};

/** Asks before an action. */
export function ConfirmDialog({ title, children, action, keep, isDangerous = true, ...on }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={on.onClose}>
      {children}
      <DialogButtons {...{ action, keep, isDangerous }} {...on} />
    </Dialog>
  );
}

type ButtonsProps = Pick<ConfirmProps, 'action' | 'keep' | 'isDangerous' | 'onClose'> & {
  /** Without it the button of the action sends the form around it. */
  onConfirm?: () => void;
};

/** The buttons at the end of a dialog. */
export function DialogButtons({ action, keep, isDangerous = false, onConfirm, onClose }: ButtonsProps) {
  const { t } = useI18n();
  return (
    <div class="actions dialog-actions">
      <button type="button" class="button" onClick={onClose}>
        {keep ?? t('cancel')}
      </button>
      {action !== undefined && (
        <button
          type={onConfirm ? 'button' : 'submit'}
          class={`button button-${isDangerous ? 'danger' : 'main'}`}
          onClick={onConfirm}
        >
          {action}
        </button>
      )}
    </div>
  );
}
