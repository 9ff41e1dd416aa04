/** Schemas of the rows of studies, of their pages and of the lines of plots. */
import { COUPLINGS } from '@tessera/frame';
import { BOUNDS, ENERGY_COLUMNS } from '@tessera/study';
import Type from 'typebox';
import { MAX_PAGE_ROWS } from '../../studies/row-page.ts';
import { CHIPLETS_AXIS, STUDY_PLOTS, type StudyPlotName } from '../../studies/study-series.ts';
import type { StoredJson } from '../protocol/response-schemas.ts';
import { VALUE_SCHEMA } from './study-values.ts';

/** Name of a figure that is plotted. */
const FIGURE_SCHEMA = Type.Enum(Object.keys(STUDY_PLOTS) as StudyPlotName[]);

/** Energies, which only studies that ask for them have. */
const ENERGY_FIELDS = Object.fromEntries(
  Object.entries(ENERGY_COLUMNS).map(([name, { unit, meaning }]) => [
    name,
    Type.Optional(Type.Number({ description: `${meaning}; in ${unit}` })),
  ]),
);

/** Row of a study. docs/studies/columns.md has unit and meaning of each field. */
export const ROW_SCHEMA = Type.Object({
  scene: Type.String({ description: 'Title of the frame' }),
  frame: Type.String({ description: 'Id of the frame' }),
  frameIndex: Type.Integer(),
  widthPx: Type.Integer(),
  heightPx: Type.Integer(),
  spec: Type.String(),
  specDigest: Type.String({
    description: 'First 12 digits of the SHA-256 of all hardware parameters',
  }),
  settings: Type.Optional(
    Type.Record(Type.String(), VALUE_SCHEMA, { description: 'Values of the swept parameters' }),
  ),
  bins: Type.Integer({ description: 'Requested number of coarse bins' }),
  grid: Type.String({ description: 'Columns × rows of the last pass, as rendered' }),
  split: Type.Integer(),
  visibility: Type.String(),
  occlusion: Type.Boolean(),
  organization: Type.String(),
  visibilityChiplets: Type.Integer(),
  visibilityDelivery: Type.String(),
  coupling: Type.Enum([...COUPLINGS]),
  policy: Type.String(),
  chiplets: Type.Integer(),
  linkTopology: Type.String(),
  linkBytesPerCycle: Type.Integer(),
  linkLatencyCycles: Type.Integer(),
  placement: Type.String(),
  overlap: Type.String(),
  cycles: Type.Integer(),
  simulatedMs: Type.Number(),
  visibilityCycles: Type.Integer({ description: 'Cycles of all visibility phases' }),
  lowerBoundCycles: Type.Integer({
    description: 'Lower bound on the bin phases of any assignment, summed over the passes',
  }),
  boundBy: Type.Enum(Object.keys(BOUNDS), { description: 'Largest part of the cycles' }),
  speedUp: Type.Number({
    description: 'Cycles on one chiplet with static-blocks and no overlap ÷ cycles',
  }),
  efficiency: Type.Number({ description: 'Speed-up ÷ chiplets; 1 is best' }),
  imbalance: Type.Number({ description: 'Largest share of the bins ÷ mean share; 1 is best' }),
  linkBytes: Type.Integer({ description: 'Bytes of all transfers; a broadcast counts once' }),
  remoteBytes: Type.Integer({ description: 'Bytes of messages between memories' }),
  imageSha256: Type.String(),
  version: Type.String({ description: 'Version of the service' }),
  commit: Type.String({ description: 'Commit of the service; unknown outside a repository' }),
  ...ENERGY_FIELDS,
  counters: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description: 'Requested counters, summed over the chiplets',
      examples: [{ 'memory.bytesRead': 904_512 }],
    }),
  ),
});

/** Query of a page of rows. */
export const ROW_PAGE_QUERY_SCHEMA = Type.Object(
  {
    from: Type.Integer({ minimum: 0, default: 0, description: 'Number of the first row' }),
    limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_ROWS, default: 100 }),
  },
  { additionalProperties: false },
);

/** Page of rows. */
export const ROW_PAGE_SCHEMA = Type.Object(
  {
    from: Type.Integer({ description: 'Number of the first row', examples: [0] }),
    total: Type.Integer({ description: 'Rows of the study when it is done', examples: [8] }),
    next: Type.Union([Type.Null(), Type.Integer({ examples: [100] })], {
      description: 'Number of the first row of the next page; null on the last page',
    }),
    rows: Type.Array(
      Type.Object({
        number: Type.Integer({
          description: 'Number of the row in the study, which never changes',
          examples: [0],
        }),
        ...ROW_SCHEMA.properties,
      }),
    ),
  },
  { $id: 'StudyRowPage', description: 'Rows that exist; those that are not measured are missing' },
);
/** Reference to {@link ROW_PAGE_SCHEMA}; the answer is streamed. */
export const ROW_PAGE_REF = Type.Unsafe<StoredJson>({ $ref: 'StudyRowPage#' });

/** Path parameters of a study's plot. */
export const STUDY_PLOT_PARAMS_SCHEMA = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  plot: FIGURE_SCHEMA,
});

/** Query of the lines of a plot. */
export const SERIES_QUERY_SCHEMA = Type.Object(
  {
    figure: Type.Enum(Object.keys(STUDY_PLOTS) as StudyPlotName[], { default: 'cycles' }),
    over: Type.String({
      minLength: 1,
      maxLength: 100,
      default: CHIPLETS_AXIS,
      description: 'Horizontal axis: chiplets, or a swept hardware parameter that is a number',
    }),
  },
  { additionalProperties: false },
);

const COORDINATE = Type.Number({ examples: [4] });

/** Lines of a plot. */
export const SERIES_SCHEMA = Type.Object(
  {
    figure: FIGURE_SCHEMA,
    over: Type.String({ examples: [CHIPLETS_AXIS] }),
    isMean: Type.Boolean({ description: 'Whether points are geometric means over the frames' }),
    lineCount: Type.Integer({
      description: 'Number of lines with those that are left out',
      examples: [1],
    }),
    lines: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['dynamic, Duck.glb'] }),
        points: Type.Array(Type.Object({ x: COORDINATE, y: COORDINATE })),
      }),
    ),
  },
  { $id: 'StudySeries', description: 'Lines of a plot of a study' },
);
/** Reference to {@link SERIES_SCHEMA}. */
export const SERIES_REF = Type.Unsafe<StoredJson>({ $ref: 'StudySeries#' });
