/** Renders short lists of calls, of which each fills the window with one color. */
import { reflectByCompiling } from '@tessera/gl';
import { type CapturedCall, type CaptureFrame, replayFrame } from '@tessera/gl/apitrace';
import { LocalGpu } from '@tessera/local-gpu';
import { compileProgram } from '@tessera/shader';
import { expect } from 'vitest';

/** Call without its number. */
export type Call = readonly [name: string, args: CapturedCall['args']];

/** Calls that make a context with a window of 4 × 4 pixels current. */
export const OPEN_WINDOW: readonly Call[] = [
  ['glXCreateContext', { dpy: 1, vis: 2, shareList: null, direct: true }],
  ['glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 5 }],
  ['glViewport', { x: 0, y: 0, width: 4, height: 4 }],
];

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

/** Calls that fill the window with a quad and show it. */
export const FILL_WINDOW: readonly Call[] = [
  ['glBegin', { mode: 7 }],
  ...CORNERS.map(([x, y]): Call => ['glVertex2f', { x, y }]),
  ['glEnd', {}],
  ['glXSwapBuffers', { dpy: 1, drawable: 7 }],
];

const gpu = new LocalGpu({ chipletCount: 1 });

/** Returns the color of the first pixel, of the range 0 to 1. */
export async function render(calls: readonly Call[], frame: CaptureFrame = 0): Promise<number[]> {
  const captured = calls.map(
    ([name, args], number): CapturedCall => ({
      number,
      thread: 0,
      name,
      args,
      result: name === 'glXCreateContext' ? 5 : null,
      isComplete: true,
      isFake: false,
    }),
  );
  const reflection = reflectByCompiling({ compile: compileProgram });
  const { frame: replayed, errors } = replayFrame(captured, { reflection, frame });
  expect(errors).toEqual([]);
  const { image } = await gpu.render(replayed);
  return [...image.rgba.slice(0, 4)].map((value) => value / 255);
}

/** Expects a color up to a step of 8 bits. */
export function expectNear(actual: readonly number[], expected: readonly number[]): void {
  const largest = Math.max(...expected.map((value, i) => Math.abs(value - actual[i]!)));
  expect(largest, `${actual.join()} in place of ${expected.join()}`).toBeLessThanOrEqual(1 / 255);
}
