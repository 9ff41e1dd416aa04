/**
 * Renders one frame in a thread that has done nothing before. A thread has modules, compiled kernels and WebAssembly
 * instances of its own, which is all the state that this product has in a process: it is as fresh as a process, and
 * starts in a third of the time.
 */
import { Worker } from 'node:worker_threads';
import type { Image, Report, Timing } from '@tessera/frame';

/** A frame to render, in a file. */
export interface FrameInput {
  readonly kind: 'model' | 'capture' | 'native';
  readonly path: string;
  /** Of a capture. */
  readonly frameIndex: number;
  /** Of a native frame: contents that it names, each in a file of the name of its hash. */
  readonly contentsFolder: string;
  /** Of a model. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly timing: Timing;
}

/** How all of them are rendered. */
export const RENDERED_WITH = {
  chipletCount: 2,
  policy: 'dynamic',
  grid: { kind: 'bins', count: 8 },
  visibilityShader: 'minimal',
} as const;

export interface FreshFrame {
  readonly image: Image;
  readonly report: Report;
}

/** @throws {Error} What the thread throws. */
export function renderFresh(input: FrameInput): Promise<FreshFrame> {
  return new Promise((resolve, reject) => {
    const url = new URL('./fresh-render-thread.ts', import.meta.url);
    const thread = new Worker(url, { workerData: input });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread ended without a frame')));
  });
}
