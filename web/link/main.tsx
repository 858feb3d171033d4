import { useState } from 'preact/hooks';
import { loadLinkToken } from '../service/saved-links.ts';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';
import { LinkView } from './link-view.tsx';

/** The page of one link: what it is, and its history. */
function LinkPage() {
  const { caller } = useSession();
  const shortCode = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
  const [access, setAccess] = useState({ token: loadLinkToken(shortCode), count: 0 });
  return (
    <LinkView
      // Other credentials start anew: what was loaded with the former ones must not stay.
      key={`${access.count} ${caller?.name}`}
      link={{ shortCode, ...(access.token !== undefined && { token: access.token }) }}
      onAccess={(token) => setAccess({ token, count: access.count + 1 })}
    />
  );
}

mount('link', LinkPage, { signInFirst: false });
