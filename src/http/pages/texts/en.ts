import { SET_TITLES } from '../../../common/set-titles.ts';
import type { Messages, Translate, Translated } from '../../../common/translate.ts';
import type { Denial } from '../../../core/model/verdict.ts';

/** A visitor page that explains why a link was not opened. Most are of a denial. */
export type Notice =
  | Exclude<Denial, 'PASSWORD_REQUIRED' | 'INVALID_PASSWORD' | 'RECIPIENT_REQUIRED' | 'INVALID_RECIPIENT'>
  | 'OVERLOADED'
  | 'CODES_LIMITED'
  | 'CODES_UNAVAILABLE'
  | 'SERVER_ERROR'
  | 'CROSS_SITE'
  | 'DOWNLOAD_ENDED'
  | 'OTHER_BROWSER'
  | 'REQUEST_FULL'
  | 'UNREADABLE_FORM';

/** The messages of one language. Each notice has a title and a text. */
type NoticeTexts = Messages & Record<`notice.${Notice}.${'title' | 'text'}`, string>;

/** Every text of the visitor pages. The other languages have the same keys, or the compiler stops. */
export const en = {
  'notice.NOT_FOUND.title': 'Link not found',
  'notice.NOT_FOUND.text':
    'Check that the address is complete, including upper and lower case, or ask the person who sent it to you.',
  'trailing.title': 'Is this the link you are looking for?',
  'trailing.text':
    'The address that you opened ends with a character that is not part of the link. Without it, there is a link:',
  'notice.FILE_NOT_FOUND.title': 'File not found',
  'notice.FILE_NOT_FOUND.text':
    'The link is valid, but its file is missing. This attempt does not count. Please let the person who sent you the link know.',
  'notice.DOWNLOAD_ENDED.title': 'This download cannot be continued',
  'notice.DOWNLOAD_ENDED.text': 'Open the link again to start a new download, which counts as opening it.',
  'notice.OTHER_BROWSER.title': 'This download cannot be continued here',
  'notice.OTHER_BROWSER.text':
    'It continues only in the browser in which the email address was confirmed. To download the file here, open the link that you were sent and confirm your address.',
  'notice.REVOKED.title': 'This link has been revoked',
  'notice.REVOKED.text': 'Ask the person who sent it to you for a new link.',
  'notice.EXPIRED.title': 'This link has expired',
  'notice.EXPIRED.text': 'Ask the person who sent it to you for a new link.',
  'notice.VIEW_LIMIT_REACHED.title': 'This link has already been opened as often as allowed',
  'notice.VIEW_LIMIT_REACHED.text': 'Ask the person who sent it to you for a new link.',
  'notice.REQUEST_FULL.title': 'This link accepts no more files',
  'notice.REQUEST_FULL.text': 'Its limit is reached. Ask the person who sent it to you for a new link.',
  'notice.UNEXPECTED_STATE.title': 'This link is not active',
  'notice.UNEXPECTED_STATE.text': 'Ask the person who sent it to you for a new link.',
  'notice.PAUSED.title': 'This link is paused',
  'notice.PAUSED.text':
    'It cannot be opened for now. This attempt does not count. Try again later, or ask the person who sent it to you.',
  'notice.NOT_STARTED.title': 'This link is not available yet',
  'notice.NOT_STARTED.text':
    'This attempt does not count. Try again later, or ask the person who sent it to you.',
  'notice.RATE_LIMITED.title': 'Too many attempts',
  'notice.RATE_LIMITED.text': 'Wait before trying again.',
  'notice.OVERLOADED.title': 'The service is busy',
  'notice.OVERLOADED.text': 'This attempt does not count. Try again in a few seconds.',
  'notice.SERVER_ERROR.title': 'Something went wrong on our side',
  'notice.SERVER_ERROR.text': 'That did not work. Try again in a moment.',
  'notice.CROSS_SITE.title': 'Another website tried to open this link',
  'notice.CROSS_SITE.text':
    'For your safety, the link was not opened, and this attempt does not count. You can open it yourself.',
  'notice.UNREADABLE_FORM.title': 'The form could not be read',
  'notice.UNREADABLE_FORM.text': 'Go back and submit it again.',

  'notice.CODES_LIMITED.title': 'Too many codes requested',
  'notice.CODES_LIMITED.text':
    'No further code is sent for now. If you already have one, go back and enter it.',
  'notice.CODES_UNAVAILABLE.title': 'No code can be sent at the moment',
  'notice.CODES_UNAVAILABLE.text':
    'This link opens with a code that you get by email, and this service cannot send emails at the moment. This attempt does not count. Try again in a minute.',
  'recipient.title': 'Confirm your email address',
  'recipient.text':
    'The sender has limited this link to certain email addresses. Enter yours: if it is among them, you get a code by email.',
  'recipient.field': 'Email address',
  'recipient.invalid': 'Enter an email address, such as user@example.com.',
  'recipient.recorded':
    'If the sender named your address, the sender can see when you request a code and when you open the link.',
  'recipient.send': 'Send code',
  'recipient.have': 'I already have a code',
  'recipient.change': 'Change address',
  'recipient.code.title': 'Enter the code',
  'recipient.code.text': 'If the sender allows this address, a code is on its way to it:',
  'recipient.code.only': 'Codes are only sent to addresses that the sender allows. You entered:',
  'recipient.code.terms':
    'A code opens the link once, within {minutes} minutes, in the browser in which you asked for it.',
  'recipient.code.field': 'Code from the email (6 digits)',
  'recipient.code.open': 'Open link',
  'recipient.code.wrong':
    'This code is wrong, has expired or was already used – or the address is not the right one. Check the code and the address, or request a new code. After {tries} wrong codes, only a new one works.',
  'recipient.code.noCookie':
    'Your browser sent no cookie with the code. Either it blocks cookies, or you requested the code in another browser or more than {minutes} minutes ago. Allow cookies for this site and request a new code here.',
  'recipient.resend': 'Send a new code',

  'redirect.title': 'You are about to open a link',
  'redirect.text': 'It leads to this site:',
  'redirect.open': 'Open link',
  'download.title': 'A file is ready to download',
  'download.text': 'The download starts when you click the button.',
  'download.open': 'Download file',
  'download.started': 'The download has started.',
  'download.again': 'Download again',
  'download.counts': 'The download counts.',
  'text.title': 'A text was shared with you',
  'text.text': 'It is shown when you click the button.',
  'text.open': 'Show text',
  'text.shown': 'Shared text',
  'text.last': 'The text cannot be opened again. Copy it before you close or reload this page.',
  'text.copy': 'Copy',
  'text.copyFailed': 'Copying failed. Select the text and copy it manually.',
  'shown.title': 'A file was shared with you',
  'shown.text': 'It is shown in your browser when you click the button.',
  'shown.open': 'Show file',
  'shown.pdf': 'Open PDF',
  'shown.noPdf': 'This browser does not show the PDF on this page. Open it, or download it.',
  'files.title': 'Files are ready to download',
  'files.text': 'You choose what to download when you click the button.',
  'files.open': 'Show files',
  'files.zip': 'Download all (ZIP)',
  'files.count': { one: '{count} file', other: '{count} files' },
  'files.named': SET_TITLES.en,
  'files.more': { one: 'And {count} more file.', other: 'And {count} more files.' },
  'files.page': 'Page {page} of {last}',
  'files.previous': 'Previous files',
  'files.next': 'More files',
  'files.again':
    'For some time, you can reload this page and continue a download. Neither counts as opening the link again.',
  'encrypted.title': 'An encrypted file or text for you',
  'encrypted.text':
    'It was encrypted before it was uploaded. Your browser decrypts it here: the service cannot read it.',
  'encrypted.again':
    'You have already opened it. Decrypting it again on this page does not count as opening it again.',
  'encrypted.size': 'Up to {size}',
  'encrypted.key': 'Passphrase or key',
  'encrypted.hint': 'If you got no passphrase, ask for the whole link: the part after # is missing.',
  'encrypted.show': 'Show',
  'encrypted.open': 'Download and decrypt',
  'encrypted.shown': 'Decrypted text',
  'encrypted.withoutScript':
    'To decrypt it here, turn on JavaScript. The button below downloads it encrypted. This command decrypts it with age and tar:',
  'encrypted.script.badLink':
    'The key at the end of the address is incomplete or was changed. Copy the whole link again.',
  'encrypted.script.choose': 'Choose where to save',
  'encrypted.script.damaged':
    'The download is damaged or was changed. Nothing incomplete was saved. You can try again; it does not count as opening the link again.',
  'encrypted.script.done': 'Decrypted and checked.',
  'encrypted.script.failed':
    'That did not work ({reason}). Nothing incomplete was saved. You can try again; it does not count as opening the link again.',
  'encrypted.script.insecure':
    'Browsers decrypt only on pages with https://. Ask the sender for such a link, or open it with the command line.',
  'encrypted.script.progress': '{done} of {total}',
  'encrypted.script.ready': 'Ready: {name}, {size}',
  'encrypted.script.save': 'Save {name}',
  'encrypted.script.saving': 'Your browser is saving {name}. Its list of downloads shows the progress.',
  'encrypted.script.tooLarge':
    'This browser can decrypt at most {size}. Open the link in Chrome, Edge or Firefox, or with the command line.',
  'encrypted.script.wrongKey':
    'This passphrase or key is wrong. Check it and try again; it does not count as opening the link again.',
  'command.title': 'Download with a command',
  'command.counts':
    'The command is for a terminal, and can continue an interrupted download. Showing it counts as opening the link.',
  'command.show': 'Show command',
  'command.copy': 'Copy command',
  'command.copied': 'Copied',
  checksum: 'Checksum (SHA-256)',
  'views.left': { one: 'Can still be opened once', other: 'Can still be opened {count} times' },
  'views.counts': 'Opening it now counts.',
  expires: 'Expires on {time}',
  opens: 'Available from {time}',

  'request.title': 'Send files',
  'request.from': 'Requested by {name}',
  'request.until': 'Until {time}',
  'request.maxFiles': {
    one: 'At most {count} file per submission',
    other: 'At most {count} files per submission',
  },
  'request.maxBytes': 'At most {size} in total per submission',
  'request.files': 'Files',
  'request.choose': 'Choose files',
  'request.drop': 'Or drop files anywhere on this page.',
  'request.remove': 'Remove file',
  'request.unreadable': 'A file could not be read. Choose it again.',
  'request.sender': 'Your name (optional)',
  'request.note': 'Note (optional)',
  'request.send': 'Send files',
  'request.sending': 'Sending…',
  'request.proxyLimit':
    'A proxy in front of this service refuses requests of this size. Ask the person who sent you this link for another way.',
  'request.failed': 'The files could not be sent. Check your connection and try again.',
  'request.waiting': 'Connection lost. Trying again…',
  'request.occupied': 'Other people are sending files at the moment. Waiting for your turn…',
  'request.chosen': 'Chosen: {chosen}.',
  'request.sent': {
    one: 'You have already sent {count} file in this tab, on {time}. It was received.',
    other: 'You have already sent {count} files in this tab, on {time}. They were received.',
  },
  'request.exceeded': 'You sent more than that, so nothing was stored. Go back and choose other files.',
  'request.encrypts':
    'Your browser encrypts the files to this key before it sends them. Only the person who asks for them can decrypt them. Your name and note are not encrypted.',
  'request.withoutScript': 'To encrypt and send the files, turn on JavaScript, or use postern submit.',
  'request.insecure': 'Browsers encrypt only on pages with https://. Ask for such a link.',
  'receipt.title': 'Your files were received',
  'receipt.close': 'All files have arrived. You can close this page.',
  'receipt.request': 'Request',
  'receipt.note': 'Your note',
  'receipt.sender': 'Sent by {name}',
  'receipt.proof': 'Proof',
  'receipt.text': 'The checksums show later exactly which files you sent: save this receipt to keep them.',
  'receipt.encrypted':
    'The checksum shows later which encrypted archive arrived. You do not have that archive: only the person who asked for the files can compare and decrypt it.',
  'receipt.at': 'Received on {time}',
  'receipt.print': 'To keep it, print this page, for example as a PDF.',
  'receipt.save': 'Save receipt',
  'receipt.fileName': 'receipt',
  'receipt.heading': 'Receipt for sent files',
  'receipt.address': 'File request: {address}',
  'receipt.entry': 'Entry {number} in the history of these files has the fingerprint {fingerprint}',
  'receipt.proves':
    'What this proves: the service received these files at this time. This text alone can be forged. Together with the history, which the person who asked for the files can save, it cannot.',
  'receipt.compute':
    'To find the SHA-256 of a file, use Get-FileHash (Windows PowerShell), shasum -a 256 (macOS) or sha256sum (Linux), each followed by its name.',
  'receipt.check':
    'To check the fingerprint, ask for the saved history, and open the page “Verify a history” of the service, at its address with /verify.',

  'limited.hours': {
    one: 'Try again in {count} hour.',
    other: 'Try again in {count} hours.',
  },
  'limited.wait': { one: 'Try again in {count} minute.', other: 'Try again in {count} minutes.' },

  'sender.link': '{name} sends you a link',
  'sender.file': '{name} sends you a file',
  'sender.files': '{name} sends you files',
  'sender.text': '{name} sends you a text',
  'sender.encrypted': '{name} sends you an encrypted file or text',
  'sender.receivedFile': 'File sent to {name}',
  'sender.received': 'Files sent to {name}',
  'sender.none': 'The sender gave no name.',
  'sender.service': 'This page belongs to {host}.',
  'sender.account': 'The link belongs to the account “{name}” of this service.',
  'sender.unverified': 'This name was typed in and has not been verified.',
  'password.title': 'This link is protected by a password',
  'password.text': 'Enter the password that you were given.',
  'password.field': 'Password',
  'password.show': 'Show password',
  'password.open': 'Open link',
  'password.missing': 'Enter the password.',
  'password.wrong': 'Wrong password. Check upper and lower case and try again.',

  'preview.title': 'Shared link',
  'preview.text': 'Open the link to see its content.',
  open: 'Open link',
  'unknownPath.title': 'Page not found',
  'unknownPath.text':
    'There is nothing at this address. Check that it is complete, including upper and lower case.',
  home: 'Go to the start page',
  'checkpoint.title': 'Checkpoint of the log',
  'checkpoint.text': {
    one: 'It covers {count} entry of all links, signed at {time}.',
    other: 'It covers the first {count} entries of all links, signed at {time}.',
  },
  'checkpoint.key': 'Key of the log',
  'checkpoint.keep':
    'Keep both outside this service. With them, /verify shows whether entries of the log were changed or removed since. It does not show whether another history of a link was added later: for that, keep the delivery record of the link.',
  'health.title.UP': 'The service is up',
  'health.title.DOWN': 'The service has a problem',
  'health.title.OUT_OF_SERVICE': 'Service unavailable',
  'health.text': 'Checked just now. Programs that ask for this address get JSON.',
  'health.component.database': 'Database',
  'health.component.storage': 'File storage',
  'health.component.scheduler': 'Expiry check',
  'health.UP': 'Up',
  'health.DOWN': 'Down',
  'health.OUT_OF_SERVICE': 'Out of service',
  reference: 'If it happens again, give this reference to the administrator:',
  abuse: 'Report abuse',
  contact: 'Contact the operator of this service',
} as const satisfies NoticeTexts;

export type VisitorTexts = Translated<typeof en>;
export type TranslateForVisitor = Translate<typeof en>;
