import { Type } from 'typebox';
import { SCAN_RESULTS } from '../core/model/link.ts';
import { Count, listOf, nullable, optionalText, text, titled } from './schema-builders.ts';

export const FileSha256 = text('The SHA-256 of an uploaded file, 64 hexadecimal digits');
const optionalTrue = (description: string) => Type.Optional(Type.Literal(true, { description }));

export const ShownFile = titled('File', {
  name: Type.String(),
  sizeBytes: Count,
  sha256: FileSha256,
  encrypted: optionalTrue('It was encrypted with age before it was uploaded'),
  fileCount: Type.Optional(
    Type.Integer({
      description:
        'It is a set of so many files: `name` is that of their ZIP, the rest describes their joined bytes',
    }),
  ),
  partsSha256: optionalText('SHA-256 of the names and digests of the files of a set'),
  scan: Type.Optional(Type.Enum([...SCAN_RESULTS], { description: 'The result of a scan for malware' })),
  scanNote: Type.Optional(Type.String()),
  text: optionalTrue('It is a text, which visitors are shown'),
  viewable: optionalTrue('Visitors may view the file in the browser'),
});

/** The files of a link, in the order of their bytes. */
export const FileList = titled('FileList', {
  files: listOf('FileOfSet', {
    name: text('With its folders, and `/` between'),
    sizeBytes: Count,
    sha256: FileSha256,
  }),
  next: nullable(Type.String(), { description: 'The `cursor` of the next page; null at the end' }),
});
