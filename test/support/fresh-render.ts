/**
 * Renders one frame in a new thread. A thread has its own modules, compiled kernels and WebAssembly
 * instances, which is all the state that this product has in a process. It is as fresh as a process
 * and starts in a third of the time.
 */
import { Worker } from 'node:worker_threads';
import type { Image, Report, Timing } from '@tessera/frame';

/** A frame to render, in a file. */
export interface FrameInput {
  readonly kind: 'model' | 'capture' | 'native';
  readonly path: string;
  /** Index of the frame in a capture. */
  readonly frameIndex: number;
  /** Folder of the contents that a native frame names, each in a file named by its hash. */
  readonly contentsFolder: string;
  /** Size of the image of a model. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly timing: Timing;
}

/** Options for rendering all frames. */
export const RENDERED_WITH = {
  chipletCount: 2,
  policy: 'dynamic',
  grid: { kind: 'bins', count: 8 },
  visibilityShader: 'minimal',
} as const;

/** Image and report of a frame. */
export interface FreshFrame {
  readonly image: Image;
  readonly report: Report;
}

/**
 * Renders a frame in a new thread.
 *
 * @throws {Error} The thread's error.
 */
export function renderFresh(input: FrameInput): Promise<FreshFrame> {
  return new Promise((resolve, reject) => {
    const url = new URL('./fresh-render-thread.ts', import.meta.url);
    const thread = new Worker(url, { workerData: input });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread ended without a frame')));
  });
}
