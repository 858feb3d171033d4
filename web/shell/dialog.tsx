import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Props = { title: string; children: ComponentChildren; onClose(): void };

/** A modal dialog, which its owner removes. The browser keeps the focus inside it, and asks to close it on Escape. */
export function Dialog({ title, children, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const latest = useRef(onClose);
  latest.current = onClose;
  useEffect(() => {
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
