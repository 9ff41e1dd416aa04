/**
 * The local memory of a chiplet: one WebAssembly memory of fixed size, cut into pools at fixed
 * addresses. Kernels in WebAssembly and units in TypeScript work on the same bytes; nothing is copied
 * between them. It never grows, so the views stay valid for the chiplet's life; pages that are never
 * touched cost nothing on the host.
 */

import { StopWords } from '@tessera/frame';
import { PRIMITIVE_RECORD, QUAD_RECORD } from '@tessera/shader/codegen';
import { ENTRY_WALK } from '../records/entry-walk-layout.ts';
import { MULTISAMPLE_COUNT } from '../records/sample-positions.ts';
import { QUAD_TRACES } from '../records/trace-layout.ts';
import { type ChipletSpec, requireChipletSpec } from '../spec/chiplet-spec.ts';
import { InstructionMeter } from './instruction-meter.ts';

const PAGE_BYTES = 65_536;

/** Most 32-bit words of one draw's constant bank. */
export const MAX_CONSTANT_WORDS = 16_384;
/** Most 32-bit inputs per vertex, vertex id and instance id included. */
export const MAX_VERTEX_INPUTS = 72;
/** Most 32-bit outputs per vertex. */
export const MAX_VERTEX_OUTPUTS = 136;
/** Most varying components that a fragment shader reads. */
export const MAX_FRAGMENT_INPUTS = 128;
/** Most 32-bit outputs per fragment: 8 targets of 4 components and a depth. */
export const MAX_FRAGMENT_OUTPUTS = 36;
/** Vertices that clipping one primitive needs at most, besides the batch's own. */
export const MAX_CLIP_VERTICES = 32;
/** Primitives that clipping one primitive makes at most. */
export const MAX_CLIP_PRIMITIVES = 8;
/** Bytes of a raster record; see raster/raster-record.ts. */
export const RASTER_RECORD_BYTES = 128;

/** Bytes of the tables for packed fragments; see shading/lane-packing.ts. */
const LANE_TABLES_BYTES = 512;
/** Bytes of private memory for the invocations that a kernel runs at once. */
const SCRATCH_BYTES = 8 * 1024 * 1024;
/** Bytes for what a kernel call logs. */
const EXECUTION_LOG_BYTES = 32 * 1024 * 1024;
/** Bytes of the table that tells a kernel of one draw where its textures are. */
const TEXTURE_TABLE_BYTES = 64 * 1024;

/** The memory, its views, and the byte address of each pool (all multiples of 64). */
export class ChipletMemory {
  readonly memory: WebAssembly.Memory;
  /** Instructions of the run in hand. */
  readonly instructions: InstructionMeter;
  /** By which another thread stops the work in hand; shader kernels import them. */
  readonly stopWords: StopWords;
  readonly u8: Uint8Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;

  /** Vertices that the vertex pools hold, clip vertices not included. */
  readonly vertexCapacity: number;
  /** Records that the primitive pools hold. */
  readonly primitiveCapacity: number;
  /** Quads that the quad pools hold. */
  readonly quadCapacity: number;
  /** Samples of 2×2 quads that the bin target holds: with four a pixel, a quarter of the quads. */
  readonly binQuadCapacity: number;

  /** Constant banks, one of `MAX_CONSTANT_WORDS` words per draw of a batch. */
  readonly constantsPtr: number;
  /** Texture tables, one of `textureTableBytes` per draw of a batch. */
  readonly textureTablesPtr: number;
  readonly textureTableBytes = TEXTURE_TABLE_BYTES;
  readonly vertexInputPtr: number;
  readonly vertexOutputPtr: number;
  /** Post-transform values by vertex, see geometry/vertex-store.ts: codes of 32 bits, the others doubles. */
  readonly vertexCodePtr: number;
  readonly vertexWindowXPtr: number;
  readonly vertexWindowYPtr: number;
  readonly vertexExactXPtr: number;
  readonly vertexExactYPtr: number;
  readonly vertexWindowZPtr: number;
  readonly vertexReciprocalWPtr: number;
  /** Numbers of the vertices of a segment's primitives, int32 each. */
  readonly cornersPtr: number;
  /** A byte per primitive of a segment: what became of it. */
  readonly outcomesPtr: number;
  /** What the kernel of triangle set-up knows of the draw; see raster/triangle-setup-kernel.ts. */
  readonly triangleSetupPtr: number;
  readonly primitiveRecordsPtr: number;
  readonly rasterRecordsPtr: number;
  /** A byte per raster record; see raster/triangle-coverage.ts. */
  readonly coverageFlagsPtr: number;
  /** Raster records of the fine bin that is walked, int32 each. */
  readonly fineBinEntriesPtr: number;
  /** A byte per primitive of the batch: 1 once it covered a sample. */
  readonly coveredFlagsPtr: number;
  /** Counts of tile traversal; see raster/traversal-kernel.ts. */
  readonly traversalCountsPtr: number;
  readonly quadsPtr: number;
  /** A vector of depths a sample. */
  readonly quadDepthsPtr: number;
  readonly fragmentOutputPtr: number;
  /** From one output of packed fragments to the next. */
  readonly outputPlaneBytes: number;
  /** Packed fragments; see shading/lane-packing.ts. */
  readonly packedPositionsPtr: number;
  readonly packedPrimitivesPtr: number;
  readonly laneTablesPtr: number;
  readonly scratchPtr: number;
  readonly scratchBytes = SCRATCH_BYTES;
  /** A few words for results of kernels. */
  readonly countsPtr: number;
  /** What kernels log of their execution; see execution-log.ts of the shader back end. */
  readonly executionLogPtr: number;
  readonly executionLogBytes = EXECUTION_LOG_BYTES;
  readonly binColorPtr: number;
  /** Of all colour targets of a bin together: four times what the largest bin of one RGBA8 target takes. */
  readonly binColorBytes: number;
  readonly binDepthPtr: number;
  readonly binStencilPtr: number;
  /** What the kernel of the entry walk works with; see raster/entry-walk-layout.ts. */
  readonly entryWalkPtr: number;
  /** A double for each block of 4×4 pixels of a bin; see raster/hierarchical-depth.ts. */
  readonly depthBoundsPtr: number;
  /** What the kernel of quad traces works with; see shading/trace-layout.ts. */
  readonly quadTracesPtr: number;
  /** Where the records of each quad start in the execution log, int32 each. */
  readonly traceStartsPtr: number;
  readonly texturePoolPtr: number;
  readonly texturePoolBytes: number;

  /** @throws {RangeError} See requireChipletSpec. */
  constructor(given: ChipletSpec, stopWords = new StopWords()) {
    const spec = requireChipletSpec(given);
    this.stopWords = stopWords;
    this.vertexCapacity = spec.batchPrimitives * 3;
    this.primitiveCapacity = spec.batchPrimitives + 8 * MAX_CLIP_PRIMITIVES;
    this.quadCapacity = spec.quadListQuads;
    // A bin of odd width or height needs half a quad more along each edge.
    this.binQuadCapacity = Math.ceil(spec.maxBinPixels / 4) + 8192;
    const vertices = this.vertexCapacity + MAX_CLIP_VERTICES + 4;
    const recordBytes = PRIMITIVE_RECORD.varyings + 16 * MAX_FRAGMENT_INPUTS;

    let end = 1024; // Address 0 stays unused, so that a missing pointer is seen.
    const take = (bytes: number): number => {
      const start = end;
      end = Math.ceil((end + bytes) / 64) * 64;
      return start;
    };
    this.constantsPtr = take(spec.batchStates * MAX_CONSTANT_WORDS * 4);
    this.textureTablesPtr = take(spec.batchStates * TEXTURE_TABLE_BYTES);
    this.vertexInputPtr = take(vertices * MAX_VERTEX_INPUTS * 4);
    this.vertexOutputPtr = take(vertices * MAX_VERTEX_OUTPUTS * 4);
    this.vertexCodePtr = take(vertices * 4);
    this.vertexWindowXPtr = take(vertices * 8);
    this.vertexWindowYPtr = take(vertices * 8);
    this.vertexExactXPtr = take(vertices * 8);
    this.vertexExactYPtr = take(vertices * 8);
    this.vertexWindowZPtr = take(vertices * 8);
    this.vertexReciprocalWPtr = take(vertices * 8);
    this.cornersPtr = take(vertices * 4);
    this.outcomesPtr = take(spec.batchPrimitives);
    this.triangleSetupPtr = take(64 + 4 * (MAX_FRAGMENT_INPUTS + 1));
    this.primitiveRecordsPtr = take(this.primitiveCapacity * recordBytes);
    this.rasterRecordsPtr = take(this.primitiveCapacity * RASTER_RECORD_BYTES);
    this.coverageFlagsPtr = take(this.primitiveCapacity);
    this.fineBinEntriesPtr = take(this.primitiveCapacity * 4);
    this.coveredFlagsPtr = take(this.primitiveCapacity);
    this.traversalCountsPtr = take(64);
    this.quadsPtr = take(this.quadCapacity * QUAD_RECORD.bytes);
    this.quadDepthsPtr = take(this.quadCapacity * 16 * MULTISAMPLE_COUNT);
    // A lane of four is read at any lane: the last one, with what lies behind it. Planes are not all in the same sets of a cache.
    this.outputPlaneBytes = this.quadCapacity * 16 + 64;
    this.fragmentOutputPtr = take(this.outputPlaneBytes * MAX_FRAGMENT_OUTPUTS);
    this.packedPositionsPtr = take(this.quadCapacity * 16 + 64);
    this.packedPrimitivesPtr = take(this.quadCapacity * 16 + 64);
    this.laneTablesPtr = take(LANE_TABLES_BYTES);
    this.scratchPtr = take(SCRATCH_BYTES);
    this.countsPtr = take(256);
    this.executionLogPtr = take(EXECUTION_LOG_BYTES);
    this.binColorBytes = this.binQuadCapacity * 64;
    this.binColorPtr = take(this.binColorBytes);
    this.binDepthPtr = take(this.binQuadCapacity * 16);
    this.binStencilPtr = take(this.binQuadCapacity * 16);
    this.entryWalkPtr = take(ENTRY_WALK.bytes);
    this.depthBoundsPtr = take(this.binQuadCapacity * 8);
    this.quadTracesPtr = take(QUAD_TRACES.bytes + EXECUTION_LOG_BYTES);
    this.traceStartsPtr = take((this.quadCapacity + 1) * 4);
    this.texturePoolBytes = spec.texturePoolBytes;
    this.texturePoolPtr = take(spec.texturePoolBytes);

    const pages = Math.ceil(end / PAGE_BYTES);
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const buffer = this.memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.instructions = new InstructionMeter(this.u32, this.scratchPtr, spec.runInstructionBudget);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}
