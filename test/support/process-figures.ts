import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Returns the resident memory of a process, now and at its peak. Linux only. */
export function residentMemory(pid: number): { nowBytes: number; peakBytes: number } {
  if (!existsSync(`/proc/${pid}`)) throw new Error(`Process ${pid} has ended`);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
  return { nowBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
}

/** Returns the number of open files and sockets of a process. Linux only. */
export function openHandles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
