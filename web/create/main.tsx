import { useEffect, useState } from 'preact/hooks';
import { mount, Page } from '../shell/page.tsx';
import { LinkForm } from './link-form.tsx';
import { MyLinks } from './my-links.tsx';
import { Result } from './result.tsx';
import { deleteSavedLink, loadSavedLinks, onSavedLinksChange, saveLink } from './saved-links.ts';
import { preventFileNavigation } from './use-drop-and-paste.ts';
import type { NewLink } from './use-submission.ts';

/** The page on which links are created. */
function CreatePage() {
  const [created, setCreated] = useState<NewLink>();
  const [hasCreated, setHasCreated] = useState(false);
  const [links, setLinks] = useState(loadSavedLinks);
  useEffect(() => onSavedLinksChange(() => setLinks(loadSavedLinks())), []);

  function showCreated(created: NewLink): void {
    const { link, title, type } = created;
    setLinks(saveLink({ shortCode: link.shortCode, accessUrl: link.accessUrl, title, type }));
    setCreated(created);
    setHasCreated(true);
  }

  return (
    <Page name="create">
      {created ? (
        <Result created={created} onRestart={() => setCreated(undefined)} />
      ) : (
        <LinkForm takesFocus={hasCreated} onCreated={showCreated} />
      )}
      <MyLinks links={links} onHide={(shortCode) => setLinks(deleteSavedLink(shortCode))} />
    </Page>
  );
}

preventFileNavigation();
mount(CreatePage);
