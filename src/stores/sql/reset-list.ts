/** The statements that let the list of links begin anew, for a store into which links are moved. */
export const RESET_LIST: readonly string[] = [
  ...['listed_link', 'unindexed_link', 'link_term', 'link_term_run', 'link_list_progress'].map(
    (table) => `DELETE FROM ${table}`,
  ),
  `INSERT INTO link_list_progress VALUES (1, 'CHANGES', '${'0'.repeat(32)}', 0)`,
];
