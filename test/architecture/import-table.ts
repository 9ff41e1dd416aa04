/** Permitted imports of one workspace. */

export interface ImportRule {
  /** Packages of this repository, without the prefix `@tessera/`. */
  readonly tessera: readonly string[];
  /** Packages from the registry. */
  readonly registry: readonly string[];
  /** Modules of Node that may be imported. */
  readonly node: 'any' | 'none' | readonly string[];
  /**
   * Packages that only threads may import. `entry` is the file that such a thread runs; the files
   * of the main thread must not reach the packages.
   */
  readonly thread?: {
    readonly main: string;
    readonly entry: string;
    readonly tessera: readonly string[];
  };
}

/** Permitted imports by workspace. ARCHITECTURE.md refers to this table. */
export const IMPORT_TABLE: Readonly<Record<string, ImportRule>> = {
  'packages/frame': { tessera: [], registry: [], node: ['node:util', 'node:zlib'] },
  'packages/shader': { tessera: ['frame'], registry: [], node: 'none' },
  // The cycle model also runs in WebAssembly, so it only imports itself.
  'packages/chip': { tessera: [], registry: [], node: 'none' },
  'packages/chiplet-spec': { tessera: ['chip/records', 'frame'], registry: [], node: 'none' },
  'packages/gpu': {
    tessera: [
      'chip',
      'chip/parts',
      'chip/records',
      'chiplet-spec',
      'frame',
      'shader/isa',
      'shader/codegen',
      'shader/wasm',
      'shader/interpreter',
    ],
    registry: [],
    node: 'none',
  },
  'packages/energy': { tessera: ['die-cost', 'frame'], registry: [], node: 'none' },
  'packages/multi-chiplet': {
    tessera: [
      'chip',
      'chip/records',
      'chiplet-spec',
      'energy',
      'frame',
      'frame/errors',
      'frame/placement',
      'frame/report',
      'shader',
      'shader/isa',
    ],
    registry: [],
    node: ['node:crypto'],
  },
  'packages/local-gpu': {
    tessera: [
      'chiplet-spec',
      'energy',
      'frame',
      'gpu',
      'gpu/probe',
      'multi-chiplet',
      'multi-chiplet/rendering',
      'sampling',
    ],
    registry: [],
    node: 'none',
  },
  'packages/die-cost': { tessera: ['chiplet-spec', 'frame'], registry: [], node: 'none' },
  'packages/plot': { tessera: [], registry: [], node: 'none' },
  // Of `frame` it imports types only.
  'packages/sampling': { tessera: ['frame'], registry: [], node: 'none' },
  'packages/engine': {
    tessera: [],
    registry: ['pg', 'pg-boss'],
    node: ['node:crypto', 'node:sqlite', 'node:timers/promises'],
  },
  // Of a cluster, so a single machine never loads it.
  'packages/blobs': { tessera: [], registry: ['aws4fetch', 'undici'], node: 'any' },
  'packages/study': {
    tessera: ['chiplet-spec', 'energy', 'frame', 'multi-chiplet/rendering'],
    // In `study/parquet` only.
    registry: ['hyparquet-writer'],
    node: ['node:fs', 'node:path'],
  },
  'packages/wire': { tessera: ['frame'], registry: ['msgpackr/pack', 'ws'], node: 'any' },
  'packages/gl': { tessera: ['frame'], registry: [], node: ['node:crypto', 'node:zlib'] },
  'packages/webgl': {
    tessera: [
      'chiplet-spec',
      'client',
      'energy',
      'frame',
      'frame/png',
      'gl',
      'gpu',
      'local-gpu',
      'multi-chiplet',
      'scenes/images',
      'shader',
    ],
    registry: ['jpeg-js'],
    node: 'any',
  },
  'packages/scenes': {
    tessera: ['frame', 'gl/compressed-formats'],
    registry: [
      '@gltf-transform/core',
      '@gltf-transform/extensions',
      '@jsquash/avif/codec/dec/avif_dec.js',
      '@jsquash/jpeg/codec/dec/mozjpeg_dec.js',
      '@jsquash/webp/codec/dec/webp_dec.js',
      'draco3d',
      'jpeg-js',
      'ktx2-encoder',
      'meshoptimizer/decoder',
      // In tests.
      '@jsquash/avif/encode.js',
      '@jsquash/webp/encode.js',
      'meshoptimizer/encoder',
      'pngjs',
    ],
    // node:fs, node:path, node:v8: environment-files.ts only.
    node: [
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:module',
      'node:path',
      'node:v8',
      'node:zlib',
    ],
  },
  'packages/experiments': {
    tessera: [
      'chiplet-spec',
      'client',
      'die-cost',
      'energy',
      'frame',
      'frame/png',
      'gl',
      'gl/apitrace',
      'gpu',
      'gpu/texture',
      'local-gpu',
      'local-gpu/feedback',
      'shader/codegen',
      'shader/simd-interpreter',
      'multi-chiplet',
      'plot',
      'sampling',
      'scenes',
      'scenes/environment-files',
      'scenes/images',
      'scenes/model-options',
      'shader',
      'study',
      'study/parquet',
      'study/revision',
      'webgl',
      'webgl/dom',
      'webgl/program-runner',
      'wire/native-frame',
    ],
    // vitest: the matcher of images registers itself with it.
    registry: ['undici', 'vitest'],
    node: 'any',
  },
  // The library for programs outside of the repository.
  'packages/core': {
    tessera: [
      'chiplet-spec',
      'experiments/read-capture',
      'experiments/read-model',
      'frame',
      'frame/png',
      'local-gpu',
      'multi-chiplet',
      'scenes',
    ],
    registry: [],
    node: 'none',
  },
  'packages/client': { tessera: [], registry: ['undici'], node: 'none' },
  // The dashboard runs in browsers: of `frame` it imports types only.
  'packages/dashboard': {
    tessera: [
      'frame',
      'multi-chiplet/estimate',
      'plot/colors',
      'plot/x-spacing',
      'study/csv-fields',
    ],
    registry: [],
    node: 'none',
  },
  'services/coordinator': {
    tessera: [
      'blobs',
      'chiplet-spec',
      'energy',
      'engine',
      'frame',
      'frame/png',
      'wire',
      'wire/environment',
      'wire/native-frame',
      'wire/post-with-copies',
      'multi-chiplet',
      'plot',
      'plot/colors',
      'multi-chiplet/rendering',
      'gl',
      'gl/apitrace',
      'local-gpu/feedback',
      'scenes',
      'scenes/environment-files',
      'scenes/model-options',
      'study',
      'study/parquet',
      'study/revision',
    ],
    registry: [
      'fastify',
      '@fastify/bearer-auth',
      '@fastify/helmet',
      '@fastify/rate-limit',
      '@fastify/swagger',
      '@fastify/swagger-ui',
      '@fastify/multipart',
      '@fastify/type-provider-typebox',
      'esbuild',
      'typebox',
      'typebox/value',
      'ws',
      'pino',
      'prom-client',
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
    ],
    node: 'any',
    // Machines of simulated chiplets and probes compute for seconds, so no event loop runs them.
    thread: {
      main: 'src/main.ts',
      entry: 'src/compute/compute-thread.ts',
      tessera: ['gpu/timing', 'local-gpu/probe'],
    },
  },
  'services/visibility-chiplet': {
    tessera: [
      'frame',
      'wire',
      'wire/environment',
      'wire/chiplet-health',
      'wire/chiplet-service',
      'wire/chiplet-thread',
      'gpu',
      'chiplet-spec',
    ],
    registry: ['pino', 'ws'],
    node: 'any',
  },
  'services/chiplet-worker': {
    tessera: [
      'frame',
      'wire',
      'wire/environment',
      'wire/chiplet-health',
      'wire/chiplet-service',
      'wire/chiplet-thread',
      'gpu',
      'chiplet-spec',
    ],
    registry: ['pino', 'ws'],
    node: 'any',
  },
};
