/** The words for a file request, in place of those for other links: its views are submissions. */
export const en = {
  'state.views': { one: '{count} submission', other: '{count} submissions' },
  'state.viewsOf': {
    by: 'whole',
    one: '{count} of {whole} submission',
    other: '{count} of {whole} submissions',
  },
  'state.lastOpened': 'Last submission {when}',
  'column.views': 'Submissions',
  'column.lastOpened': 'Last submission',
  'access.success': 'Files received',
  'access.viewLimit': 'Limit of submissions reached',
  'board.noViewsInPeriod': 'No submissions in this period.',
  views: 'Submissions',
  'views.limit': { one: 'At most {count} submission', other: 'At most {count} submissions' },
  'views.once': 'One submission',
  'views.field': { one: 'submission', other: 'submissions' },
  'notifyEmail.hint': 'An email says when files arrive, at most once a minute.',
  'linkState.active': 'Anyone with this link can send files.',
  'linkState.activePassword': 'Anyone with this link and its password can send files.',
  'linkState.usedUp': 'It takes no more files: all submissions are used up. Raise their limit to get more.',
  'linkState.expired': 'It has expired and takes no more files, unless its expiration is changed.',
  'linkState.revoked': 'It was revoked and takes no more files.',
  'linkState.paused': 'It is paused and takes no files until it is resumed.',
  'linkState.scheduled': 'It takes no files before its start time.',
  'entry.opened': 'Files received',
  'entry.previewMeaning':
    'Preview: a request that sent no files, such as the link preview of a chat, or a look at the page. It does not count as a submission.',
  'certificate.limits':
    'The history shows when and from which address files were sent. It does not prove who used that address. More: {document} in a copy of Postern.',
  'edit.maxViews': 'Limit of submissions',
  'edit.maxViewsHint': {
    one: '{count} submission so far. Empty: no limit. Once it is reached, the link takes no more files.',
    other: '{count} submissions so far. Empty: no limit. Once it is reached, the link takes no more files.',
  },
  'edit.maxViewsTooLow': {
    one: '{count} submission so far: a lower limit is saved as {count}, and the link takes no more files.',
    other: '{count} submissions so far: a lower limit is saved as {count}, and the link takes no more files.',
  },
  'edit.pausedHint': 'Until you resume the link, it takes no files.',
  'code.hint':
    'The link continues under a new address, with its terms and the submissions that are left. The history so far and what arrived stay with the old address, which stops working: give the new one to all who need it.',
} as const;
