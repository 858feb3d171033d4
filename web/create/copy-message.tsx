import { type MessageFacts, toMessage } from '../actions/message.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { CopyButton } from '../shell/copy-button.tsx';
import type { NewLink } from './use-submission.ts';

/** Copies a new link with its limits, ready for a mail. */
export function CopyMessage({ created, url }: { created: NewLink; url: string }) {
  const i18n = useI18n();
  const { link, content, password, request, restrictions, encryption } = created;
  const facts: MessageFacts = {
    ...{ content, request, startsAt: restrictions.startsAt ?? null, expiresAt: link.expiresAt },
    ...{ viewsLeft: link.maxViews, passwordProtected: password !== '' },
    verifiedRecipients: restrictions.verifiedRecipients ?? [],
    key: encryption?.passphrase ? 'message.passphrase' : null, // another key is in the URL
  };
  return (
    <CopyButton text={toMessage(url, facts, i18n)} label={i18n.t('message.copy')} isLabelShown kind="quiet" />
  );
}
