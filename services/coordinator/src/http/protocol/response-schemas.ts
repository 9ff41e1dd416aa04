/** Parts of response schemas that several routes use. */
import type { Readable } from 'node:stream';
import {
  COUPLINGS,
  PLACEMENTS,
  TARGET_PLACEMENTS,
  TIMINGS,
  VISIBILITY_SHADERS,
} from '@tessera/frame';
import Type, { type TSchema } from 'typebox';
import { CAUSES_SCHEMA } from './causes-schemas.ts';
import { ENERGY_SCHEMA } from './energy-schemas.ts';
import { PROBLEM_MEDIA_TYPE, type Problem } from './problem.ts';

/** Media type of JSON. */
export const JSON_TYPE = 'application/json';
/** Media type of images. */
export const PNG_TYPE = 'image/png';
/** Media type of a study's rows. */
export const CSV_TYPE = 'text/csv';
/** Media type of a study's rows with their types. */
export const PARQUET_TYPE = 'application/vnd.apache.parquet';
/** Media type of plots. */
export const SVG_TYPE = 'image/svg+xml';
/** Media type of archives. */
export const ZIP_TYPE = 'application/zip';
/** Media type of server-sent events. */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Stored JSON, which is sent unchanged. */
export type StoredJson = string | Buffer | Readable;

/** Body of bytes, for which the API page offers a choice of files. */
export const FILE_SCHEMA = { type: 'string', format: 'binary' } as const;

/** Returns the content of a binary response. */
export function binaryContent(mediaType: string): Record<string, { schema: TSchema }> {
  return {
    [mediaType]: { schema: Type.Unsafe<Buffer | Readable>(FILE_SCHEMA) },
  };
}

/** Returns a response of text. */
export function textContent(mediaType: string, description: string) {
  return {
    description,
    content: { [mediaType]: { schema: Type.Unsafe<string | Readable>({ type: 'string' }) } },
  };
}

const PROBLEM_REF = Type.Unsafe<Problem>({ $ref: 'Problem#' });

/** Returns problem responses for the given statuses. */
export function problems(...statuses: number[]): Record<number, object> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: 'Problem', content: { [PROBLEM_MEDIA_TYPE]: { schema: PROBLEM_REF } } },
    ]),
  );
}

/** Figure in cycles, which is null with functional timing. */
const cycles = Type.Union([Type.Null(), Type.Number()]);
const count = Type.Integer({ minimum: 0 });
const counters = Type.Record(Type.String(), Type.Number(), {
  description: 'Counts by counter name (see GET /v1/counters); counters that are 0 are omitted',
});

/** Specification of a chiplet. */
export const SPEC_SCHEMA = Type.Object({
  name: Type.String(),
  fineBinPx: count,
  clockHz: count,
  parameters: Type.Record(
    Type.String(),
    Type.Union([Type.Number(), Type.Boolean(), Type.String()]),
  ),
});

const TIMELINE_FIELDS = Type.Object({
  displayTimeUnit: Type.Literal('ns'),
  otherData: Type.Record(Type.String(), Type.String()),
  traceEvents: Type.Array(
    Type.Object({
      name: Type.String(),
      ph: Type.String(),
      pid: count,
      tid: count,
      ts: Type.Optional(
        Type.Number({ description: 'Time in microseconds; 1 ns is 1 simulated cycle' }),
      ),
      dur: Type.Optional(Type.Number()),
      args: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    }),
  ),
});
/** Timeline as a Chrome trace. */
export const TIMELINE_SCHEMA = Type.Unsafe<StoredJson>(TIMELINE_FIELDS);

/** Report of a frame, the `Report` of packages/frame. */
export const REPORT_SCHEMA = Type.Object(
  {
    reportVersion: Type.Literal(1),
    frame: Type.Object({ sha256: Type.String(), widthPx: count, heightPx: count }),
    image: Type.Object({ sha256: Type.String({ description: 'SHA-256 of the RGBA bytes' }) }),
    timing: Type.Enum([...TIMINGS]),
    coupling: Type.Enum([...COUPLINGS]),
    spec: SPEC_SCHEMA,
    policy: Type.String(),
    organization: Type.String({ description: 'Way in which chiplets share the frame' }),
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
      segments: Type.Optional(Type.Object({ count, bytes: count, waitedCycles: cycles })),
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
        copyCycles: cycles,
        memory: Type.Union([
          Type.Object(
            {
              bytes: count,
              achievedBytesPerCycle: Type.Number(),
              peakBytesPerCycle: Type.Number(),
              utilization: Type.Number({ minimum: 0, maximum: 1 }),
            },
            {
              description:
                'Traffic of the local memory while the chiplet or its copy engine worked',
            },
          ),
          Type.Null(),
        ]),
        counters,
      }),
    ),
    assignment: Type.Object({
      unit: Type.Enum(['estimatedCost', 'cycles']),
      clock: Type.Enum(['cycles', 'estimate'], {
        description: 'Source of the time at which a chiplet is free',
      }),
      prediction: Type.Enum(['none', 'estimate', 'history', 'mixed']),
      predictionError: cycles,
      steps: count,
      cycles,
      makespanCycles: cycles,
      lowerBoundCycles: cycles,
      imbalance: Type.Number(),
    }),
    placement: Type.Object(
      {
        textures: Type.Enum([...PLACEMENTS]),
        buffers: Type.Enum([...PLACEMENTS]),
        streams: Type.Enum([...PLACEMENTS]),
        targets: Type.Enum([...TARGET_PLACEMENTS]),
        framebuffer: Type.Enum([...TARGET_PLACEMENTS]),
      },
      { description: 'Memories that hold resources and pixels; replicated is a copy in each' },
    ),
    link: Type.Object({
      topology: Type.String(),
      bytesPerCycle: count,
      latencyCycles: count,
      bytes: count,
      cycles,
      transfers: Type.Record(
        Type.String(),
        Type.Object({ count, bytes: count, channelCycles: cycles, waitCycles: cycles }),
        {
          description:
            'Transfers by kind: commands, resources, streams, targets, layers, bins, scanout',
        },
      ),
      channels: Type.Array(
        Type.Object({ channel: Type.String(), packets: count, bytes: count, busyCycles: cycles }),
        { description: 'Traffic of each channel, named by its ends' },
      ),
      remote: Type.Union([
        Type.Object(
          {
            reads: Type.Array(count),
            writes: Type.Array(count),
            bytes: Type.Array(Type.Array(count)),
            lines: Type.Array(
              Type.Object({
                wanted: count,
                cached: count,
                merged: count,
                fetched: count,
                hitRate: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()]),
              }),
            ),
          },
          {
            description:
              'Lines that each chiplet read from and wrote to other memories, bytes of messages by sender and receiver, and lines of other memories that each chiplet found in its cache or fetched',
          },
        ),
        Type.Null(),
      ]),
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
        queryCounts: Type.Optional(
          Type.Array(count, {
            description: 'Fragments that passed, by occlusion query of the pass',
          }),
        ),
        startCycle: cycles,
        uploadCycles: cycles,
        visibilityCycles: cycles,
        copyCycles: cycles,
        cycles,
      }),
    ),
    causes: CAUSES_SCHEMA,
    energy: ENERGY_SCHEMA,
    wall: Type.Object(
      {
        prepareMs: Type.Number(),
        visibilityMs: Type.Number(),
        binsMs: Type.Number(),
        totalMs: Type.Number(),
        retriedBins: count,
        checkedBins: Type.Integer({
          description: 'Number of bins that two or more chiplets rendered with the same result',
        }),
      },
      { description: 'Wall-clock times, the only part that differs between runs' },
    ),
  },
  { $id: 'Report', description: 'Report of a frame' },
);
/** Reference to {@link REPORT_SCHEMA} in the OpenAPI document. */
export const REPORT_REF = Type.Unsafe<StoredJson>({ $ref: 'Report#' });
