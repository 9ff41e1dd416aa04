/** WebGL contexts of the workers of a running program, which the runner takes frames of. */
import type { WorkerContexts } from '../dom/index.ts';
import { WEBGL_CLASSES } from '../webgl-classes.ts';
import { PageContexts, type ProgramBackEnd } from './page-contexts.ts';

export { WEBGL_CLASSES };

/** Renderer of the workers' frames, in a form that a message can contain. */
export interface WorkerBackEnd {
  readonly backEnd: ProgramBackEnd;
  /** Whether the parts of frames are observed, which is possible in the program's thread only. */
  readonly isObserved: boolean;
}

/** Creates the contexts of one worker. */
export function makeWorkerContexts(options: unknown): WorkerContexts {
  const { backEnd, isObserved } = options as WorkerBackEnd;
  const contexts = new PageContexts(backEnd);
  return {
    create: (...args) => {
      if (isObserved) throw new Error('parts of frames are observed, so workers cannot draw');
      return contexts.create(...args);
    },
    get hasImage() {
      return contexts.hasShownImage;
    },
    endFrames: () => contexts.endFrames(),
    takeFrame: async () => {
      const frame = await contexts.takeFrame();
      const { image, report } = frame;
      const sentBytes = 'sentBytes' in frame ? frame.sentBytes : null;
      return { image, report, png: await frame.png(), sentBytes };
    },
  };
}

/** Returns the options of {@link makeWorkerContexts} for a renderer. */
export function toWorkerBackEnd(backEnd: ProgramBackEnd): WorkerBackEnd {
  if (backEnd.kind === 'service') return { backEnd, isObserved: false };
  const { onPart, ...rest } = backEnd;
  return { backEnd: rest, isObserved: onPart !== undefined };
}
