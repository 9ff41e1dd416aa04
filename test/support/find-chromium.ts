/** Finds the browser of tests of pages. */
import { execFileSync } from 'node:child_process';

/** Returns the path of Debian's chromium, or null. */
export function findChromium(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
