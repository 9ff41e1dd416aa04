/**
 * A capture that is longer than the memory it may take, of which 1 MiB a frame is uploaded, read in a
 * process whose heap and whose arrays together stay far below that. It never lies whole in memory or on a disk.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'long-capture.ts');
const MEGABYTES = 96;
/** A process that has loaded the program and read 1 MB takes about 115 MB; half of the capture's size beside that. */
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
      // The last frame alone: its draws, from one array in client memory.
      expect(found).toMatchObject({ draws: 200, frameBytes: 36 });
      expect(found.frames).toBeGreaterThan(80);
      expect(found.maxRssBytes).toBeLessThan(MOST_RSS_BYTES);
    },
    WITHIN_MS,
  );
});
