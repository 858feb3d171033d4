import { useSend } from '../form/form-dialog.tsx';
import { FormAlert } from '../form/form-error.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { changeLink, type LinkReference } from '../service/links.ts';
import { CreateTexts, useCreateTexts } from './create-texts.ts';

type Props = { link: LinkReference; onAsk(): void };

/** Says that programs open a file which no page precedes, and lets the link ask first. */
export function AtOnceNote(props: Props) {
  return (
    <CreateTexts>
      <Note {...props} />
    </CreateTexts>
  );
}

function Note({ link, onAsk }: Props) {
  const { t } = useI18n();
  const texts = useCreateTexts();
  const { form, send } = useSend();
  const ask = async (): Promise<void> => {
    if (!(await send(changeLink(link, { confirm: true }, null)))) return;
    document.getElementById('result-title')?.focus({ preventScroll: true }); // the pressed button disappears
    onAsk();
  };
  return (
    <div class="row at-once">
      <p class="soft small">{texts('atOnce')}</p>
      <button type="button" class="button" disabled={form.isPending} onClick={() => void ask()}>
        {t('confirm')}
      </button>
      {form.error && <FormAlert error={form.error} />}
    </div>
  );
}
