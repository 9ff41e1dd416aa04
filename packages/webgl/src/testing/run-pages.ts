/**
 * Runs HTML pages in a process of its own, because test runners load the modules of their process
 * themselves: `node run-pages.ts PAGE FRAME-COUNT …`. Prints a list of {@link PageResult}.
 */
import { RunningProgram } from '../program-runner/running-program.ts';

/** Red and green values of the first pixel of each frame, or the error of the page. */
export type PageResult = { readonly frames: number[][] } | { readonly error: string };

const [...given] = process.argv.slice(2);
const results: PageResult[] = [];
for (let at = 0; at < given.length; at += 2) {
  results.push(await runPage(given[at]!, Number(given[at + 1])));
}
process.stdout.write(`\n${JSON.stringify(results)}\n`, () => process.exit());

async function runPage(path: string, frameCount: number): Promise<PageResult> {
  try {
    const size = { widthPx: 8, heightPx: 4 };
    const backEnd = { kind: 'in-process' } as const;
    const program = await RunningProgram.start({ path, ...size, backEnd, startTimeoutMs: 200 });
    try {
      const frames: number[][] = [];
      for (let index = 0; index < frameCount; index++) {
        await program.drawFrame(index);
        const { image } = await program.takeFrame();
        frames.push([image.rgba[0]!, image.rgba[1]!]);
      }
      return { frames };
    } finally {
      program.close();
    }
  } catch (error) {
    return { error: (error as Error).message };
  }
}
