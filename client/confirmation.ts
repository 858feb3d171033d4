/**
 * Returns whether a new link has a confirmation page.
 *
 * @param chosen what the maker of the link chose, if anything
 * @param byDefault without a choice; a link with limited views then has one, so that previews and mail scanners use up none
 */
export function needsConfirmation(chosen: boolean | null | undefined, byDefault: boolean): boolean {
  return chosen ?? byDefault;
}
