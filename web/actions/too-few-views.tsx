import { findAddresses } from '../form/addresses.ts';
import { RestrictionTexts, useRestrictionTexts } from './restriction-texts.ts';

type Props = {
  /** As it was typed. */
  verifiedRecipients: string;
  maxViews: number;
};

/** Says that the views of a link are too few for all who may open it. */
export function TooFewViews({ verifiedRecipients, maxViews }: Props) {
  if (maxViews >= findAddresses(verifiedRecipients).length) return null;
  return (
    <RestrictionTexts>
      <Hint />
    </RestrictionTexts>
  );
}

function Hint() {
  const t = useRestrictionTexts();
  return (
    <small class="option-hint soft" role="status">
      {t('tooFewViews')}
    </small>
  );
}
