/**
 * The sequences on which sampling is judged: captures of free games, a WebGL program and an
 * animated model.
 */
import { join, resolve } from 'node:path';
import { type Frame, RenderError } from '@tessera/frame';
import type { ProgramCache } from '@tessera/multi-chiplet';
import { RunningProgram } from '@tessera/webgl/program-runner';
import { openFrames, STUDIED } from '../../inputs/read-frame.ts';

/** Number of frames of each sequence. */
export const FRAME_COUNT = 500;

const ROOT = resolve(import.meta.dirname, '../../../../..');

/** Document whose table shows the judgements. */
export const SAMPLING_DOCUMENT = join(ROOT, 'docs/studies/sampling.md');

/** Returns the path of the figures of a sequence. */
export function figuresPath(name: string): string {
  return join(ROOT, 'results/sequences', `${name}.csv`);
}

/** Sequence by name. */
export interface SequenceSource {
  readonly name: string;
  /**
   * Makes the frames in order.
   *
   * @param folder Folder of the captures and models.
   * @throws {RenderError} If a file cannot be read.
   */
  readonly frames: (folder: string, programs: ProgramCache) => AsyncIterable<Frame>;
}

/** All sequences. */
export const SEQUENCE_SOURCES: readonly SequenceSource[] = [
  captureSource('neverball', 'neverball.trace', 300),
  captureSource('crackberg', 'crackberg.trace', 100),
  {
    name: 'three-flight',
    frames: () => runProgram(join(ROOT, 'scripts/sampling/three-flight.mjs'), 160, 96),
  },
  {
    name: 'cesium-man',
    frames: (folder, programs) =>
      poseModel(
        join(folder, 'CesiumMan.glb'),
        { widthPx: 160, heightPx: 96, seconds: 2 },
        programs,
      ),
  },
];

/** @param firstFrame Index of the first frame, after the program has loaded. */
function captureSource(name: string, file: string, firstFrame: number): SequenceSource {
  return {
    name,
    async *frames(folder, programs) {
      const read = await openFrames(join(folder, file), {}, programs);
      for (let index = 0; index < FRAME_COUNT; index++) {
        yield (await read({ frameIndex: firstFrame + index })).frame;
      }
    },
  };
}

async function* poseModel(
  path: string,
  { seconds, ...size }: { widthPx: number; heightPx: number; seconds: number },
  programs: ProgramCache,
): AsyncGenerator<Frame> {
  const read = await openFrames(path, { ...size, ...STUDIED }, programs);
  for (let index = 0; index < FRAME_COUNT; index++) {
    yield (await read({ timeSeconds: (seconds * index) / FRAME_COUNT })).frame;
  }
}

async function* runProgram(path: string, widthPx: number, heightPx: number): AsyncGenerator<Frame> {
  let parts: Frame[] = [];
  const program = await RunningProgram.start({
    path,
    widthPx,
    heightPx,
    backEnd: { kind: 'in-process', onPart: (part) => parts.push(part) },
  });
  try {
    for (let index = 0; index < FRAME_COUNT; index++) {
      parts = [];
      await program.drawFrame(index);
      await program.takeFrame();
      const [frame, ...others] = parts;
      if (frame === undefined || others.length > 0) {
        const message = `${path}: frame ${index} has ${parts.length} parts, not one`;
        throw new RenderError('FRAME_UNSUPPORTED', message);
      }
      yield frame;
    }
  } finally {
    program.close();
  }
}
