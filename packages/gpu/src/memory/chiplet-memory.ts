/**
 * Local memory of a chiplet: one WebAssembly memory of fixed size, divided into pools at fixed
 * addresses. WebAssembly kernels and TypeScript units share its bytes, so nothing is copied between
 * them. It never grows, so views stay valid for the chiplet's life. Untouched pages use no physical
 * memory.
 */

import { type ChipletSpec, requireChipletSpec } from '@tessera/chiplet-spec';
import { MAX_SAMPLE_COUNT, StopWords } from '@tessera/frame';
import { PRIMITIVE_RECORD, QUAD_RECORD } from '@tessera/shader/codegen';
import { ENTRY_WALK } from '../records/entry-walk-layout.ts';
import { QUAD_TRACES } from '../records/trace-layout.ts';
import type { LineTablePlace } from '../texture/layout/line-table.ts';
import { InstructionMeter } from './instruction-meter.ts';

const PAGE_BYTES = 65_536;

/** Maximum size of a draw's constant bank, in 32-bit words. */
export const MAX_CONSTANT_WORDS = 16_384;
/** Maximum number of 32-bit inputs per vertex, including vertex id and instance id. */
export const MAX_VERTEX_INPUTS = 72;
/** Maximum number of 32-bit outputs per vertex. */
export const MAX_VERTEX_OUTPUTS = 136;
/** Maximum number of varying components that a fragment shader reads. */
export const MAX_FRAGMENT_INPUTS = 128;
/** Maximum number of 32-bit outputs per fragment: 8 targets of 4 components and a depth. */
export const MAX_FRAGMENT_OUTPUTS = 36;
/** Maximum number of vertices that clipping one primitive adds to the batch's. */
export const MAX_CLIP_VERTICES = 32;
/** Maximum number of primitives that clipping one primitive produces. */
export const MAX_CLIP_PRIMITIVES = 8;
/** Size of a raster record in bytes; see raster-record.ts. */
export const RASTER_RECORD_BYTES = 128;

/** Size of the tables for packed fragments in bytes; see lane-packing.ts. */
const LANE_TABLES_BYTES = 512;
/** Size of private memory for the invocations that a kernel runs together, in bytes. */
const SCRATCH_BYTES = 8 * 1024 * 1024;
/** Size of the execution log of a kernel call, in bytes. */
const EXECUTION_LOG_BYTES = 32 * 1024 * 1024;
/** Size of the table of a draw's texture addresses, in bytes. */
const TEXTURE_TABLE_BYTES = 64 * 1024;

/** Returns the number of raster records that a batch may have. */
export function primitiveCapacityOf({
  batchPrimitives,
}: Pick<ChipletSpec, 'batchPrimitives'>): number {
  return batchPrimitives + 8 * MAX_CLIP_PRIMITIVES;
}

/** The memory, its views, and the byte address of each pool. Addresses are multiples of 64. */
export class ChipletMemory {
  readonly memory: WebAssembly.Memory;
  /** Instruction count of the run in progress. */
  readonly instructions: InstructionMeter;
  /** Words by which another thread stops the work in progress; shader kernels import them. */
  readonly stopWords: StopWords;
  readonly u8: Uint8Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;

  /** Number of vertices in the vertex pools, without clip vertices. */
  readonly vertexCapacity: number;
  /** Number of records in the primitive pools. */
  readonly primitiveCapacity: number;
  /** Number of quads in the quad pools. */
  readonly quadCapacity: number;
  /**
   * Number of 2×2 sample quads in the bin target. With four samples per pixel it holds a quarter of
   * the pixels.
   */
  readonly binQuadCapacity: number;

  /** Constant banks, one of `MAX_CONSTANT_WORDS` words per draw of a batch. */
  readonly constantsPtr: number;
  /** Texture tables, one of `textureTableBytes` per draw of a batch. */
  readonly textureTablesPtr: number;
  readonly textureTableBytes = TEXTURE_TABLE_BYTES;
  readonly vertexInputPtr: number;
  readonly vertexOutputPtr: number;
  /**
   * Post-transform values per vertex: 32-bit clip codes, all other values doubles. See
   * vertex-store.ts.
   */
  readonly vertexCodePtr: number;
  readonly vertexWindowXPtr: number;
  readonly vertexWindowYPtr: number;
  readonly vertexExactXPtr: number;
  readonly vertexExactYPtr: number;
  readonly vertexWindowZPtr: number;
  readonly vertexReciprocalWPtr: number;
  /** Vertex indices of a segment's primitives, int32 each. */
  readonly cornersPtr: number;
  /** Setup outcome of each primitive in a segment, one byte each. */
  readonly outcomesPtr: number;
  /** Draw parameters of the triangle-setup kernel; see triangle-setup-kernel.ts. */
  readonly triangleSetupPtr: number;
  readonly primitiveRecordsPtr: number;
  readonly rasterRecordsPtr: number;
  /** Coverage flag per raster record, one byte each; see triangle-coverage.ts. */
  readonly coverageFlagsPtr: number;
  /** Raster records of the fine bin in progress, int32 each. */
  readonly fineBinEntriesPtr: number;
  /** Flag per primitive of the batch, one byte each: 1 after it covered a sample. */
  readonly coveredFlagsPtr: number;
  /** Counts of tile traversal; see traversal-kernel.ts. */
  readonly traversalCountsPtr: number;
  readonly quadsPtr: number;
  /** Depths of quads, one vector per sample. */
  readonly quadDepthsPtr: number;
  readonly fragmentOutputPtr: number;
  /** Distance between consecutive outputs of packed fragments, in bytes. */
  readonly outputPlaneBytes: number;
  /** Packed fragments; see lane-packing.ts. */
  readonly packedPositionsPtr: number;
  readonly packedPrimitivesPtr: number;
  readonly laneTablesPtr: number;
  readonly scratchPtr: number;
  readonly scratchBytes = SCRATCH_BYTES;
  /** A few words for results of kernels. */
  readonly countsPtr: number;
  /** Execution log of kernels; see execution-log.ts of the shader back end. */
  readonly executionLogPtr: number;
  readonly executionLogBytes = EXECUTION_LOG_BYTES;
  readonly binColorPtr: number;
  /**
   * Total size of a bin's color targets in bytes: four times that of the largest bin with one RGBA8
   * target.
   */
  readonly binColorBytes: number;
  readonly binDepthPtr: number;
  readonly binStencilPtr: number;
  /** Variables of the entry-walk kernel; see entry-walk-layout.ts. */
  readonly entryWalkPtr: number;
  /** Variables of the quad-trace kernel; see trace-layout.ts. */
  readonly quadTracesPtr: number;
  /** Start of each quad's records in the execution log, int32 each. */
  readonly traceStartsPtr: number;
  readonly texturePoolPtr: number;
  readonly texturePoolBytes: number;
  /** Table of the pool's lines; see line-table.ts of the texture unit. */
  readonly lineTable: LineTablePlace;

  /** @throws {RangeError} See requireChipletSpec. */
  constructor(given: ChipletSpec, stopWords = new StopWords()) {
    const spec = requireChipletSpec(given);
    this.stopWords = stopWords;
    this.vertexCapacity = spec.batchPrimitives * 3;
    this.primitiveCapacity = primitiveCapacityOf(spec);
    this.quadCapacity = spec.quadListQuads;
    // A bin of odd width or height needs an extra half quad along each edge.
    this.binQuadCapacity = Math.ceil(spec.maxBinPixels / 4) + 8192;
    const vertices = this.vertexCapacity + MAX_CLIP_VERTICES + 4;
    const recordBytes = PRIMITIVE_RECORD.varyings + 16 * MAX_FRAGMENT_INPUTS;

    let end = 1024; // Address 0 stays unused so that a missing pointer is noticed.
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
    this.triangleSetupPtr = take(80 + 4 * (MAX_FRAGMENT_INPUTS + 1));
    this.primitiveRecordsPtr = take(this.primitiveCapacity * recordBytes);
    this.rasterRecordsPtr = take(this.primitiveCapacity * RASTER_RECORD_BYTES);
    this.coverageFlagsPtr = take(this.primitiveCapacity);
    this.fineBinEntriesPtr = take(this.primitiveCapacity * 4);
    this.coveredFlagsPtr = take(this.primitiveCapacity);
    this.traversalCountsPtr = take(64);
    this.quadsPtr = take(this.quadCapacity * QUAD_RECORD.bytes);
    this.quadDepthsPtr = take(this.quadCapacity * 16 * MAX_SAMPLE_COUNT);
    // A vector load may start at any lane, so the last lane needs memory behind it. The extra 64
    // bytes also spread planes over the sets of a cache.
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
    this.quadTracesPtr = take(QUAD_TRACES.bytes + EXECUTION_LOG_BYTES);
    this.traceStartsPtr = take((this.quadCapacity + 1) * 4);
    this.texturePoolBytes = spec.texturePoolBytes;
    this.texturePoolPtr = take(spec.texturePoolBytes);
    // A line before the first one has an entry too.
    const linesPtr = take(64 + spec.texturePoolBytes / 16) + 64;
    this.lineTable = { ptr: linesPtr, poolPtr: this.texturePoolPtr };

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
