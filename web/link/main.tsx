import { useState } from 'preact/hooks';
import { showsRecord } from '../service/links.ts';
import { loadLinkToken } from '../service/saved-links.ts';
import { lazy } from '../shell/lazy.tsx';
import { mount } from '../shell/page.tsx';
import { useSession } from '../shell/session.tsx';
import { LinkView } from './link-view.tsx';
import type { Access } from './problems.tsx';

/** Few visits print a delivery record. */
const DeliveryRecord = lazy<Access>(async () => (await import('./delivery-record.tsx')).DeliveryRecord);

/** The page of one link: what it is, and its history; or its delivery record. */
function LinkPage() {
  const { caller } = useSession();
  const shortCode = decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
  const [access, setAccess] = useState({ token: loadLinkToken(shortCode), count: 0 });
  const View = showsRecord(location.search) ? DeliveryRecord : LinkView;
  return (
    <View
      // Other credentials start anew: what was loaded with the former ones must not stay.
      key={`${access.count} ${caller?.name}`}
      link={{ shortCode, ...(access.token !== undefined && { token: access.token }) }}
      onAccess={(token) => setAccess({ token, count: access.count + 1 })}
    />
  );
}

mount('link', LinkPage, { signInFirst: false });
