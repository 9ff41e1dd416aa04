/**
 * Events that consume energy, by unit. No publication has the energies of fixed functions, such as
 * set-up or a texture filter. They are derived from their arithmetic and from the bits that they
 * move, and so are only as good as the operations listed here. One file because it is one table.
 */
import type { EnergyEvent, EnergySpec, MemoryAccess } from './energy-event.ts';
import { scaleEnergy } from './energy-range.ts';
import { MEMORY_TECHNOLOGIES } from './memory-technologies.ts';

const LINE_BITS = 512;
/** Size of a small memory inside of a unit: the smallest one with a published energy. */
const BUFFER_BYTES = 8192;
/** Words of a vertex after shading: a position and three varyings of four components. */
const VERTEX_BITS = 16 * 32;

const parameter = (name: string) => (spec: EnergySpec) => spec.numberOf(name);
const hasSecondLevel = (spec: EnergySpec) => (spec.has('hasL2Cache', true) ? 1 : 0);

function bufferAccess(bits: number): MemoryAccess {
  return { level: null, bytes: () => BUFFER_BYTES, bits };
}

function firstLevelLine(parameterName: string): MemoryAccess {
  return { level: 'first', bytes: parameter(parameterName), bits: LINE_BITS };
}

/** Line of a slice of the second-level cache. */
const SECOND_LEVEL_LINE: MemoryAccess = {
  level: 'second',
  bytes: (spec) => spec.numberOf('l2CacheBytes') / spec.numberOf('l2Slices'),
  bits: LINE_BITS,
};

/** Lookup of four texels of four components: three linear interpolations each, and addresses. */
const BILINEAR = { halfMultiply: 12, halfAdd: 24, floatMultiply: 2, integerAdd: 8 };
const TRILINEAR = { halfMultiply: 28, halfAdd: 56, floatMultiply: 8, floatAdd: 6, integerAdd: 16 };

/** Events by name. */
export const ENERGY_EVENTS = {
  streamEntry: {
    unit: 'commandProcessor',
    meaning: 'entry of a visibility stream, encoded or decoded',
    counts: { 'visibility.primitivesListed': 1, 'geometry.primitivesIn': 1 },
    operations: [{ integerAdd: 4 }, { integerAdd: 4 }, { integerAdd: 8 }],
    accesses: [bufferAccess(32)],
  },
  vertexLine: {
    unit: 'vertexFetch',
    meaning: 'line of indices or attributes, read from the first-level cache',
    counts: { 'vertexFetch.lineHits': 1, 'vertexFetch.lineMisses': 1 },
    accesses: [firstLevelLine('vertexCacheBytes')],
  },
  vertexLineFilled: {
    unit: 'vertexFetch',
    meaning: 'line of indices or attributes, written to the first-level cache',
    counts: { 'vertexFetch.lineMisses': 1 },
    accesses: [{ ...firstLevelLine('vertexCacheBytes'), level: null }],
  },
  vertexConverted: {
    unit: 'vertexFetch',
    meaning: 'vertex, whose attributes are converted to 32-bit numbers',
    counts: { 'geometry.verticesFetched': 1, 'visibility.verticesShaded': 1 },
    operations: [{ integerAdd: 4 }, { integerAdd: 16 }, { floatMultiply: 16 }],
  },
  primitiveAssembled: {
    unit: 'primitiveAssembly',
    meaning: 'primitive, whose shaded vertices are read',
    counts: { 'geometry.primitivesIn': 1, 'visibility.primitivesIn': 1 },
    operations: [{ integerAdd: 3 }, { integerAdd: 6 }, { integerAdd: 12 }],
    accesses: [bufferAccess(VERTEX_BITS)],
  },
  primitiveProjected: {
    unit: 'clipCull',
    meaning: 'primitive with three vertices: division by w, viewport, area, planes',
    counts: { 'geometry.primitivesIn': 1, 'visibility.primitivesIn': 1 },
    operations: [
      { floatMultiply: 17, floatAdd: 14 },
      { floatMultiply: 23, floatAdd: 20 },
      { floatMultiply: 35, floatAdd: 32 },
    ],
  },
  primitiveClipped: {
    unit: 'clipCull',
    meaning: 'clipped primitive: new vertices of 16 components',
    counts: { 'geometry.primitivesClipped': 1 },
    operations: [
      { floatMultiply: 32, floatAdd: 32 },
      { floatMultiply: 64, floatAdd: 64 },
      { floatMultiply: 192, floatAdd: 192 },
    ],
  },
  primitiveSetUp: {
    unit: 'triangleSetup',
    meaning: 'primitive: three edge functions, planes of depth and 1/w',
    counts: { 'raster.primitivesSetUp': 1 },
    operations: [
      { integerMultiply: 6, integerAdd: 9, floatMultiply: 9, floatAdd: 6 },
      { integerMultiply: 6, integerAdd: 9, floatMultiply: 18, floatAdd: 12 },
      { integerMultiply: 12, integerAdd: 18, floatMultiply: 36, floatAdd: 24 },
    ],
  },
  primitiveBinned: {
    unit: 'fineBinner',
    meaning: 'entry of a fine bin, written to its list',
    counts: { 'binning.primitivesBinned': 1 },
    operations: [{ integerAdd: 4 }, { integerAdd: 8 }, { integerAdd: 16 }],
    accesses: [bufferAccess(32)],
  },
  binEntryRead: {
    unit: 'fineBinReader',
    meaning: 'entry of a fine bin, read with its primitive',
    counts: { 'binning.primitivesBinned': 1 },
    operations: [{ integerAdd: 2 }, { integerAdd: 4 }, { integerAdd: 8 }],
    accesses: [bufferAccess(LINE_BITS)],
  },
  subTile: {
    unit: 'tileTraversal',
    meaning: 'sub-tile that a level passes on: three edge functions and the box',
    counts: {
      'tileTraversal.subTilesLevel1': 1,
      'tileTraversal.subTilesLevel2': 1,
      'tileTraversal.subTilesLevel3': 1,
      'tileTraversal.subTilesLevel4': 1,
      'tileTraversal.subTilesLevel5': 1,
      'tileTraversal.subTilesLevel6': 1,
      'tileTraversal.subTilesLevel7': 1,
    },
    // Sub-tiles that are rejected are not counted. At most three more are tested for each.
    operations: [{ integerAdd: 7 }, { integerAdd: 14 }, { integerAdd: 28 }],
    // A level makes four sub-tiles in a cycle, and there are seven.
  },
  depthTest: {
    unit: 'earlyDepth',
    meaning: 'fragment: interpolated depth, comparison',
    counts: { 'raster.fragmentsCovered': 1 },
    operations: [
      { floatAdd: 1, integerAdd: 1 },
      { floatMultiply: 2, floatAdd: 2, integerAdd: 2 },
      { floatMultiply: 2, floatAdd: 2, integerAdd: 4 },
    ],
  },
  depthBlock: {
    unit: 'earlyDepth',
    meaning: 'block of depth, read from its cache and written to it',
    counts: { 'depthCache.lineHits': 1, 'depthCache.lineMisses': 1 },
    accesses: [firstLevelLine('depthCacheBytes'), firstLevelLine('depthCacheBytes')],
  },
  depthBlockFilled: {
    unit: 'earlyDepth',
    meaning: 'block of depth that is loaded into its cache in place of another one',
    counts: { 'depthCache.lineMisses': 1 },
    accesses: [{ ...firstLevelLine('depthCacheBytes'), level: null, bits: 2 * LINE_BITS }],
  },
  fragmentPacked: {
    unit: 'warpPacking',
    meaning: 'lane of a fragment warp',
    counts: { 'shading.fragmentsShaded': 1, 'shading.helperLanes': 1 },
    operations: [{ integerAdd: 1 }, { integerAdd: 1 }, { integerAdd: 2 }],
    accesses: [bufferAccess(64)],
  },
  laneInterpolated: {
    unit: 'interpolator',
    meaning: 'lane of a fragment warp; its 2, 8 or 16 varying components are not counted',
    counts: { 'shading.fragmentsShaded': 1, 'shading.helperLanes': 1 },
    operations: [
      { floatMultiply: 4, floatAdd: 4 },
      { floatMultiply: 16, floatAdd: 16 },
      { floatMultiply: 32, floatAdd: 32 },
    ],
    // The circuits are those of the shader cores, as in RDNA.
  },
  warpScheduled: {
    unit: 'taskScheduler',
    meaning: 'warp that gets a slot',
    counts: { 'vertexFetch.warps': 1, 'warpPacking.warps': 1 },
    operations: [{ integerAdd: 4 }, { integerAdd: 8 }, { integerAdd: 16 }],
    accesses: [bufferAccess(256)],
  },
  warpInstruction: {
    unit: 'shaderCore',
    meaning: 'instruction of a warp, fetched and issued',
    counts: { 'shaderCore.warpInstructions': 1 },
    operations: [{ integerAdd: 4 }, { integerAdd: 8 }, { integerAdd: 16 }],
    accesses: [{ level: 'first', bytes: parameter('instructionCacheBytes'), bits: 64 }],
  },
  laneInstruction: {
    unit: 'shaderCore',
    // Classes of instructions are not counted, so the range has the cheapest and a fused one.
    meaning: 'instruction of a lane: from an addition of integers to a multiply-add of floats',
    counts: { laneInstructions: 1 },
    operations: [
      { integerAdd: 1 },
      { floatAdd: 0.5, floatMultiply: 0.5 },
      { integerAdd: 1, integerMultiply: 0.25, floatAdd: 1, floatMultiply: 1 },
    ],
    accesses: [
      {
        level: null,
        // Each lane has a slice of the registers, which are read by row.
        bytes: (spec) => spec.numberOf('registerFileBytes') / spec.numberOf('warpThreads'),
        bits: [2 * 32, 3 * 32, 4 * 32],
      },
    ],
  },
  textureLine: {
    unit: 'textureUnit',
    meaning: 'line of texels, read from the first-level cache',
    counts: { 'textureUnit.linesLogged': 1 },
    accesses: [firstLevelLine('textureCacheBytes')],
  },
  textureLineFilled: {
    unit: 'textureUnit',
    meaning: 'line of texels, written to the first-level cache',
    counts: { 'textureUnit.lineMisses': 1 },
    accesses: [{ ...firstLevelLine('textureCacheBytes'), level: null }],
  },
  textureFiltered: {
    unit: 'textureUnit',
    meaning: 'lane of a lookup: addresses and a filter of one level, or of two at the high end',
    counts: { 'textureUnit.requestsLogged': 1 },
    perCount: parameter('warpThreads'),
    operations: [BILINEAR, BILINEAR, TRILINEAR],
    // Four lanes of a quad; a filter of two levels takes two cycles.
  },
  fragmentMerged: {
    unit: 'outputMerger',
    meaning: 'fragment that is written: conversion to the format, with blending at the high end',
    counts: { 'output.fragmentsWritten': 1 },
    operations: [
      { integerAdd: 4 },
      { halfMultiply: 4, integerAdd: 4 },
      { halfMultiply: 12, halfAdd: 8 },
    ],
  },
  colorBlock: {
    unit: 'outputMerger',
    meaning: 'block of color, read from its cache and written to it',
    counts: { 'colorCache.lineHits': 1, 'colorCache.lineMisses': 1 },
    accesses: [firstLevelLine('colorCacheBytes'), firstLevelLine('colorCacheBytes')],
  },
  colorBlockFilled: {
    unit: 'outputMerger',
    meaning: 'block of color that is loaded into its cache in place of another one',
    counts: { 'colorCache.lineMisses': 1 },
    accesses: [{ ...firstLevelLine('colorCacheBytes'), level: null, bits: 2 * LINE_BITS }],
  },
  byteSent: {
    unit: 'outputBus',
    meaning: 'byte of a bin or a visibility stream, moved to the edge of the chiplet',
    counts: { 'outputBus.bytesSent': 1 },
    transportBits: 8,
  },
  secondLevelRead: {
    unit: 'l2Cache',
    meaning: 'line that a client reads',
    counts: { 'l2Cache.lineHits': 1, 'l2Cache.lineMisses': 1, 'l2Cache.linesMerged': 1 },
    perCount: hasSecondLevel,
    accesses: [SECOND_LEVEL_LINE],
  },
  secondLevelWritten: {
    unit: 'l2Cache',
    meaning: 'line that a client writes',
    counts: { 'l2Cache.linesWritten': 1 },
    perCount: hasSecondLevel,
    accesses: [SECOND_LEVEL_LINE],
  },
  secondLevelMoved: {
    unit: 'l2Cache',
    meaning: 'line that is filled from local memory or written back to it',
    counts: { 'l2Cache.lineMisses': 1, 'l2Cache.linesWrittenBack': 1 },
    perCount: hasSecondLevel,
    accesses: [{ ...SECOND_LEVEL_LINE, level: null }],
  },
  byteCopied: {
    unit: 'copyEngine',
    meaning: 'byte that the copy engine reads or writes',
    counts: { 'memory.copyBytesRead': 1, 'memory.copyBytesWritten': 1 },
    operations: [{}, { halfAdd: 0.25 }, { halfAdd: 1, halfMultiply: 0.25 }],
    accesses: [bufferAccess(8)],
  },
  remoteLineCached: {
    unit: 'remoteServer',
    meaning: 'line of another memory, read from a cache of its own',
    counts: { 'remote.lineHits': 1 },
    // Otherwise the second-level cache counts these lines too.
    perCount: (spec) => (spec.has('remoteCache', 'own') ? 1 : 0),
    accesses: [{ level: 'second', bytes: parameter('remoteCacheBytes'), bits: LINE_BITS }],
  },
  remoteLineServed: {
    unit: 'remoteServer',
    meaning: 'line that another chiplet reads or writes, moved between port and memory',
    counts: { 'remote.readsServed': 1, 'remote.writesServed': 1 },
    accesses: [bufferAccess(LINE_BITS)],
    transportBits: LINE_BITS,
  },
  translation: {
    unit: 'pageWalker',
    meaning: 'request whose page is looked up',
    counts: {
      'pageWalker.translationHits': 1,
      'pageWalker.translationMisses': 1,
      'pageWalker.listEntriesRead': 1,
    },
    operations: [{ integerAdd: 1 }, { integerAdd: 4 }, { integerAdd: 16 }],
    accesses: [bufferAccess(64)],
  },
  rowOpened: {
    unit: 'dram',
    meaning: 'row that is opened and closed',
    counts: { 'dram.rowMisses': 1, 'dram.rowConflicts': 1 },
    command: (memory, spec) =>
      scaleEnergy(MEMORY_TECHNOLOGIES[memory].activateKiB, spec.numberOf('dramRowBytes') / 1024),
  },
  byteTransferred: {
    unit: 'dram',
    meaning: 'byte that is read or written, with its transfer to the chiplet',
    counts: { 'memory.bytesRead': 1, 'memory.bytesWritten': 1 },
    command: (memory) => scaleEnergy(MEMORY_TECHNOLOGIES[memory].transferBit, 8),
  },
} as const satisfies Record<string, EnergyEvent>;
