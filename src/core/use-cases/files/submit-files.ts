import type { Attempt, AttemptOutcome } from '../../model/attempt.ts';
import { type Author, anonymous } from '../../model/author.ts';
import type { FileRequest, Link, LinkDefinition, NewLink, StoredFile } from '../../model/link.ts';
import { type LinkChangeParts, prepareNewChange } from '../../model/link-change.ts';
import { type RandomInt, withFreeCode } from '../../model/short-code.ts';
import { NO_TERMS } from '../../model/terms.ts';
import { ClientClosedError } from '../../model/unavailable.ts';
import type { ClientState, LinkStore, SubmissionStore } from '../../ports/ports.ts';
import type { LinkPolicy } from '../../rules/term-rules.ts';
import { defaultEnd } from '../create/create-link.ts';
import type { ExamineFile } from './examine-file.ts';

/** The files that a visitor sends to a file request, as one stored file, and what the visitor says about them. */
export type Submission = {
  file: StoredFile;
  sender: string | null;
  note: string | null;
  /** Throws unless the files are what the request asks for, which may have been changed while they were sent. */
  requireWanted(request: FileRequest): void;
};

/** The outcome of a submission that was decided. `created`: the link of the files. */
export type SubmissionOutcome = AttemptOutcome & { created?: NewLink };

export type SubmitFiles = (
  request: Link,
  attempt: Attempt,
  submission: Submission,
  isAborted?: () => boolean,
) => Promise<SubmissionOutcome>;

export type SubmitParts = {
  links: SubmissionStore;
  randomInt: RandomInt;
  defaultTtl: Temporal.Duration | null;
  linkPolicy: Pick<LinkPolicy, 'maxTtl' | 'maxViews' | 'passwordRequired'>;
} & LinkChangeParts;

/** @throws ClientClosedError when the client has left; an error when the upload was abandoned */
export function prepareSubmitFiles(parts: SubmitParts): SubmitFiles {
  const { links, randomInt, defaultTtl, linkPolicy } = parts;
  const { maxTtl, maxViews, passwordRequired } = linkPolicy;
  const newChange = prepareNewChange(parts);
  return async (request, attempt, submission, isAborted) => {
    const sender: Author = { kind: 'ANONYMOUS', name: null, ipAddress: attempt.ipAddress };
    const change = newChange(sender);
    const ends = { expiresAt: defaultEnd(change.at, null, { defaultTtl, maxTtl }), maxViews };
    const source = passwordRequired ? request : { ...request, passwordHash: null };
    return withFreeCode(randomInt, async (shortCode) => {
      const link = { ...toLinkOf(source, submission), ...ends, shortCode, createdAt: change.at };
      if (isAborted?.()) throw new ClientClosedError('store');
      const result = await links.submit({ attempt, link, change, requestVersion: request.version });
      if ('verdict' in result) return result.verdict === 'SUCCESS' ? { ...result, created: link } : result;
      if (result.result === 'upload-gone')
        throw new Error('The upload of this submission was abandoned, and is removed');
      return undefined;
    });
  };
}

/**
 * Returns the link of submitted files, whose label is the sender. It belongs to those who hold the request, and has its token
 * and its webhooks. Only the administrator's limits apply to it: those who asked for the files download them as often.
 */
function toLinkOf(
  { shortCode, passwordHash, tokenHash, owner, team, terms }: Link,
  { file, sender, note }: Submission,
): Omit<NewLink, 'shortCode' | 'createdAt' | 'expiresAt' | 'maxViews'> {
  const { tags, notifyUrl, host } = terms;
  return {
    ...{ definitionVersion: 0, startsAt: null, passwordHash, tokenHash, owner, team },
    target: { type: 'DOWNLOAD', file },
    terms: { ...NO_TERMS, label: sender, note, tags, notifyUrl, host }, // mails are of the request
    requestCode: shortCode,
  };
}

/** Examines the files that an attempt sends, before its time. */
export async function examineSubmission<Request extends { submission: Submission; ipAddress: string | null }>(
  { examineFile }: { examineFile: ExamineFile },
  request: Request,
): Promise<Request> {
  const { submission } = request;
  const file = await examineFile(submission.file, anonymous(request.ipAddress));
  return { ...request, submission: { ...submission, file } };
}

/** Commits an attempt, with the files that it sends to a file request. */
export async function commitAttempt(
  { links, submitFiles }: { links: Pick<LinkStore, 'read' | 'attempt'>; submitFiles: SubmitFiles },
  { shortCode, target }: LinkDefinition,
  attempt: Attempt,
  { submission, isAborted }: { submission?: Submission } & ClientState,
): Promise<SubmissionOutcome> {
  const request = submission && target.type === 'REQUEST' ? await links.read(shortCode) : undefined;
  if (!submission || request?.target.type !== 'REQUEST') return links.attempt(attempt, isAborted);
  submission.requireWanted(request.target.request); // it has the version that the store compares
  return submitFiles(request, attempt, submission, isAborted);
}
