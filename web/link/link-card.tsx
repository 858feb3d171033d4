import { useState } from 'preact/hooks';
import { FILE, LINK } from '../../src/icons.ts';
import { RevokeDialog } from '../create/revoke-dialog.tsx';
import { toShareableUrl } from '../create/shareable-url.ts';
import { useI18n } from '../i18n/i18n.tsx';
import type { LinkDescription } from '../service/contract.ts';
import type { LinkReference } from '../service/links.ts';
import { serviceUrl } from '../service/requests.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Icon } from '../shell/icon.tsx';
import { labelOfState } from '../shell/link-status.ts';
import { LinkTerms } from './link-terms.tsx';
import { useLinkTitle } from './use-link-title.ts';

type Props = { link: LinkReference; description: LinkDescription; onRevoked(): void };

/** What the link is, its state, its terms, and what can be done with it. */
export function LinkCard({ link, description, onRevoked }: Props) {
  const { t } = useI18n();
  const [isRevoking, setRevoking] = useState(false);
  const { type, status } = description;
  const title = useLinkTitle(description);
  const url = toShareableUrl(description, serviceUrl('').href);
  return (
    <section class="card link-card" aria-labelledby="link-title">
      <div class="link-head">
        <Icon path={type === 'DOWNLOAD' ? FILE : LINK} />
        <div>
          <h1 id="link-title">{title}</h1>
          {/* Plain text: following a link would use up a view. */}
          <p class="link-url">{url.replace(/^https?:\/\//, '')}</p>
        </div>
      </div>
      <p class="link-state">
        <span class="badge" data-status={status}>
          {t(labelOfState(description))}
        </span>
        <span>{useStateText(description)}</span>
      </p>
      <LinkTerms description={description} />
      <div class="actions">
        <CopyButton text={url} label={t('copy.link')} kind="main" />
        {status === 'ACTIVE' && (
          <button type="button" class="button" onClick={() => setRevoking(true)}>
            {t('revoke')}
          </button>
        )}
      </div>
      {isRevoking && (
        <RevokeDialog
          link={{ ...link, accessUrl: url, type, title }}
          onClose={() => setRevoking(false)}
          onRevoked={onRevoked}
        />
      )}
    </section>
  );
}

/** Says in one sentence whether the link can be opened, and why not. */
function useStateText(description: LinkDescription): string {
  const { t } = useI18n();
  const { status, passwordProtected } = description;
  if (status === 'REVOKED') return t('linkState.revoked');
  if (status === 'EXPIRED') {
    return description.state === 'USED_UP' ? t('linkState.usedUp') : t('linkState.expired');
  }
  return passwordProtected ? t('linkState.activePassword') : t('linkState.active');
}
