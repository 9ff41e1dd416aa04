/** Resident memory of another process. */
import { readFileSync } from 'node:fs';

const BYTES_PER_KIB = 1024;

/**
 * Returns the resident memory of a process in bytes (Linux).
 *
 * @throws {Error} If there is no such process.
 */
export function residentBytes(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`process ${pid} has ended`);
  return Number(kib) * BYTES_PER_KIB;
}
