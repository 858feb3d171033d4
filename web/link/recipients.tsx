import { RecipientList, RecipientTexts, useRecipientTexts } from '../history/recipient-list.tsx';
import { createRecipientReader } from '../history/recipient-steps.ts';
import type { HistoryPage } from '../service/contract.ts';

type Props = {
  /** The addresses that the link names now. */
  addresses: readonly string[] | undefined;
  history: HistoryPage;
};

/** The recipients of a link, also former ones: whether it was mailed to each, and whether they asked for a code and opened it. */
export function Recipients(props: Props) {
  return (
    <RecipientTexts>
      <Card {...props} />
    </RecipientTexts>
  );
}

function Card({ addresses, history: { items, next } }: Props) {
  const t = useRecipientTexts();
  const reader = createRecipientReader();
  for (const item of items) reader.add(item);
  const recipients = reader.read(addresses);
  if (recipients.length === 0) return null;
  return (
    <section class="card column card-content" aria-labelledby="recipients-title">
      <h2 id="recipients-title">{t('title')}</h2>
      <RecipientList recipients={recipients} isPartial={next !== null} />
      {next !== null && <p class="soft small">{t('partial')}</p>}
    </section>
  );
}
