import { useEffect, useState } from 'preact/hooks';
import { mount } from '../shell/mount.tsx';
import { Page } from '../shell/page.tsx';
import { LinkForm, type MadeLink } from './link-form.tsx';
import { MyLinks } from './my-links.tsx';
import { Result } from './result.tsx';
import { deleteSavedLink, loadSavedLinks, onSavedLinksChange, saveLink } from './saved-links.ts';
import { preventFileNavigation } from './use-drop-and-paste.ts';

/** The page of whoever makes a link. */
function CreatePage() {
  const [made, setMade] = useState<MadeLink>();
  const [isAnother, setAnother] = useState(false);
  const [links, setLinks] = useState(loadSavedLinks);
  useEffect(() => onSavedLinksChange(() => setLinks(loadSavedLinks())), []);

  function keepMade(made: MadeLink): void {
    const { link, title, type } = made;
    setLinks(saveLink({ shortCode: link.shortCode, accessUrl: link.accessUrl, title, type }));
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
      <MyLinks links={links} onForget={(shortCode) => setLinks(deleteSavedLink(shortCode))} />
    </Page>
  );
}

preventFileNavigation();
mount(CreatePage);
