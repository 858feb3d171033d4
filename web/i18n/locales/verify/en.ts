/** The further texts of the page that checks a history. */
export const en = {
  'verify.title': 'Verify a history',
  'verify.intro':
    'This page checks whether the exported history of a link is complete and unchanged. Your browser does the work: the files do not leave this device, and the page works without a connection.',
  'verify.export': 'Exported history',
  'verify.exportHint': 'The NDJSON file of “Export history”. You can also drop it on this page.',
  'verify.choose': 'Choose the exported history.',
  'verify.fingerprint': 'Fingerprint',
  'verify.fingerprintHint': 'The one that you kept, from the certificate, an email or a webhook.',
  'verify.fingerprintWrong':
    'A fingerprint has 64 characters: the digits 0 to 9 and the letters a to f. Copy all of them.',
  'verify.file': 'File to compare (optional)',
  'verify.fileHint': 'If the link leads to a file: is yours the one that was uploaded?',
  'verify.start': 'Verify',
  'verify.running': 'Checking…',
  'verify.unreadable': 'A file could not be read. Choose it again.',
  'verify.passed': 'The history is complete and unchanged',
  'verify.consistent': 'No changes found, but not compared with a fingerprint',
  'verify.failed': 'The history does not match',
  'verify.notExported': 'This is not an exported history',
  'verify.unchecked': 'The history cannot be checked',
  'verify.limits':
    'It proves when the link was opened and from which address. It does not prove who used that address.',
  'verify.more': { one: 'and {count} more finding', other: 'and {count} more findings' },
  'verify.notAnExport': 'On the page of the link, choose “Export history (NDJSON)”.',
  'verify.lineChanged': 'Line {line} of the file was changed after the export.',
  'verify.entry': 'It belongs to entry {number}.',
  'verify.cutOff': 'The file stops in the middle of line {line}. Export the history again.',
  'verify.otherLink': 'Line {line} belongs to the link {code}, not to {expected}.',
  'verify.newerFormat':
    'Line {line} has a newer format than this page knows. Use the page of a newer version of the service.',
  'verify.missing': 'Entry {number} is missing.',
  'verify.missingRange': 'Entries {first} to {last} are missing.',
  'verify.repeated': 'Entry {number} occurs twice: one of the two was added or renumbered.',
  'verify.appended': 'Entry {number} was added to the file after the export.',
  'verify.appendedRange': 'Entries {first} to {last} were added to the file after the export.',
  'verify.filtered': 'It was exported with a filter. Export it without one.',
  'verify.otherContent': {
    one: 'Entry {count} does not match the fingerprint in the file: it was changed.',
    other: 'Entries 1 to {count} do not match the fingerprint in the file: at least one was changed.',
  },
  'verify.unknownFingerprint':
    'No entry has your fingerprint: the history was rewritten since you got it, or it belongs to another link.',
  'verify.otherFile': '“{path}” is not the file of the link: its SHA-256 differs.',
  'verify.noFile': '“{path}” cannot be compared: the history does not name a file.',
  'verify.complete': {
    one: 'Link {code}: {count} entry is there and unchanged. It is from {at}.',
    other: 'Link {code}: all {count} entries are there and unchanged. The newest is from {at}.',
  },
  'verify.isFingerprint': 'The fingerprint of entry {number} is {fingerprint}.',
  'verify.erased': {
    one: '{count} entry has no personal data: it was erased, or is hidden from the person who exported the history. Another export that has it still proves it.',
    other:
      '{count} entries have no personal data: it was erased, or is hidden from the person who exported the history. Another export that has it still proves it.',
  },
  'verify.notCompared':
    'Without a fingerprint that you got earlier, this proves little: anyone who had this file before you could have rewritten the whole history.',
  'verify.known':
    'Your fingerprint is that of entry {number}, from {at}: up to there, nothing has changed since you got it.',
  'verify.severalFiles':
    '“{path}” was not compared: this link had several files; a ZIP or one file of it cannot be compared.',
  'verify.formerFile': '“{path}” was the file of the link until entry {number}, which replaced it.',
  'verify.sameFile': '“{path}” is the file of the link: its SHA-256 is the same.',
} as const;
