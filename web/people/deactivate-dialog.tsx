import { useState } from 'preact/hooks';
import { FormDialog, useSend } from '../form/form-dialog.tsx';
import { SelectField, toOptions } from '../form/select.tsx';
import { useI18n } from '../i18n/i18n.tsx';
import { changePerson, type Person } from '../service/people.ts';
import { usePeopleTexts } from './people-texts.ts';

type Props = { person: Person; people: Person[]; onDone(text: string): void; onClose(): void };

/** Deactivates a person, whose links pass to another one. The last administrator gets the reason why not. */
export function DeactivateDialog({
  person: { name, displayName, linkCount },
  people,
  onDone,
  onClose,
}: Props) {
  const { t } = useI18n();
  const peopleT = usePeopleTexts();
  const others = people.filter((each) => each.state !== 'DEACTIVATED' && each.name !== name);
  const isLast = isLastAdministrator(name, people);
  const [linksTo, setLinksTo] = useState('');
  const { form, setError, send } = useSend();
  const deactivate = async (): Promise<void> => {
    if (linkCount > 0 && linksTo === '')
      return setError({ field: null, text: peopleT('people.chooseOwner') });
    const change = { isActive: false, ...(linkCount > 0 && { linksTo }) };
    if (!(await send(changePerson(name, change)))) return;
    onDone(peopleT('people.wasDeactivated', { name: displayName }));
    onClose();
  };
  return (
    <FormDialog
      title={peopleT('people.deactivateTitle', { name: displayName })}
      action={isLast ? undefined : peopleT('people.deactivate')}
      keep={isLast ? t('dialog.close') : undefined}
      isDangerous
      onSubmit={() => void deactivate()}
      onClose={onClose}
      {...form}
    >
      <p>
        {isLast
          ? t('people.lastAdministrator', { permission: t('may.admin') })
          : peopleT('people.deactivateText', { name: displayName })}
      </p>
      {!isLast && linkCount > 0 && (
        <SelectField
          label={peopleT('people.linksTo', { count: linkCount, name: displayName })}
          options={toOptions(peopleT('people.choose'), others)}
          value={linksTo}
          onChoose={setLinksTo}
        />
      )}
    </FormDialog>
  );
}

function isLastAdministrator(name: string, people: Person[]): boolean {
  const administrators = people.filter(({ state, scopes }) => state === 'ACTIVE' && scopes.includes('admin'));
  return administrators.length === 1 && administrators[0]?.name === name;
}
