/** Runs a WebGL program with Tessera and returns the image and the report of one of its frames. */
import type { Image, Report } from '@tessera/frame';
import { type ProgramBackEnd, RunningProgram } from '@tessera/webgl/program-runner';

/** Size, frame and renderer of a program. */
export interface RenderExampleOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Index of the frame, from 0. A page that requests no other frame before keeps its image. */
  readonly frameIndex: number;
  /** Renderer; one chiplet in this process, without timing, by default. */
  readonly backEnd?: ProgramBackEnd;
  /** Whether frame 0 waits until the program has loaded; false by default. */
  readonly isIdleFirst?: boolean;
}

/**
 * Renders a frame of a program.
 *
 * @param path Path of the program's module.
 */
export async function renderExample(
  path: string,
  {
    widthPx,
    heightPx,
    frameIndex,
    backEnd = { kind: 'in-process' },
    isIdleFirst,
  }: RenderExampleOptions,
): Promise<{ readonly image: Image; readonly report: Report }> {
  const program = await RunningProgram.start({
    ...{ path, widthPx, heightPx, backEnd },
    isIdleFirst,
  });
  try {
    for (let index = 0; ; index++) {
      await program.drawFrame(index);
      const frame = await program.takeFrame();
      if (index === frameIndex || !program.isAnimated) return frame;
    }
  } finally {
    program.close();
  }
}
