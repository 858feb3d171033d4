import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Props = { title: string; children: ComponentChildren; onClose(): void };

/** A modal dialog. The browser keeps the focus inside it, closes it on Escape and restores the focus. */
export function Dialog({ title, children, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const focused = document.activeElement;
    current?.showModal();
    current?.addEventListener('close', onClose);
    return () => {
      // The event arrives late, when it would close the next dialog.
      current?.removeEventListener('close', onClose);
      current?.close();
      if (focused instanceof HTMLElement) focused.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        // The owner removes the dialog. A closed one left in place would not open again.
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
