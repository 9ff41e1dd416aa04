/** Registers `toMatchImage` with vitest, and declares it for TypeScript. */
import { expect } from 'vitest';
import { type ImageMatchers, toMatchImage } from './image-matcher.ts';

declare module 'vitest' {
  // The names of the parameters are those of vitest's declaration.
  interface Matchers<R, T> extends ImageMatchers {}
}

expect.extend({ toMatchImage });
