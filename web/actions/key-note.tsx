import { useI18n } from '../i18n/i18n.tsx';
import { Command } from '../shell/command.tsx';

/** `arrivedAt`: the address of what arrived with a file request, encrypted to the key of its owner. */
type Props = { arrivedAt?: string | undefined };

/** Says that the address of an encrypted link, as the service knows it, does not have the key; or how its owner decrypts. */
export function KeyNote({ arrivedAt }: Props) {
  const { t } = useI18n();
  if (arrivedAt === undefined) return <p class="small">{t('encrypt.keyMissing')}</p>;
  return (
    <p class="small">
      {t('encrypt.toKey')} <Command text={`postern open ${arrivedAt} --identity key.txt`} />
    </p>
  );
}
