/** Schema of a frame's measurement, the `FrameMeasurement` of packages/multi-chiplet. */
import { OVERLAP_MODES } from '@tessera/multi-chiplet/rendering';
import Type from 'typebox';
import type { StoredJson } from '../protocol/response-schemas.ts';

const count = Type.Integer({ minimum: 0 });
const cycles = Type.Union([Type.Null(), Type.Number()], {
  description: 'Simulated cycles; null with timing=functional',
});
const alternatives = Type.Optional(
  Type.Array(count, { description: 'Cycles with each other specification of a study' }),
);

const BIN_SCHEMA = Type.Object({
  binId: count,
  cycles,
  alternativeCycles: alternatives,
  costTerms: Type.Array(Type.Number(), { description: 'Terms of the cost model' }),
  estimatedCycles: Type.Number({
    description: 'Cycles that the cost model predicts; policies use them',
  }),
  resultBytes: Type.Integer({ minimum: 0, description: 'Bytes that are sent to chiplet 0' }),
  resolveShare: Type.Optional(
    Type.Object(
      { part: count, parts: count, size: Type.Optional(count) },
      { description: 'Pixels that are resolved: `size` from `part` on, of `parts`' },
    ),
  ),
  streamBytes: count,
  isEarly: Type.Boolean({ description: 'Whether chiplet 0 drew it in the visibility phase' }),
});

const RESOURCE_SCHEMA = Type.Object({
  sha256: Type.String(),
  bytes: count,
  kind: Type.Enum(['buffers', 'textures', 'programs']),
  store: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Index of the timing for storing it' }),
  ),
  mipmaps: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Index of the timing for its mipmap levels' }),
  ),
  isDrawn: Type.Boolean({ description: 'Whether an earlier pass drew it' }),
});

const passIndices = (description: string) => Type.Array(count, { description });

const SEGMENTS_SCHEMA = Type.Optional(
  Type.Array(
    Type.Object({
      bytes: count,
      binEntries: Type.Array(count, {
        description: 'Bins with entries and the numbers of their entries, in turn',
      }),
      endCycle: cycles,
      alternativeEndCycles: alternatives,
    }),
    { description: 'Segments of streamed visibility' },
  ),
);

const PASS_SCHEMA = Type.Object({
  grid: Type.Object({ columns: count, rows: count }),
  historyKey: Type.String({ description: 'Key of the bins in predictions from earlier frames' }),
  visibilityCycles: cycles,
  alternativeVisibilityCycles: alternatives,
  visibilityParts: Type.Optional(
    Type.Array(
      Type.Object({
        ...{ cycles, alternativeCycles: alternatives, streamBytes: count },
        segments: SEGMENTS_SCHEMA,
      }),
      { description: 'Parts of the visibility phase on several chiplets' },
    ),
  ),
  visibilitySegments: SEGMENTS_SCHEMA,
  bins: Type.Array(BIN_SCHEMA),
  commandBytes: count,
  streamBytes: count,
  resources: Type.Array(RESOURCE_SCHEMA),
  copyWork: Type.Object(
    {
      timings: Type.Array(
        Type.Object({
          cycles: count,
          counters: Type.Record(Type.String(), Type.Number()),
          alternativeCycles: alternatives,
        }),
      ),
      copies: Type.Array(count, { description: 'Indices of timings' }),
      resolve: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Index of the timing for resolving all bins' }),
      ),
    },
    { description: 'Work of the copy engine' },
  ),
  visibilityNeeds: passIndices('Passes whose results the visibility phase reads'),
  binsNeed: passIndices('Passes whose results the bins read'),
  isShown: Type.Optional(
    Type.Boolean({ description: 'Whether it is the last pass to the screen' }),
  ),
});

/** Measurement of a frame, and the options that only the service knows. */
export const MEASUREMENT_SCHEMA = Type.Unsafe<StoredJson>(
  Type.Object({
    overlap: Type.Enum([...OVERLAP_MODES], { description: 'Overlap of the frame’s own report' }),
    isVisibilityChipletRendering: Type.Boolean({
      description: 'Whether chiplet 0 also renders bins, a setting of the service',
    }),
    passes: Type.Array(PASS_SCHEMA),
  }),
);
