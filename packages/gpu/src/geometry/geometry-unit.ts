/**
 * Geometry stages of a chiplet for one segment at a time. A segment is a run of primitives of one
 * draw that fits a batch. The unit fetches and shades its distinct vertices, then assembles, culls,
 * clips and sets up its primitives one by one. Both modes of the chiplet run this code, so they
 * make the same decisions.
 */

import type { BoundDraw, VertexStage } from '../command/bound-draw.ts';
import { ALL_EDGES } from '../command/edge-flags.ts';
import { vertexIdOf } from '../command/index-reader.ts';
import { instantiateKernel } from '../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { type OutlineSetup, offsetAt } from '../raster/outline-state.ts';
import { writeTrianglePlanes } from '../raster/planes/attribute-planes.ts';
import { writeTriangleDepth } from '../raster/planes/depth-plane.ts';
import { TriangleBasis } from '../raster/planes/triangle-basis.ts';
import { addOpenEdge } from '../raster/setup/outline-records.ts';
import { doubledArea, isFrontFacing, setupTriangle } from '../raster/setup/triangle-setup.ts';
import {
  generateTriangleSetupKernel,
  PLANES_ALL,
  PLANES_DEPTH,
  PLANES_NONE,
  type TriangleSetupRun,
  writeDrawSetup,
} from '../raster/setup/triangle-setup-kernel.ts';
import {
  FACE_CULLED,
  NO_SAMPLE,
  OUTSIDE,
  type PrimitiveOutcome,
  SET_UP,
  ZERO_AREA,
} from '../records/raster-record.ts';
import { LineUnit } from './line-unit.ts';
import { PolygonFacing } from './polygon-facing.ts';
import { type PlaneChoice, type PlaneTarget, takePrimitiveRecord } from './primitive-planes.ts';
import { shadeVertices } from './vertex-shading.ts';
import { NEEDS_CLIPPING, NOT_FINITE, OUTSIDE_ALL } from './vertices/clip-codes.ts';
import { clipPolygon, clipVertexOf, planesForCodes, storeClipVertex } from './vertices/clipper.ts';
import { assemblePrimitive, isListTopology } from './vertices/primitive-assembly.ts';
import { fetchVertices } from './vertices/vertex-fetch.ts';
import { VertexReuse } from './vertices/vertex-reuse.ts';
import { VertexStore } from './vertices/vertex-store.ts';

/** Order in which the edges of a triangle are drawn, by their first corner. */
const EDGE_ORDER = [2, 0, 1] as const;
/** Order in which the corners of a triangle are drawn. */
const CORNER_ORDER = [0, 1, 2] as const;

/** Runs segments through the geometry stages. */
export class GeometryUnit {
  /** Number of distinct vertices in the segment. */
  vertexCount = 0;
  /** Number of corners in the segment that reused a vertex. */
  reusedCorners = 0;
  /** Whether clipping cut the last primitive. */
  wasClipped = false;
  /** Outcome of the last primitive. */
  lastOutcome: PrimitiveOutcome = SET_UP;
  /** Outcomes of the primitives processed by {@link setUpTriangles}, by index in the segment. */
  readonly outcomes: Uint8Array;
  /** Number of primitives in {@link outcomes} that have a raster record. */
  recordsMade = 0;
  /** Number of primitives in {@link outcomes} that were dropped, except those without a sample. */
  trianglesCulled = 0;

  readonly #memory: ChipletMemory;
  readonly #vertices: VertexStore;
  readonly #reuse: VertexReuse;
  readonly #corners: Int32Array;
  readonly #elements = new Int32Array(3);
  /** Edge flags of the segment's triangles, if the draw has outlines. */
  readonly #edgeFlags: Uint8Array;
  readonly #triangleBasis = new TriangleBasis();
  readonly #facing: PolygonFacing;
  readonly #lines: LineUnit;
  /** Triangle-setup kernels by samples per pixel. */
  readonly #setupKernels = new Map<number, TriangleSetupRun>();
  /** Draw whose parameters the triangle-setup kernel has. */
  #kernelDraw: BoundDraw | null = null;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    this.#vertices = new VertexStore(memory);
    this.#facing = new PolygonFacing(memory, this.#vertices);
    this.#lines = new LineUnit(memory, this.#vertices);
    this.#edgeFlags = new Uint8Array(memory.vertexCapacity);
    this.#reuse = new VertexReuse(memory.vertexCapacity);
    this.#corners = memory.i32.subarray(
      memory.cornersPtr >> 2,
      (memory.cornersPtr >> 2) + memory.vertexCapacity,
    );
    this.outcomes = memory.u8.subarray(memory.outcomesPtr, memory.triangleSetupPtr);
  }

  #setupKernelOf({ setup: { sampleCount } }: BoundDraw): TriangleSetupRun {
    let kernel = this.#setupKernels.get(sampleCount);
    if (kernel === undefined) {
      const module = generateTriangleSetupKernel(this.#memory, sampleCount);
      kernel = instantiateKernel<TriangleSetupRun>(module, this.#memory.memory);
      this.#setupKernels.set(sampleCount, kernel);
    }
    return kernel;
  }

  /** Vertex index of each corner. The corners of primitive k start at k × corners. */
  get cornerVertices(): Int32Array {
    return this.#corners;
  }

  /** Vertex index and instance of each vertex in the segment. */
  get vertexIds(): Uint32Array {
    return this.#reuse.vertexIds;
  }

  get instanceIds(): Uint32Array {
    return this.#reuse.instanceIds;
  }

  /**
   * Fetches, shades and transforms the vertices of primitives `ids[start]` to `ids[end − 1]` of the
   * draw.
   *
   * @param ids Primitive ids in ascending order: instance × primitivesPerInstance + k.
   * @param constantsPtr Address of the draw's constant bank.
   * @param texturesPtr Address of its texture table.
   */
  loadSegment(
    draw: BoundDraw,
    stage: VertexStage,
    ids: Uint32Array,
    start: number,
    end: number,
    constantsPtr: number,
    texturesPtr: number,
  ): void {
    this.#gatherVertices(draw, ids, start, end);
    if (draw.setup.outlines !== null) this.#gatherEdgeFlags(draw, ids, start, end);
    const count = this.#reuse.count;
    this.vertexCount = count;
    this.reusedCorners = (end - start) * draw.corners - count;
    const { vertexIds, instanceIds } = this.#reuse;
    fetchVertices(this.#memory, stage.fetch, vertexIds, instanceIds, count);
    shadeVertices(this.#memory, stage, count, constantsPtr, texturesPtr);
    this.#vertices.setProgram(stage.program);
    this.#vertices.transform(count, draw.viewport);
  }

  /**
   * Copies outputs of the segment's first corners, corner by corner. Outputs that the program does
   * not write are 0.
   *
   * @param firstSlot First of `slotCount` consecutive output slots.
   * @param into Receives `slotCount` words of each corner, from `at` on.
   */
  copyOutputs(
    cornerCount: number,
    firstSlot: number,
    slotCount: number,
    into: Uint32Array,
    at: number,
  ): void {
    const { u32 } = this.#memory;
    const vertices = this.#vertices;
    for (let slot = 0; slot < slotCount; slot++) {
      const word = vertices.wordOfSlot(firstSlot + slot);
      if (word < 0) continue;
      for (let corner = 0; corner < cornerCount; corner++) {
        const from = vertices.outputIndex(this.#corners[corner]!) + 4 * word;
        into[at + corner * slotCount + slot] = u32[from]!;
      }
    }
  }

  #gatherVertices(draw: BoundDraw, ids: Uint32Array, start: number, end: number): void {
    const { topology, count } = draw.draw;
    const { corners: cornerCount, primitivesPerInstance, indexReader, attributes } = draw;
    const reuse = this.#reuse;
    const elements = this.#elements;
    reuse.clear();
    let to = 0;
    if (indexReader.indices === null && isListTopology(topology)) {
      // Every corner has a vertex of its own.
      for (let i = start; i < end; i++) {
        const id = ids[i]!;
        const instance = id < primitivesPerInstance ? 0 : Math.floor(id / primitivesPerInstance);
        const first = indexReader.first + (id - instance * primitivesPerInstance) * cornerCount;
        for (let corner = 0; corner < cornerCount; corner++) {
          this.#corners[to++] = reuse.append(first + corner, instance);
        }
      }
      return;
    }
    const { indices } = indexReader;
    const isOneInstance = end > start && ids[end - 1]! < primitivesPerInstance;
    if (indices !== null && topology === 'triangles' && isOneInstance) {
      reuse.numberTriangles(indices, indexReader.first, ids, start, end, this.#corners);
      return;
    }
    for (let i = start; i < end; i++) {
      const id = ids[i]!;
      const instance = id < primitivesPerInstance ? 0 : Math.floor(id / primitivesPerInstance);
      const k = id - instance * primitivesPerInstance;
      assemblePrimitive(topology, k, count, elements, 0, attributes.provoking);
      for (let corner = 0; corner < cornerCount; corner++) {
        this.#corners[to++] = reuse.numberOf(vertexIdOf(indexReader, elements[corner]!), instance);
      }
    }
  }

  #gatherEdgeFlags(draw: BoundDraw, ids: Uint32Array, start: number, end: number): void {
    const { edgeFlags, primitivesPerInstance } = draw;
    for (let i = start; i < end; i++) {
      const flags = edgeFlags?.[ids[i]! % primitivesPerInstance];
      this.#edgeFlags[i - start] = flags ?? ALL_EDGES;
    }
  }

  /**
   * Sets up primitive `k` of the segment as up to `MAX_CLIP_PRIMITIVES` raster records from
   * `record`. Only triangles can have depth without attributes.
   *
   * @returns Number of records. If it is 0, {@link lastOutcome} gives the reason.
   */
  setUpPrimitive(draw: BoundDraw, k: number, record: number, planes: PlaneChoice): number {
    this.wasClipped = false;
    switch (draw.corners) {
      case 3:
        return draw.setup.outlines === null
          ? this.#setUpTriangle(draw, k, record, planes)
          : this.#setUpPolygon(draw, draw.setup.outlines, k, record, planes);
      case 2:
        return this.#setUpLine(draw, k, record, planes);
      case 1:
        return this.#setUpPoint(draw, k, record, planes);
    }
  }

  #setUpLine(draw: BoundDraw, k: number, record: number, planes: PlaneChoice): number {
    const lines = this.#lines;
    const start = this.#corners[2 * k]!;
    const end = this.#corners[2 * k + 1]!;
    const provoking = provokingOf(draw, start, end);
    lines.origin = { provoking, isFrontFacing: true, depthOffset: 0 };
    const made = lines.setUpLine(draw, start, end, this.#vertexBehind(), record, planes);
    this.wasClipped = lines.wasClipped;
    this.lastOutcome = lines.lastOutcome;
    return made;
  }

  #setUpPoint(draw: BoundDraw, k: number, record: number, planes: PlaneChoice): number {
    const vertex = this.#corners[k]!;
    this.#lines.origin = { provoking: vertex, isFrontFacing: true, depthOffset: 0 };
    const made = this.#lines.setUpPoint(draw, vertex, record, planes);
    this.lastOutcome = this.#lines.lastOutcome;
    return made;
  }

  /** Sets up a triangle in the way of its facing: filled, as lines, or as points. */
  #setUpPolygon(
    draw: BoundDraw,
    outlines: OutlineSetup,
    k: number,
    record: number,
    planes: PlaneChoice,
  ): number {
    const [v0, v1, v2] = this.#corners.subarray(3 * k, 3 * k + 3);
    const { setup, viewport } = draw;
    const corners = [v0!, v1!, v2!] as const;
    const facing = this.#facing;
    const free = this.#vertexBehind();
    if (!facing.measure(corners, free, viewport, setup.isFrontClockwise)) {
      return this.#drop(OUTSIDE);
    }
    if (facing.isFront ? setup.cullsFront : setup.cullsBack) return this.#drop(FACE_CULLED);
    const mode = facing.isFront ? outlines.front : outlines.back;
    let made = 0;
    if (mode === 'fill') {
      made = this.#setUpTriangle(draw, k, record, planes);
      for (let i = 0; i < made; i++) addOpenEdge(this.#memory, record + i);
      return made;
    }
    this.wasClipped = facing.wasClipped;
    const lines = this.#lines;
    lines.origin = {
      provoking: provokingOf(draw, corners[0], corners[2]),
      isFrontFacing: facing.isFront,
      depthOffset: offsetAt(outlines[mode], facing.slope),
    };
    const flags = this.#edgeFlags[k]!;
    this.lastOutcome = NO_SAMPLE;
    for (const corner of mode === 'line' ? EDGE_ORDER : CORNER_ORDER) {
      if ((flags & (1 << corner)) === 0) continue;
      const from = corners[corner]!;
      const to = corners[(corner + 1) % 3]!;
      if (mode === 'line') made += lines.setUpLine(draw, from, to, free, record + made, planes);
      else made += lines.setUpPoint(draw, from, record + made, planes);
      this.wasClipped ||= lines.wasClipped;
      this.lastOutcome = lines.lastOutcome;
    }
    if (made > 0) this.lastOutcome = SET_UP;
    return made;
  }

  /**
   * Sets up primitives `first` to `end` − 1 of the segment like {@link setUpPrimitive}, with at
   * most one record each. Stops at the first primitive that the kernel cannot handle. Outcomes are
   * in {@link outcomes}.
   *
   * @param record Index of the first raster record to write.
   * @param recordLimit Index after the last record that may be written.
   * @param source Batch index of primitive `first`. Each record stores its primitive's batch index.
   * @param drawSlot State slot of the draw, stored in each record.
   * @returns Index of the first primitive not set up: `end`, one for {@link setUpPrimitive}, or one
   *   without room for its record.
   */
  setUpTriangles(
    draw: BoundDraw,
    first: number,
    end: number,
    record: number,
    recordLimit: number,
    source: number,
    drawSlot: number,
    planes: PlaneChoice,
  ): number {
    this.recordsMade = 0;
    this.trianglesCulled = 0;
    if (!draw.isFilled) return first;
    if (this.#kernelDraw !== draw) {
      this.#kernelDraw = draw;
      writeDrawSetup(this.#memory, draw.setup, draw.attributes, draw.targetHeightPx);
    }
    const hasPlanes = planes !== null && planes !== 'depth';
    const { recordBytes } = draw.attributes;
    const made = hasPlanes ? planes.primitiveCount : 0;
    const setUpByKernel = this.#setupKernelOf(draw);
    const next = setUpByKernel(
      first,
      end,
      record,
      recordLimit,
      source,
      drawSlot,
      hasPlanes ? PLANES_ALL : planes === null ? PLANES_NONE : PLANES_DEPTH,
      hasPlanes ? planes.primitivesPtr + made * recordBytes : 0,
      recordBytes,
      made,
      16 * this.#vertices.outputCount,
    );
    let noSamples = 0;
    for (let k = first; k < next; k++) {
      const outcome = this.outcomes[k];
      if (outcome === SET_UP) this.recordsMade++;
      else if (outcome === NO_SAMPLE) noSamples++;
    }
    this.trianglesCulled = next - first - this.recordsMade - noSamples;
    if (hasPlanes) planes.primitiveCount += this.recordsMade;
    return next;
  }

  #drop(outcome: PrimitiveOutcome): 0 {
    this.lastOutcome = outcome;
    return 0;
  }

  #setUpTriangle(draw: BoundDraw, k: number, record: number, planes: PlaneChoice): number {
    if (this.setUpTriangles(draw, k, k + 1, record, record + 1, 0, 0, planes) > k) {
      this.lastOutcome = this.outcomes[k] as PrimitiveOutcome;
      return this.recordsMade;
    }
    const { code } = this.#vertices;
    const v0 = this.#corners[3 * k]!;
    const v1 = this.#corners[3 * k + 1]!;
    const v2 = this.#corners[3 * k + 2]!;
    const code0 = code[v0]!;
    const code1 = code[v1]!;
    const code2 = code[v2]!;
    const any = code0 | code1 | code2;
    if ((code0 & code1 & code2 & OUTSIDE_ALL) !== 0 || (any & NOT_FINITE) !== 0) {
      return this.#drop(OUTSIDE);
    }
    if ((any & NEEDS_CLIPPING) !== 0)
      return this.#setUpClipped(draw, v0, v1, v2, any, record, planes);
    const result = setupTriangle(this.#memory, this.#vertices, draw.setup, record, v0, v1, v2);
    this.lastOutcome = result;
    if (result !== SET_UP) return 0;
    if (planes !== null)
      this.#writeTriangle(draw, planes, record, v0, v1, v2, provokingOf(draw, v0, v2));
    return 1;
  }

  #setUpClipped(
    draw: BoundDraw,
    v0: number,
    v1: number,
    v2: number,
    codes: number,
    record: number,
    planes: PlaneChoice,
  ): number {
    this.wasClipped = true;
    const corners = [v0, v1, v2];
    const polygon = clipPolygon(
      corners.map((vertex, corner) => clipVertexOf(this.#vertices, vertex, corner)),
      planesForCodes(codes, draw.viewport),
    );
    if (polygon.length === 0) return this.#drop(OUTSIDE);

    const first = this.#vertexBehind();
    for (const [i, clipped] of polygon.entries()) {
      storeClipVertex(this.#memory, this.#vertices, draw.viewport, clipped, corners, first + i);
    }
    // Fan of the clipped polygon. The fill rule gives each sample on an inner edge to one triangle.
    let made = 0;
    let outcome: PrimitiveOutcome = ZERO_AREA;
    for (let i = 1; i + 1 < polygon.length; i++) {
      const a = first;
      const b = first + i;
      const c = first + i + 1;
      const to = record + made;
      const result = setupTriangle(this.#memory, this.#vertices, draw.setup, to, a, b, c);
      if (result === SET_UP) {
        if (planes !== null)
          this.#writeTriangle(draw, planes, to, a, b, c, provokingOf(draw, v0, v2));
        made++;
      } else if (result === NO_SAMPLE || (result === FACE_CULLED && outcome === ZERO_AREA)) {
        outcome = result;
      }
    }
    this.lastOutcome = made > 0 ? SET_UP : outcome;
    return made;
  }

  /** Returns the index of the first clip vertex, at the start of a group of four. */
  #vertexBehind(): number {
    return (this.vertexCount + 3) & ~3;
  }

  #writeTriangle(
    draw: BoundDraw,
    planes: PlaneTarget | 'depth',
    record: number,
    v0: number,
    v1: number,
    v2: number,
    provoking: number,
  ): void {
    const area = doubledArea(this.#vertices, v0, v1, v2);
    const basis = this.#triangleBasis;
    basis.set(this.#vertices, v0, v1, v2);
    writeTriangleDepth(this.#memory, this.#vertices, draw.setup, record, basis, v0, v1, v2);
    if (planes === 'depth') return;
    writeTrianglePlanes(
      this.#memory,
      this.#vertices,
      draw.attributes,
      takePrimitiveRecord(this.#memory, draw, planes, record),
      record,
      basis,
      v0,
      v1,
      v2,
      provoking,
      isFrontFacing(area, draw.setup.isFrontClockwise),
      draw.targetHeightPx,
    );
  }
}

/** Returns the vertex that the flat varyings of a primitive come from. */
function provokingOf({ attributes }: BoundDraw, first: number, last: number): number {
  return attributes.provoking === 'first' ? first : last;
}
