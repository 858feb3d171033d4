import { Type } from 'typebox';
import { MAX_MESSAGE_CHARACTERS, MAX_REQUESTED_FILES, RECIPIENT_KEY } from '../core/rules/file-request.ts';
import { Count, DateTime, listOf, nullable, text, titled } from './schema-builders.ts';

const message = Type.String({
  maxLength: MAX_MESSAGE_CHARACTERS,
  description: 'What is wanted, as the visitor reads it; may have several lines',
});
const LIMITS = {
  maxFiles: Type.Integer({ minimum: 1, maximum: MAX_REQUESTED_FILES, description: 'Of a submission' }),
  maxBytes: Type.Integer({ minimum: 1, description: 'The size of all files of a submission together' }),
  recipientKey: Type.String({
    pattern: RECIPIENT_KEY.source,
    description: 'A recipient of age, to which senders encrypt the files, as one file',
  }),
};

export const NewFileRequest = titled('NewFileRequest', {
  message,
  ...Type.Partial(Type.Object(LIMITS)).properties,
});

/** The wishes of a file request. */
export const FileRequest = titled('FileRequest', {
  message,
  maxFiles: nullable(LIMITS.maxFiles),
  maxBytes: nullable(LIMITS.maxBytes),
  recipientKey: nullable(LIMITS.recipientKey),
});

/** The receipt of the sender of files. It has no address: the files are for those who asked for them. */
export const Receipt = titled('Receipt', {
  type: Type.Literal('REQUEST'),
  message: text('What was wanted'),
  receivedAt: DateTime,
  files: listOf('ReceivedFile', { name: Type.String(), sizeBytes: Count, sha256: Type.String() }),
});
