/** Runs a WebGL example over our context and gives the picture and the report of one of its frames. */
import type { Image, Report } from '@tessera/frame';
import { type ProgramBackEnd, RunningProgram } from '@tessera/webgl/program-runner';

export interface RenderExampleOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  /** The last frame that is drawn, counted from 0. */
  readonly frameIndex: number;
  /** One chiplet in this process, without timing, by default. */
  readonly backEnd?: ProgramBackEnd;
}

/** @param path Of the module. */
export async function renderExample(
  path: string,
  { widthPx, heightPx, frameIndex, backEnd = { kind: 'in-process' } }: RenderExampleOptions,
): Promise<{ readonly image: Image; readonly report: Report }> {
  const program = await RunningProgram.start({ path, widthPx, heightPx, backEnd });
  try {
    for (let index = 0; index < frameIndex; index++) {
      await program.drawFrame(index);
      await program.takeFrame();
    }
    await program.drawFrame(frameIndex);
    return await program.takeFrame();
  } finally {
    program.close();
  }
}
