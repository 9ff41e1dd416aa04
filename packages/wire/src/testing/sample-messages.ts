/** A message of every type, and a resource of every kind, for tests and fuzzing. */
import { Packr } from 'msgpackr/pack';
import type { Message } from '../messages/messages.ts';
import { makeSampleFrame } from './sample-frame.ts';
import { makeSampleRecords } from './sample-records.ts';

const frame = makeSampleFrame();
const { commands } = frame;
const rect = { x: 0, y: 64, width: 2, height: 1 };
const error = { code: 'CHIPLET_LOST', message: 'gone' } as const;
const sha256 = 'a'.repeat(64);

/** Valid messages of all types. */
export const SAMPLE_MESSAGES: readonly Message[] = [
  {
    type: 'hello',
    protocolVersion: 5,
    role: 'worker',
    crosslinkUrl: null,
    instance: 'host/12',
  },
  { type: 'welcome', chipletId: 3, crosslinkUrl: 'ws://localhost:8081' },
  { type: 'crosslinkAddress', crosslinkUrl: null },
  { type: 'ready', isReady: true },
  { type: 'computeVisibility', requestId: 1, frameId: 'f', passIndex: 0, commands },
  {
    type: 'visibilityDone',
    requestId: 1,
    summary: {
      passIndex: 0,
      bins: [
        {
          binId: 0,
          primitives: 1,
          streamBytes: 2,
          estimatedFragments: 0.5,
          estimatedFragmentInstructions: 1,
          estimatedVertexInstructions: 7,
        },
      ],
      counters: { 'visibility.primitivesIn': 4 },
      cycles: 1234,
      spans: [],
      records: makeSampleRecords(),
      earlyBin: {
        frameId: 'f',
        passIndex: 0,
        binId: 0,
        rect: { x: 0, y: 0, width: 1, height: 2 },
        counters: {},
        cycles: 7,
        spans: [],
        colors: [new Uint8Array(8)],
        depthStencil: null,
      },
    },
  },
  { type: 'visibilityFailed', requestId: 1, error },
  { type: 'renderBin', requestId: 2, request: { frameId: 'f', passIndex: 0, binId: 1 } },
  {
    type: 'binDone',
    requestId: 2,
    result: {
      frameId: 'f',
      passIndex: 0,
      binId: 1,
      rect,
      counters: {},
      queryCounts: [12],
      cycles: 99,
      spans: [
        {
          unit: 'raster.tileTraversal',
          startCycle: 1,
          endCycle: 9,
          busyCycles: 5,
          starvedCycles: 90,
          stalledCycles: 4,
        },
      ],
      depthStencil: Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1),
      colors: [Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    },
  },
  {
    type: 'binDone',
    requestId: 3,
    result: {
      frameId: 'f',
      passIndex: 0,
      binId: 1,
      rect,
      counters: {},
      cycles: null,
      spans: [],
      records: makeSampleRecords(),
      depthStencil: null,
      colors: [Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
    },
  },
  { type: 'binFailed', requestId: 2, error },
  { type: 'releaseFrame', frameId: 'f' },
  { type: 'resource', kind: 'buffer', resource: frame.buffers[0]! },
  { type: 'resource', kind: 'texture', resource: frame.textures[0]! },
  { type: 'resource', kind: 'program', resource: frame.programs[0]! },
  { type: 'broadcastHeld', frameId: 'f', passIndex: 0 },
  { type: 'resourcesMissing', resources: [{ kind: 'program', sha256 }] },
  { type: 'crosslinkHello', protocolVersion: 5, chipletId: 1, held: [{ kind: 'buffer', sha256 }] },
  { type: 'crosslinkWelcome', frameIds: ['f', 'g'] },
  {
    type: 'frameBroadcast',
    frameId: 'f',
    commands,
    visibility: { passIndex: 0, bins: [Uint8Array.of(1, 0), Uint8Array.of(1, 1, 0, 1, 1, 0)] },
  },
  { type: 'ping', sequence: 0 },
  { type: 'pong', sequence: 0 },
];

const packr = new Packr({ useRecords: false, moreTypes: true });

/** Encodes any value as MessagePack like the codec, whether it is a valid message or not. */
export function packValue(value: unknown): Uint8Array {
  return packr.pack(value);
}
