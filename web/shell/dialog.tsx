import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/**
 * A question that has to be answered before anything else: the browser's own dialog, which holds the focus, closes
 * on Escape and gives the focus back.
 */
export function Dialog({
  title,
  children,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  onClose(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const focused = document.activeElement;
    current?.showModal();
    current?.addEventListener('close', onClose);
    return () => {
      // The event comes late, when the next question may be there already, which it must not take away.
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
        // It closes by going away, or one that is asked for again at once would be there and not be seen.
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
