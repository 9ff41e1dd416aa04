/** Parts of response schemas that several routes share. */
import type { Readable } from 'node:stream';
import { TIMINGS, VISIBILITY_SHADERS } from '@tessera/frame';
import Type, { type TSchema } from 'typebox';
import { PROBLEM_MEDIA_TYPE, type Problem } from './problem.ts';

export const JSON_TYPE = 'application/json';
export const PNG_TYPE = 'image/png';
export const CSV_TYPE = 'text/csv';
export const SVG_TYPE = 'image/svg+xml';
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** JSON as it was stored: it is sent as it is. */
export type StoredJson = string | Buffer | Readable;

/** A body of bytes. */
export function binaryContent(mediaType: string): Record<string, { schema: TSchema }> {
  return {
    [mediaType]: { schema: Type.Unsafe<Buffer | Readable>({ type: 'string', format: 'binary' }) },
  };
}

/** A response of text. */
export function textContent(mediaType: string, description: string) {
  return {
    description,
    content: { [mediaType]: { schema: Type.Unsafe<string | Readable>({ type: 'string' }) } },
  };
}

const PROBLEM_REF = Type.Unsafe<Problem>({ $ref: 'Problem#' });

/** Problem responses of these statuses. */
export function problems(...statuses: number[]): Record<number, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: 'Problem', content: { [PROBLEM_MEDIA_TYPE]: { schema: PROBLEM_REF } } },
    ]),
  );
}

/** Counts and cycles that are null in functional timing. */
const cycles = Type.Union([Type.Null(), Type.Number()]);
const count = Type.Integer({ minimum: 0 });
const counters = Type.Record(Type.String(), Type.Number(), {
  description: 'By name, see GET /v1/counters; a counter that did not move is left out',
});

/** Specification of chiplets. */
export const SPEC_SCHEMA = Type.Object({
  name: Type.String(),
  fineBinPx: count,
  clockHz: count,
  parameters: Type.Record(
    Type.String(),
    Type.Union([Type.Number(), Type.Boolean(), Type.String()]),
  ),
});

/** A Chrome trace. */
const TIMELINE_FIELDS = Type.Object({
  displayTimeUnit: Type.Literal('ns'),
  otherData: Type.Record(Type.String(), Type.String()),
  traceEvents: Type.Array(
    Type.Object({
      name: Type.String(),
      ph: Type.String(),
      pid: count,
      tid: count,
      ts: Type.Optional(Type.Number({ description: 'Microseconds; 1 ns is 1 simulated cycle' })),
      dur: Type.Optional(Type.Number()),
      args: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});
export const TIMELINE_SCHEMA = Type.Unsafe<StoredJson>(TIMELINE_FIELDS);

/** The report of packages/frame. */
export const REPORT_SCHEMA = Type.Object(
  {
    reportVersion: Type.Literal(1),
    frame: Type.Object({ sha256: Type.String(), widthPx: count, heightPx: count }),
    image: Type.Object({ sha256: Type.String({ description: 'Of the RGBA bytes' }) }),
    timing: Type.Enum([...TIMINGS]),
    spec: SPEC_SCHEMA,
    policy: Type.String(),
    totals: Type.Object({
      cycles,
      simulatedMs: cycles,
      vertices: count,
      primitives: count,
      fragments: count,
    }),
    visibility: Type.Object({
      cycles,
      shader: Type.Enum([...VISIBILITY_SHADERS]),
      verticesShaded: count,
      instructionsExecuted: count,
      primitivesIn: count,
      culled: Type.Object({
        outsideView: count,
        face: count,
        zeroArea: count,
        noSample: count,
        occluded: count,
      }),
      earlyBins: count,
      primitivesListed: count,
      streamBytes: count,
      tightness: cycles,
    }),
    bins: Type.Array(
      Type.Object({
        passIndex: count,
        id: count,
        x: count,
        y: count,
        width: count,
        height: count,
        chiplet: count,
        isEarly: Type.Boolean(),
        startCycle: cycles,
        endCycle: cycles,
        primitives: count,
        fragments: count,
        estimatedCost: Type.Number(),
      }),
    ),
    chiplets: Type.Array(
      Type.Object({
        id: count,
        modes: Type.Array(Type.String()),
        binCount: count,
        estimatedCost: Type.Number(),
        busyCycles: cycles,
        idleCycles: cycles,
        idleShare: cycles,
        memory: Type.Union([
          Type.Object(
            {
              bytes: count,
              achievedBytesPerCycle: Type.Number(),
              peakBytesPerCycle: Type.Number(),
              utilization: Type.Number({ minimum: 0, maximum: 1 }),
            },
            { description: 'Local memory while the chiplet was busy' },
          ),
          Type.Null(),
        ]),
        counters,
      }),
    ),
    assignment: Type.Object({
      unit: Type.Enum(['estimatedCost', 'cycles']),
      clock: Type.Enum(['cycles', 'estimate'], {
        description: 'What tells when a chiplet is free',
      }),
      prediction: Type.Enum(['none', 'estimate', 'history', 'mixed']),
      predictionError: cycles,
      steps: count,
      cycles,
      makespanCycles: cycles,
      lowerBoundCycles: cycles,
      imbalance: Type.Number(),
    }),
    link: Type.Object({
      topology: Type.String(),
      bytesPerCycle: count,
      latencyCycles: count,
      bytes: count,
      cycles,
      transfers: Type.Record(
        Type.String(),
        Type.Object({ count, bytes: count, channelCycles: cycles, waitCycles: cycles }),
        { description: 'By kind: commands, resources, streams, targets, bins' },
      ),
    }),
    passes: Type.Array(
      Type.Object({
        draws: count,
        bins: count,
        target: Type.Union([Type.Literal('screen'), Type.Literal('texture')]),
        textureIndex: Type.Union([count, Type.Null()]),
        widthPx: count,
        heightPx: count,
        bytesExchanged: count,
        startCycle: cycles,
        visibilityCycles: cycles,
        cycles,
      }),
    ),
    wall: Type.Object(
      {
        prepareMs: Type.Number(),
        visibilityMs: Type.Number(),
        binsMs: Type.Number(),
        totalMs: Type.Number(),
        retriedBins: count,
        checkedBins: Type.Integer({
          description: 'Bins that two chiplets or more rendered, with the same result',
        }),
      },
      { description: 'Wall-clock figures, the only part that differs between two runs' },
    ),
  },
  { $id: 'Report', description: 'The account of one frame' },
);
/** The schema by its name in the document. */
export const REPORT_REF = Type.Unsafe<StoredJson>({ $ref: 'Report#' });
