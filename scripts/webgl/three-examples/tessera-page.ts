/** Frame of a page in Tessera, drawn by a process of its own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { PageFrame } from './chromium-page.ts';
import type { DrawnPage } from './draw-page.ts';

const DRAW_PAGE = join(import.meta.dirname, 'draw-page.ts');
const MAX_OUTPUT_BYTES = 1 << 28;

/** Draws a frame of a page. @param timeoutMs Upper bound on the wall time. */
export function renderInTessera(
  path: string,
  frame: PageFrame,
  timeoutMs: number,
): Promise<DrawnPage> {
  const options = {
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  } as const;
  return new Promise((finish) => {
    const args = [DRAW_PAGE, path, JSON.stringify(frame)];
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const line = stdout.trimEnd().split('\n').at(-1) ?? '';
      if (line.startsWith('{')) finish(JSON.parse(line) as DrawnPage);
      else if (error?.killed === true) finish({ error: `no image after ${timeoutMs / 1000} s` });
      else finish({ error: `the process ended: ${stderr.trim().split('\n').at(-1) ?? ''}` });
    });
  });
}
