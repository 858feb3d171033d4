import { CopyButton } from './copy-button.tsx';

type Props = { name: string; secret: string; copyLabel: string; note: string };

/** A text that the service shows only once. */
export function SecretToCopy({ name, secret, copyLabel, note }: Props) {
  return (
    <div class="secret-to-copy">
      <p>
        <small class="soft">{name}</small>
        <br />
        <code>{secret}</code>
      </p>
      <CopyButton text={secret} label={copyLabel} kind="quiet" />
      <small class="soft">{note}</small>
    </div>
  );
}
