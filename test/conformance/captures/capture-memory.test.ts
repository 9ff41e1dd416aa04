/**
 * A capture longer than the permitted memory is read in a process whose heap and arrays together
 * stay far below its size. Each of its frames uploads 1 MiB. The capture is never complete in
 * memory or on disk.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'long-capture.ts');
const MEGABYTES = 96;
/**
 * Bound on resident memory. A process that has loaded the program and read 1 MB takes about 115 MB;
 * half of the capture's size is added.
 */
const MOST_RSS_BYTES = 185e6;
const WITHIN_MS = 300_000;

describe('long captures', () => {
  it.each(['snappy', 'zstandard'])(
    'are replayed and summed up in bounded memory (%s)',
    async (container) => {
      const options = ['--max-old-space-size=48', '--max-semi-space-size=4'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...options, PROGRAM, String(MEGABYTES), container],
        { timeout: WITHIN_MS },
      );
      const found = JSON.parse(stdout);
      expect(found.streamBytes).toBeGreaterThan(MEGABYTES * 1e6);
      // Only the last frame: its draws, from one array in client memory.
      expect(found).toMatchObject({ draws: 200, frameBytes: 36 });
      expect(found.frames).toBeGreaterThan(80);
      expect(found.maxRssBytes).toBeLessThan(MOST_RSS_BYTES);
    },
    WITHIN_MS,
  );
});
