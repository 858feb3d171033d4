import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { StoredFile } from '../core/model/link.ts';
import { toFlag } from '../core/rules/read-fields.ts';
import { FILE_FLAGS, parseFileFlags } from '../core/rules/uploads.ts';
import { withTraits } from '../core/use-cases/files/examine-file.ts';
import type { SentFile } from '../core/use-cases/files/receive-file.ts';
import { acceptUnread, requireJsonObject } from './accepted-bodies.ts';
import type { HttpDependencies } from './dependencies.ts';
import { requireValid } from './errors.ts';
import { MAX_JSON_BYTES, readBody } from './read-body.ts';
import { type Form, readForm } from './read-form.ts';
import { findIgnored, nameIgnored, namesOf } from './unknown-fields.ts';

export const FORM_TYPE = 'multipart/form-data';

/** Prepares an endpoint that takes files, or JSON that names an upload. */
export function prepareTakeFiles(...types: [string, ...string[]]) {
  const pending = new Set<Promise<unknown>>();
  return {
    /** Accepts bodies of these types, which the endpoint reads. */
    receive(scope: FastifyInstance): void {
      acceptUnread(scope, ...types);
      scope.addHook('onClose', async () => {
        await Promise.allSettled(pending);
      });
    },
    /** Resolves as the work of a request does. A stop that cuts off the request waits until it has removed its file. */
    untilStopped<T>(work: Promise<T>): Promise<T> {
      pending.add(work);
      return work.finally(() => pending.delete(work));
    },
  };
}

/** Room for the text fields and the delimiters of a form. */
const REST_OF_FORM_BYTES = 1024 * 1024;

/** A form with files. */
export type FileForm = {
  schema: TSchema;
  /** The owner whose space the files take. */
  quotaOwner: string;
  /** Limits all files together, where that is less than the service allows. */
  maxFileBytes?: number;
  /** The path below the base URL for files that are too large for a form. */
  uploadsPath?: string;
  /** Passes the files of a form on. Throws to refuse it. */
  admit?: (form: Form) => AsyncIterable<SentFile>;
};
export type Exchange = { request: FastifyRequest; reply: FastifyReply; deps: HttpDependencies };
export type ReceivedForm = { fields: Record<string, string>; file: StoredFile };

/** Reads a form with files, and uses it. They are one stored file, which is removed unless `use` resolves. */
export function receiveForm<Result>(
  { request, reply, deps }: Exchange,
  form: FileForm,
  use: (form: ReceivedForm) => Promise<Result>,
  receive = deps.useCases.receiveFile,
): Promise<Result> {
  const maxFileBytes = Math.min(
    form.maxFileBytes ?? deps.config.uploads.maxFormFileBytes,
    deps.config.uploads.maxFormFileBytes,
  );
  const maxBytes = Math.min(deps.config.uploads.maxRequestBytes, maxFileBytes + REST_OF_FORM_BYTES);
  const sent = readForm(request.raw, {
    ...{ known: namesOf(form.schema), maxFileBytes, maxBytes, remedy: remedyOf(deps, form) },
  });
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const files = form.admit?.(sent) ?? sent.files;
  return receive({ announcedBytes, maxBytes, quotaOwner: form.quotaOwner, files }, (file) => {
    nameIgnored(reply, sent.ignored);
    return use({ fields: sent.fields, file });
  });
}

/** Returns how larger files can be sent, if they may have more bytes than a form. */
export function remedyOf(
  deps: HttpDependencies,
  {
    maxFileBytes = deps.config.uploads.maxFileBytes,
    uploadsPath = '/api/uploads',
  }: Pick<FileForm, 'maxFileBytes' | 'uploadsPath'>,
): string {
  return Math.min(maxFileBytes, deps.config.uploads.maxFileBytes) > deps.config.uploads.maxFormFileBytes
    ? `; send a larger file in parts, as an upload to ${deps.config.baseUrl}${uploadsPath}`
    : '';
}

/** Adds the traits that the sender of a file asks for. A form sends a blank field for an empty input. */
export function withFlags({ file, fields }: ReceivedForm): StoredFile {
  const flags = FILE_FLAGS.map((name): [string, unknown] => [
    name,
    fields[name]?.trim() ? toFlag(fields[name]) : null,
  ]);
  return withTraits(file, requireValid(parseFileFlags(Object.fromEntries(flags))));
}

/** Returns true for a form, and false for the JSON that names an upload instead. */
export const isForm = ({ headers }: FastifyRequest): boolean =>
  /^multipart/i.test(headers['content-type'] ?? '');

/** Reads the JSON that names an upload, with the other members of a form. */
export async function readUploadJson(
  { request, reply }: Pick<Exchange, 'request' | 'reply'>,
  schema: TSchema,
): Promise<Record<string, unknown>> {
  const body = requireJsonObject(await readBody(request.raw, MAX_JSON_BYTES));
  nameIgnored(reply, requireValid(findIgnored(Object.keys(body), namesOf(schema))));
  return body;
}
