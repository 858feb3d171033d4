import { useI18n } from '../../i18n/i18n.tsx';
import { prepareLateTexts } from '../../i18n/late-texts.tsx';
import { Dialog, DialogButtons } from '../dialog.tsx';
import type { en } from './texts/en.ts';

const { LateTexts, useLateTexts } = prepareLateTexts<typeof en>({
  en: async () => (await import('./texts/en.ts')).en,
  pt: async () => (await import('./texts/pt.ts')).pt,
  es: async () => (await import('./texts/es.ts')).es,
  de: async () => (await import('./texts/de.ts')).de,
  fr: async () => (await import('./texts/fr.ts')).fr,
});

type Props = { onClose(): void };

/** Answers the common questions of people who create links. */
export function HelpDialog({ onClose }: Props) {
  const { t } = useI18n();
  return (
    <LateTexts>
      <Dialog title={t('help.title')} onClose={onClose}>
        <div class="help">
          <Questions />
          <DialogButtons keep={t('dialog.close')} onClose={onClose} />
        </div>
      </Dialog>
    </LateTexts>
  );
}

function Questions() {
  const { t } = useI18n();
  const text = useLateTexts();
  const [create, links] = [t('create.title'), t('links.title')];
  const toSend = { create, files: t('source.files'), message: t('message.copy') };
  const toProve = { record: t('record.open'), export: t('proof.export'), verify: t('verify.title') };
  const toReceive = { create, request: t('link.request'), received: t('request.arrived') };
  const pausing = { pause: t('link.pause'), resume: t('link.resume') };
  const toStop = { revoke: t('revoke'), more: t('actions.more'), ...pausing };
  const answers = [
    [text('send.question'), text('send.answer', { ...toSend, copyPassword: t('copy.password') })],
    [text('seen.question'), text('seen.answer', { create, links })],
    [text('only.question'), text('only.answer', { who: t('verifiedRecipients') })],
    [text('prove.question'), text('prove.answer', toProve)],
    [text('receive.question'), text('receive.answer', toReceive)],
    [text('invite.question'), text('invite.answer', { people: t('people.title'), add: t('people.add') })],
    [text('previews.question'), text('previews.answer', { confirm: t('confirm') })],
    [text('stop.question'), text('stop.answer', toStop)],
    [text('password.question'), text('password.answer', { edit: t('edit') })],
    [text('lists.question'), text('lists.answer', { links })],
    [text('secret.question'), text('secret.answer', { encrypt: t('encrypt') })],
    [text('further.question'), text('further.answer')],
  ] as const;
  return (
    <>
      {answers.map(([question, answer]) => (
        <details key={question}>
          <summary>{question}</summary>
          <p>{answer}</p>
        </details>
      ))}
    </>
  );
}
