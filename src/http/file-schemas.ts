import { Type } from 'typebox';
import { SCAN_RESULTS } from '../links/link.ts';

export const FileSha256 = Type.String({
  description: 'The SHA-256 of an uploaded file, 64 hexadecimal digits',
});

export const ShownFile = Type.Object(
  {
    name: Type.String(),
    sizeBytes: Type.Integer({ minimum: 0 }),
    sha256: FileSha256,
    encrypted: Type.Optional(
      Type.Literal(true, { description: 'It was encrypted with age before it was uploaded' }),
    ),
    fileCount: Type.Optional(
      Type.Integer({
        description:
          'It is a set of so many files: `name` is that of their ZIP, the rest describes their joined bytes',
      }),
    ),
    partsSha256: Type.Optional(
      Type.String({ description: 'SHA-256 of the names and digests of the files of a set' }),
    ),
    scan: Type.Optional(Type.Enum([...SCAN_RESULTS], { description: 'The result of a scan for malware' })),
    scanNote: Type.Optional(Type.String()),
    text: Type.Optional(Type.Literal(true, { description: 'It is a text, which visitors are shown' })),
    viewable: Type.Optional(Type.Literal(true, { description: 'Visitors may look at the picture' })),
  },
  { title: 'File' },
);

/** The files of a link, in the order of their bytes. */
export const FileList = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'With its folders, and `/` between' }),
          sizeBytes: Type.Integer({ minimum: 0 }),
          sha256: FileSha256,
        },
        { title: 'FileOfSet' },
      ),
    ),
  },
  { title: 'FileList' },
);
