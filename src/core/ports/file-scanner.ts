import type { ScanResult } from '../model/link.ts';
import type { OpenFile } from './file-store.ts';

export type ScanTraits = { scan: ScanResult; scanNote?: string };

/** Looks for malware in files. Never rejects: a file that it cannot scan is NOT_SCANNED. */
export interface FileScanner {
  /** The time for all files of a link. */
  readonly timeoutMs: number;
  scan(file: OpenFile, deadline: AbortSignal): Promise<ScanTraits>;
}

/** The note of a file that was not scanned before the deadline. */
export const SCANNED_LATE = 'not done in time';
