/** The statements that let the list of links begin anew, for a store into which links are moved. */
export const RESET_LIST: readonly string[] = [
  ...['listed_link', 'unindexed_link', 'link_term', 'link_term_run'].map((table) => `DELETE FROM ${table}`),
  `UPDATE link_list_progress SET step = 'CHANGES', after = '${'0'.repeat(32)}', count = 0`,
];
