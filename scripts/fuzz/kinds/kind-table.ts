/** The table of kinds. */
import type { FuzzKind } from './fuzz-kind.ts';

/** Makes a kind, and states its share of all inputs. Cheap kinds have larger shares. */
interface KindEntry {
  readonly share: number;
  readonly load: () => Promise<FuzzKind>;
}

/** All kinds, cheap ones first. */
export const FUZZ_KINDS = {
  wire: { share: 0.3, load: async () => (await import('./wire-kind.ts')).wireKind() },
  native: { share: 0.16, load: async () => (await import('./native-kind.ts')).nativeKind() },
  glsl: { share: 0.15, load: async () => (await import('./glsl-kind.ts')).glslKind() },
  assembly: {
    share: 0.08,
    load: async () => (await import('./assembly-kind.ts')).assemblyKind(),
  },
  gltf: { share: 0.1, load: async () => (await import('./gltf-kind.ts')).gltfKind() },
  image: { share: 0.08, load: async () => (await import('./image-kind.ts')).imageKind() },
  capture: {
    share: 0.05,
    load: async () => (await import('./capture-kind.ts')).captureKind(),
  },
  form: { share: 0.04, load: async () => (await import('./form-kind.ts')).formKind() },
  rows: { share: 0.04, load: async () => (await import('./rows-kind.ts')).rowsKind() },
  webgl: { share: 0.005, load: async () => (await import('./webgl-kind.ts')).webglKind() },
} as const satisfies Readonly<Record<string, KindEntry>>;

/** Name of a kind. */
export type KindName = keyof typeof FUZZ_KINDS;

/** Names of all kinds. */
export const KIND_NAMES = Object.keys(FUZZ_KINDS) as readonly KindName[];
