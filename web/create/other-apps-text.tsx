import { brandName } from '../service/brand.ts';
import { serviceUrl } from '../service/requests.ts';
import { CreateTexts, useCreateTexts } from './create-texts.ts';

/** Explains how other pages and apps open this page with what they show. */
export function OtherAppsText() {
  return (
    <CreateTexts>
      <Ways />
    </CreateTexts>
  );
}

function Ways() {
  const t = useCreateTexts();
  return (
    <>
      <p>
        {/* The policy of this page refuses a script in an address. In the bookmarks of the browser, it runs. */}
        <a class="button" href={bookmarklet()} onClick={(event) => event.preventDefault()}>
          {t('otherApps.bookmark', { name: brandName() })}
        </a>
      </p>
      <p class="soft small">{t('otherApps.drag')}</p>
      <p class="soft small">{t('otherApps.install')}</p>
    </>
  );
}

/** Returns the address of a bookmark that opens this page with the address and the title of the page it is used on. */
function bookmarklet(): string {
  const start = JSON.stringify(`${serviceUrl('').href}#url=`);
  const script = `open(${start}+encodeURIComponent(location)+'&label='+encodeURIComponent(document.title))`;
  return `javascript:${encodeURIComponent(script)}`;
}
