/** The interface of every kind of fuzzed input, and the table of kinds. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** One input of the service and the way to damage it. */
export interface FuzzKind {
  /** Undamaged inputs, with which the corpus starts. */
  readonly seeds: readonly Uint8Array[];
  /**
   * Returns a damaged copy of an input.
   *
   * @param input Seed, or an input that was damaged before.
   * @param other Input of the same kind, for splices.
   */
  mutate(input: Uint8Array, other: Uint8Array, random: SeededRandom): Uint8Array;
  /**
   * Processes an input through the same stages as the service. Returns the outcome in one word.
   *
   * @throws {unknown} An error that the service would not answer with a 4xx problem: a finding.
   */
  follow(input: Uint8Array): string | Promise<string>;
}

/** Makes a kind, and states its share of all inputs. Cheap kinds have larger shares. */
interface KindEntry {
  readonly share: number;
  readonly load: () => Promise<FuzzKind>;
}

/** All kinds, cheap ones first. */
export const FUZZ_KINDS = {
  wire: { share: 0.3, load: async () => (await import('./kinds/wire-kind.ts')).wireKind() },
  native: { share: 0.16, load: async () => (await import('./kinds/native-kind.ts')).nativeKind() },
  glsl: { share: 0.15, load: async () => (await import('./kinds/glsl-kind.ts')).glslKind() },
  assembly: {
    share: 0.08,
    load: async () => (await import('./kinds/assembly-kind.ts')).assemblyKind(),
  },
  gltf: { share: 0.1, load: async () => (await import('./kinds/gltf-kind.ts')).gltfKind() },
  image: { share: 0.08, load: async () => (await import('./kinds/image-kind.ts')).imageKind() },
  capture: { share: 0.05, load: async () => (await import('./kinds/capture-kind.ts')).captureKind() },
  form: { share: 0.04, load: async () => (await import('./kinds/form-kind.ts')).formKind() },
  rows: { share: 0.04, load: async () => (await import('./kinds/rows-kind.ts')).rowsKind() },
} as const satisfies Readonly<Record<string, KindEntry>>;

/** Name of a kind. */
export type KindName = keyof typeof FUZZ_KINDS;

/** Names of all kinds. */
export const KIND_NAMES = Object.keys(FUZZ_KINDS) as readonly KindName[];
