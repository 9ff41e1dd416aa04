/**
 * Default WebGL contexts of workers, which render in the thread of the worker. The worker loads
 * this module when it uses WebGL for the first time.
 */
import { WEBGL_CLASSES } from '../../webgl-classes.ts';
import { DrawnCanvases } from '../canvas/drawn-canvases.ts';
import { createInProcessContext } from '../canvas/in-process-context.ts';
import type { WorkerContexts } from './worker-contexts.ts';

export { WEBGL_CLASSES };

/** Creates the contexts of one worker. Their frames have no reports. */
export function makeWorkerContexts(): WorkerContexts {
  const drawn = new DrawnCanvases();
  return {
    create: (kind, canvas, attributes) => {
      const context = createInProcessContext(kind, canvas, attributes);
      drawn.add(canvas, context);
      return context;
    },
    get hasImage() {
      return drawn.hasShownImage;
    },
    endFrames: () => drawn.endFrames(),
    takeFrame: () => Promise.reject(new Error('these contexts have no reports of frames')),
  };
}
