/** The interface of every kind of fuzzed input, and the table of kinds. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** One input of the service and the way to damage it. */
export interface FuzzKind {
  /** Returns a damaged input. */
  make(random: SeededRandom): Uint8Array;
  /**
   * Processes an input through the same stages as the service. Returns the outcome in one word.
   *
   * @throws {unknown} An error that the service would not answer with a 4xx problem: a finding.
   */
  follow(input: Uint8Array): string | Promise<string>;
}

/** Makes each kind with its undamaged inputs, cheap ones first. */
export const FUZZ_KINDS: Readonly<Record<string, () => Promise<FuzzKind>>> = {
  wire: async () => (await import('./wire-kind.ts')).wireKind(),
  native: async () => (await import('./native-kind.ts')).nativeKind(),
  glsl: async () => (await import('./glsl-kind.ts')).glslKind(),
  gltf: async () => (await import('./gltf-kind.ts')).gltfKind(),
  capture: async () => (await import('./capture-kind.ts')).captureKind(),
};
