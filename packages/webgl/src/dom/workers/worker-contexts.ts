/** WebGL contexts of a worker, from a module that is loaded when the worker needs them. */
import type { CreateCanvasContext } from '../canvas/canvas-surface.ts';
import type { WorkerFrame } from './worker-protocol.ts';

/** WebGL contexts of one worker. */
export interface WorkerContexts {
  readonly create: CreateCanvasContext;
  /** Whether a shown canvas has changes that its next frame would show. */
  readonly hasImage: boolean;
  /** Ends the frames of all shown canvases. */
  endFrames(): void;
  /** Ends the frame of the first shown canvas and renders it. */
  takeFrame(): Promise<WorkerFrame>;
}

/** Exports of a module that creates contexts. */
export interface WorkerContextsModule {
  /** Classes of WebGL by name, as global names of the worker. */
  readonly WEBGL_CLASSES: Readonly<Record<string, unknown>>;
  readonly makeWorkerContexts: (options: unknown) => WorkerContexts;
}
