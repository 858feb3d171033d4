import { useEffect, useState } from 'preact/hooks';
import { mount } from '../shell/mount.tsx';
import { Page } from '../shell/page.tsx';
import { forgetLink, keepLink, recallLinks, whenLinksChange } from './kept-links.ts';
import { LinkForm, type MadeLink } from './link-form.tsx';
import { MyLinks } from './my-links.tsx';
import { Result } from './result.tsx';
import { stayForFiles } from './take-in.ts';

/** The page of whoever makes a link. */
function CreatePage() {
  const [made, setMade] = useState<MadeLink>();
  const [isAnother, setAnother] = useState(false);
  const [links, setLinks] = useState(recallLinks);
  useEffect(() => whenLinksChange(() => setLinks(recallLinks())), []);

  function keepMade(made: MadeLink): void {
    const { link, title, type } = made;
    setLinks(keepLink({ shortCode: link.shortCode, accessUrl: link.accessUrl, title, type }));
    setMade(made);
    setAnother(true);
  }

  return (
    <Page name="create">
      {made ? (
        <Result made={made} onAnother={() => setMade(undefined)} />
      ) : (
        <LinkForm takesFocus={isAnother} onMade={keepMade} />
      )}
      <MyLinks links={links} onForget={(shortCode) => setLinks(forgetLink(shortCode))} />
    </Page>
  );
}

stayForFiles();
mount(CreatePage);
