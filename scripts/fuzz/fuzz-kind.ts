/** What every kind of fuzzed input has, and the table of kinds. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** One door of the service and how to damage what goes through it. */
export interface FuzzKind {
  /** A damaged input. */
  make(random: SeededRandom): Uint8Array;
  /**
   * Follows an input as far as the service would; gives what became of it in a word.
   *
   * @throws {unknown} What the service would not answer with a 4xx problem: a finding.
   */
  follow(input: Uint8Array): string | Promise<string>;
}

/** Makes each kind with its undamaged inputs. Cheap ones first. */
export const FUZZ_KINDS: Readonly<Record<string, () => Promise<FuzzKind>>> = {
  wire: async () => (await import('./wire-kind.ts')).wireKind(),
  native: async () => (await import('./native-kind.ts')).nativeKind(),
  glsl: async () => (await import('./glsl-kind.ts')).glslKind(),
  gltf: async () => (await import('./gltf-kind.ts')).gltfKind(),
  capture: async () => (await import('./capture-kind.ts')).captureKind(),
};
