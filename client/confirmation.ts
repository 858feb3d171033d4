/**
 * Returns whether a new link has a confirmation page.
 *
 * @param chosen what the maker of the link chose, if anything
 * @param hasViewLimit without a choice, a link with limited views has one: previews and mail scanners then use up none
 */
export function needsConfirmation(chosen: boolean | null | undefined, hasViewLimit: boolean): boolean {
  return chosen ?? hasViewLimit;
}
