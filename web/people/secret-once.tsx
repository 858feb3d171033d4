import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SecretDialog, SecretToCopy } from '../shell/copy-button.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { usePeopleTexts } from './people-texts.ts';

type Props = {
  title: string;
  secret: string;
  copyLabel: string;
  note: string;
  message?: string;
  /** Another way to send it. Calls the function once it is sent. */
  sendIn?: (onSent: () => void) => ComponentChildren;
  onClose(): void;
};

/** Shows a secret once, and asks before it is closed without a copy. */
export function SecretOnce({ title, sendIn, onClose, ...shown }: Props) {
  const peopleT = usePeopleTexts();
  const [isCopied, setCopied] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const close = (): void => (isCopied ? onClose() : setAsking(true));
  return (
    <Dialog title={title} onClose={close}>
      <SecretToCopy {...shown} kind={isCopied ? 'quiet' : 'main'} onCopied={() => setCopied(true)}>
        {sendIn?.(() => setCopied(true))}
      </SecretToCopy>
      <div class="actions dialog-actions">
        <button type="button" class={isCopied ? 'button button-main' : 'button'} onClick={close}>
          {peopleT('people.done')}
        </button>
      </div>
      {isAsking && <SecretDialog onDiscard={onClose} onClose={() => setAsking(false)} />}
    </Dialog>
  );
}
