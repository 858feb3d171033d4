import { Type } from 'typebox';
import { MAX_MESSAGE_CHARACTERS, MAX_REQUESTED_FILES, RECIPIENT_KEY } from '../links/rules/file-request.ts';

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

export const NewFileRequest = Type.Object(
  { message, ...Type.Partial(Type.Object(LIMITS)).properties },
  { title: 'NewFileRequest' },
);

/** What a file request asks for. */
export const FileRequest = Type.Object(
  {
    message,
    maxFiles: Type.Union([LIMITS.maxFiles, Type.Null()]),
    maxBytes: Type.Union([LIMITS.maxBytes, Type.Null()]),
    recipientKey: Type.Union([LIMITS.recipientKey, Type.Null()]),
  },
  { title: 'FileRequest' },
);

const ReceivedFile = Type.Object(
  { name: Type.String(), sizeBytes: Type.Integer({ minimum: 0 }), sha256: Type.String() },
  { title: 'ReceivedFile' },
);
/** What the sender of files gets. It has no address: the files are for those who asked for them. */
export const Receipt = Type.Object(
  {
    type: Type.Literal('REQUEST'),
    message: Type.String({ description: 'What was wanted' }),
    receivedAt: Type.String({ format: 'date-time' }),
    files: Type.Array(ReceivedFile),
  },
  { title: 'Receipt' },
);
