import { useState } from 'preact/hooks';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import { Field } from '../form/field.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { addTag, extendBy, removeTag, type ToPatch } from '../service/change-links.ts';
import { Choice } from '../shell/choice.tsx';
import { useListTexts } from './list-texts.ts';

type Props = { count: number; onChoose(toPatch: ToPatch): void; onClose(): void };

const DAYS = ['1', '7', '30', '90', '365'];

/** Asks by how long the selected links are extended. */
export function ExtendDialog({ count, onChoose, onClose }: Props) {
  const { t, format } = useI18n();
  const texts = useListTexts();
  const [days, setDays] = useState('7');
  return (
    <FormDialog
      title={`${t('select.extend')} (${t('select.count', { count })})`}
      action={t('select.extend')}
      onSubmit={() => onChoose(extendBy(Number(days) * DAY_MS, Date.now()))}
      onClose={onClose}
    >
      <Choice
        legend={t('select.extend')}
        name="days"
        values={DAYS}
        value={days}
        labelOf={(each) => format.amount(Number(each), 'day')}
        onChoose={setDays}
      />
      <p class="soft small">{texts('select.extendHint')}</p>
    </FormDialog>
  );
}

/** Asks for the tag that the selected links get or lose. */
export function TagDialog({ count, onChoose, onClose }: Props) {
  const { t } = useI18n();
  const texts = useListTexts();
  const [tag, setTag] = useState('');
  const [way, setWay] = useState<'add' | 'remove'>('add');
  const confirm = (): void => onChoose((way === 'add' ? addTag : removeTag)(tag.trim()));
  return (
    <FormDialog
      title={`${t('tags')} (${t('select.count', { count })})`}
      action={tag.trim() === '' ? undefined : texts(way === 'add' ? 'tag.add' : 'tag.remove')}
      onSubmit={confirm}
      onClose={onClose}
    >
      <Choice
        legend={t('tags')}
        name="way"
        values={['add', 'remove']}
        value={way}
        labelOf={(each) => texts(each === 'add' ? 'tag.add' : 'tag.remove')}
        onChoose={(name: 'add' | 'remove') => setWay(name)}
      />
      <Field name="bulk-tag" label={t('tag')} value={tag} onInput={setTag} />
    </FormDialog>
  );
}
