import { useI18n } from '../i18n/i18n.tsx';
import { SecretToCopy } from '../shell/copy-button.tsx';

type Props = { passphrase: string; onCopied(): void };

/** Says where the key of an encrypted link is: no later page shows it. */
export function EncryptionNote({ passphrase, onCopied }: Props) {
  const { t } = useI18n();
  if (passphrase === '') return <p class="small">{t('result.keyOnce')}</p>;
  return (
    <SecretToCopy
      name={t('passphrase')}
      secret={passphrase}
      copyLabel={t('copy.passphrase')}
      note={t('result.passphraseOnce')}
      onCopied={onCopied}
    />
  );
}
