/**
 * Hardware parameters of a chiplet, in one table with unit, range and meaning. Long because it is a
 * table. docs/chiplet-spec.md shows it, and a test compares them.
 */

import {
  PAGE_POLICIES,
  PAGE_STRUCTURES,
  SLOT_POLICIES,
  WARP_ID_LAYOUTS,
} from '@tessera/chip/records';
import { MEMORY_SPEC_FIELDS, MEMORY_SPEC_SWITCHES } from './memory-parameters.ts';
import { REMOTE_SPEC_CHOICES, REMOTE_SPEC_FIELDS } from './remote-parameters.ts';
import { SHADER_SPEC_FIELDS } from './shader-parameters.ts';
import { TEXTURE_SPEC_CHOICES } from './texture-parameters.ts';

/** Unit, range and meaning of an integer field. */
export interface SpecFieldInfo {
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  readonly isPowerOfTwo?: boolean;
  readonly meaning: string;
}

/** Integer fields. */
export const SPEC_FIELDS = {
  clockHz: {
    unit: 'Hz',
    min: 1_000_000,
    max: 10_000_000_000,
    meaning: 'core clock; converts cycles to seconds in reports, affects nothing else',
  },
  fineBinPx: {
    unit: 'pixels',
    min: 8,
    max: 64,
    isPowerOfTwo: true,
    meaning: 'edge of a square fine bin',
  },
  batchPrimitives: {
    unit: 'primitives',
    min: 1,
    max: 1024,
    meaning: 'number of primitives that closes a primitive batch',
  },
  batchStates: {
    unit: 'draws',
    min: 1,
    max: 64,
    meaning: 'number of draws whose state a primitive batch holds',
  },
  earlyBinPrimitives: {
    unit: 'primitives',
    min: 0,
    max: 1_048_576,
    meaning:
      'number of primitives, after clipping, of a bin that is rendered within the visibility phase, for which local memory has room; 0 for no such bin',
  },
  batchBuffers: {
    unit: 'batches',
    min: 2,
    max: 8,
    meaning: 'maximum number of batches between fine binner and tile traversal',
  },
  binTargets: {
    unit: 'targets',
    min: 2,
    max: 8,
    isPowerOfTwo: true,
    meaning:
      'number of targets in local memory, which the coarse bins of a chiplet use in turn; with coupling exact, a chiplet has one bin less at a time, and at least two',
  },
  batchReadAheadPrimitives: {
    unit: 'primitives',
    min: 1,
    max: 4096,
    meaning: 'number of primitives of a closed batch whose records are read ahead',
  },
  drawStateCycles: {
    unit: 'cycles',
    min: 1,
    max: 10_000,
    meaning: 'time in which the command processor loads the state of a draw',
  },
  streamReadAheadLines: {
    unit: 'lines',
    min: 1,
    max: 256,
    meaning: 'number of lines of the visibility stream that the command processor reads ahead',
  },
  streamCoderIntervalCycles: {
    unit: 'cycles',
    min: 1,
    max: 64,
    meaning: 'interval between two entries that the coder of visibility streams encodes',
  },
  streamSegmentEntries: {
    unit: 'entries',
    min: 64,
    max: 1_048_576,
    meaning:
      'number of listed entries after which a segment of streamed visibility ends, at the end of a primitive batch',
  },
  streamDecoderIntervalCycles: {
    unit: 'cycles',
    min: 1,
    max: 64,
    meaning:
      'interval between two entries of a visibility stream that the command processor decodes',
  },
  vertexLookupsPerCycle: {
    unit: 'vertices per cycle',
    min: 1,
    max: 16,
    meaning: 'rate of post-transform cache lookups, one per corner of a primitive',
  },
  postTransformCacheVertices: {
    unit: 'vertices',
    min: 3,
    max: 3072,
    meaning: 'capacity of the post-transform cache, a FIFO of shaded vertices',
  },
  primitiveQueueEntries: {
    unit: 'primitives',
    min: 4,
    max: 4096,
    meaning: 'maximum number of primitives that wait for shaded vertices',
  },
  clipPieceCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'time per piece that the clipper makes of a primitive across a plane',
  },
  setupIntervalCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'interval between two primitives at setup',
  },
  traversalLevelCycles: {
    unit: 'cycles',
    min: 1,
    max: 64,
    meaning: 'latency of one of the seven levels of tile traversal',
  },
  depthQuadsPerCycle: {
    unit: 'quads per cycle',
    min: 1,
    max: 4,
    meaning: 'rate of early depth tests for quads that hierarchical depth did not decide',
  },
  hierarchicalDepthBlocksPerCycle: {
    unit: 'blocks per cycle',
    min: 1,
    max: 16,
    meaning: 'number of blocks of 4×4 pixels that hierarchical depth tests per cycle',
  },
  hierarchicalDepthDelayCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning: 'time from the depth test of a block to its effect on later ones',
  },
  smCount: {
    unit: 'shader cores',
    min: 1,
    max: 64,
    meaning: 'number of shader cores; each issues one warp instruction per cycle',
  },
  warpSlotsPerSm: {
    unit: 'warps',
    min: 1,
    max: 64,
    meaning: 'number of warps in flight per shader core',
  },
  warpIdFloor: {
    unit: 'warp IDs',
    min: 0,
    max: 2048,
    meaning:
      'minimum number of warp IDs for vertices, and for fragments; with 0 the chiplet may deadlock',
  },
  warpIdPlenty: {
    unit: 'warp IDs',
    min: 2,
    max: 64,
    meaning: 'number of free warp IDs from which a type of work gives one away (case 1)',
  },
  warpIdLockCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'time for which the queues of warp IDs are locked while an ID moves',
  },
  warpGroupSlots: {
    unit: 'warps',
    min: 1,
    max: 64,
    meaning: 'group size of the two-level round robin in a shader core',
  },
  schedulingSeed: {
    unit: 'number',
    min: 0,
    max: 2_147_483_647,
    meaning: 'seed of the random choices of slot policies',
  },
  vertexResultWarps: {
    unit: 'warps',
    min: 1,
    max: 1024,
    meaning:
      'capacity of the FIFO of shaded vertex warps before primitive assembly; warps that do not fit keep their slots',
  },
  warpThreads: {
    unit: 'lanes',
    min: 4,
    max: 32,
    isPowerOfTwo: true,
    meaning: 'number of lanes per warp; fragments fill them in quads of four',
  },
  fragmentWarpWindow: {
    unit: 'warps',
    min: 1,
    max: 4096,
    meaning:
      'maximum number of fragment warps between packing and output merger, which processes them in order',
  },
  interpolatedComponentsPerCycle: {
    unit: 'quad components per cycle',
    min: 1,
    max: 1024,
    meaning: 'rate of the interpolator in varying components of quads',
  },
  textureQuadsPerCycle: {
    unit: 'quads per cycle',
    min: 1,
    max: 8,
    meaning: 'rate of filtered samples per texture unit; each shader core has one',
  },
  textureLinesPerCycle: {
    unit: 'lines per cycle',
    min: 1,
    max: 64,
    meaning:
      "rate at which a texture unit reads lines of its cache; a warp's lookup reads each of its lines once",
  },
  textureLookupsPerWarp: {
    unit: 'lookups',
    min: 1,
    max: 64,
    meaning:
      'maximum number of texture lookups of a warp in flight; with 1 a warp waits for each lookup',
  },
  textureMissEntries: {
    unit: 'lines',
    min: 1,
    max: 4096,
    meaning: 'maximum number of lines in flight to the cache of a texture unit',
  },
  textureLatencyCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'latency from the last quad of a request to its result if all lines are cached',
  },
  textureCacheBytes: {
    unit: 'bytes',
    min: 1024,
    max: 1_048_576,
    isPowerOfTwo: true,
    meaning: "size of a texture unit's first-level cache",
  },
  textureCacheWays: {
    unit: 'lines',
    min: 1,
    max: 16,
    isPowerOfTwo: true,
    meaning: 'associativity of that cache; a line has 64 bytes',
  },
  ...SHADER_SPEC_FIELDS,
  ...MEMORY_SPEC_FIELDS,
  ...REMOTE_SPEC_FIELDS,
  outputQuadsPerCycle: {
    unit: 'quads per cycle',
    min: 1,
    max: 8,
    meaning: 'rate of the output merger without blending or late tests',
  },
  outputReadCycles: {
    unit: 'cycles',
    min: 0,
    max: 16,
    meaning:
      'additional time for as many quads if it also reads the target: blending, or stencil and late depth',
  },
  outputMergerWarps: {
    unit: 'warps',
    min: 1,
    max: 64,
    meaning: 'number of warps whose blocks the output merger has looked up but not written yet',
  },
  outputBusBytesPerCycle: {
    unit: 'bytes per cycle',
    min: 1,
    max: 4096,
    meaning: 'rate at which finished bins and visibility streams leave the chiplet',
  },
  outputReadAheadLines: {
    unit: 'lines',
    min: 16,
    max: 4096,
    meaning: 'number of lines that the output bus reads ahead from the finished bin',
  },
  queueEntries: {
    unit: 'entries',
    min: 1,
    max: 1024,
    meaning: 'capacity of a queue between two units',
  },
  quadListQuads: {
    unit: 'quads',
    min: 2048,
    max: 16_384,
    meaning:
      'maximum number of quads shaded in one kernel call; bounds host memory, does not change the cycles of shaders without loops',
  },
  invocationInstructionBudget: {
    unit: 'instructions',
    min: 2 ** 10,
    max: 2 ** 30,
    meaning:
      'maximum number of instructions in the loops of one shader invocation; a frame that exceeds it fails',
  },
  runInstructionBudget: {
    unit: 'instructions',
    min: 2 ** 20,
    max: 2 ** 50,
    meaning:
      'maximum number of instructions in all shader invocations of a coarse bin or of a visibility phase; a frame that exceeds it fails',
  },
  maxBinPixels: {
    unit: 'pixels',
    min: 4096,
    max: 2 ** 26,
    meaning: 'number of pixels in the largest coarse bin, times their samples',
  },
  texturePoolBytes: {
    unit: 'bytes',
    min: 2 ** 20,
    max: 2 ** 30,
    meaning: 'size of local memory for textures',
  },
} as const satisfies Record<string, SpecFieldInfo>;

/** Switches, which are booleans. */
export const SPEC_SWITCHES = {
  hasBoxTest: 'tiles are also tested against the bounding box of the primitive',
  entersAtBoxLevel:
    'primitives enter tile traversal at the level that matches their box, not at level 1',
  testsTileCorners: 'tiles are tested at their corners, not at their outermost sample points',
  hasHierarchicalDepth: 'blocks behind all stored depths are dropped without a depth test',
  hasFineGrainedIssue:
    'the two-level round robin chooses a warp in every cycle; without it, a warp issues up to its next lookup, end or wait',
  hasSerialWarpIdFrees:
    'a warp ID of each type is freed per cycle, and none while the queues are locked; without it, any number at any time',
  fragmentTakesLastId:
    'pixel-biased: fragments get both of the last two free warp IDs even if vertices also request one (case 3, not 2)',
  ...MEMORY_SPEC_SWITCHES,
} as const satisfies Record<string, string>;

/** Values and meaning of a choice. */
export interface SpecChoiceInfo {
  readonly values: readonly string[];
  readonly meaning: string;
}

/** Fields that have one of a few named values. */
export const SPEC_CHOICES = {
  ...TEXTURE_SPEC_CHOICES,
  ...REMOTE_SPEC_CHOICES,
  dramPagePolicy: {
    values: PAGE_POLICIES,
    meaning:
      'when a bank closes its row: for another row, at once, or as the requests that wait say (adaptive)',
  },
  pageStructure: {
    values: PAGE_STRUCTURES,
    meaning:
      'how a client finds the next page: by a table in memory, with translations on the chip (tlbEntries), or by lists of the pages of buffers and display lists in on-chip memory',
  },
  slotPolicy: {
    values: SLOT_POLICIES,
    meaning: 'type of work that gets a warp slot when both request it',
  },
  warpIdLayout: {
    values: WARP_ID_LAYOUTS,
    meaning: 'initial distribution of the two halves of the warp IDs over the shader cores',
  },
} as const satisfies Record<string, SpecChoiceInfo>;
