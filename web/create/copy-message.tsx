import { toMessage } from '../actions/message.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { CopyButton } from '../shell/copy-button.tsx';
import type { NewLink } from './use-submission.ts';

/** Copies a new link with its terms, ready for a mail. */
export function CopyMessage({ created, url }: { created: NewLink; url: string }) {
  const i18n = useI18n();
  const { link, password, restrictions } = created;
  const terms = { ...link, startsAt: restrictions.startsAt ?? null, passwordProtected: password !== '' };
  return (
    <CopyButton text={toMessage(url, terms, i18n)} label={i18n.t('message.copy')} isLabelShown kind="quiet" />
  );
}
