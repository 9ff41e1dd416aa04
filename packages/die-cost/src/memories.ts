/** Memories of a chiplet in bits, without tags, which the efficiency of arrays covers. */
import type { TimedUnit } from '@tessera/frame';
import type { CircuitSpec } from './unit-circuits.ts';

/** Bits of a translation: a page number, a frame number and its rights. */
const TRANSLATION_BITS = 64;
const BITS_PER_BYTE = 8;

/** Bits of each kind of memory. */
export interface MemoryBits {
  readonly registers: number;
  /** Caches for programs and constants, one of each in a shader core. */
  readonly instructionCaches: number;
  /** Caches of texture units, one for each shader core. */
  readonly textureCaches: number;
  /** Caches of vertex fetch, color and depth, one of each in a chiplet. */
  readonly pipelineCaches: number;
  /** Second-level cache, cache of remote lines, and translations. */
  readonly secondLevel: number;
}

/** Returns the bits of the memories of a chiplet. */
export function memoryBitsOf(spec: CircuitSpec): MemoryBits {
  const { smCount } = spec;
  const { remoteCacheBytes, l2CacheBytes } = secondLevelOf(spec);
  return {
    registers: smCount * spec.registerFileBytes * BITS_PER_BYTE,
    instructionCaches:
      smCount * (spec.instructionCacheBytes + spec.constantCacheBytes) * BITS_PER_BYTE,
    textureCaches: smCount * spec.textureCacheBytes * BITS_PER_BYTE,
    pipelineCaches:
      (spec.vertexCacheBytes + spec.colorCacheBytes + spec.depthCacheBytes) * BITS_PER_BYTE,
    secondLevel:
      (l2CacheBytes + remoteCacheBytes) * BITS_PER_BYTE + spec.tlbEntries * TRANSLATION_BITS,
  };
}

/** Returns the same by the units of the counters. */
export function memoryBitsByUnit(spec: CircuitSpec): ReadonlyMap<TimedUnit, number> {
  const { registers, instructionCaches, textureCaches } = memoryBitsOf(spec);
  const { remoteCacheBytes, l2CacheBytes } = secondLevelOf(spec);
  const bits = {
    shaderCore: registers + instructionCaches,
    textureUnit: textureCaches,
    vertexFetch: spec.vertexCacheBytes * BITS_PER_BYTE,
    earlyDepth: spec.depthCacheBytes * BITS_PER_BYTE,
    outputMerger: spec.colorCacheBytes * BITS_PER_BYTE,
    l2Cache: l2CacheBytes * BITS_PER_BYTE,
    remoteServer: remoteCacheBytes * BITS_PER_BYTE,
    pageWalker: spec.tlbEntries * TRANSLATION_BITS,
  } satisfies Partial<Record<TimedUnit, number>>;
  return new Map(Object.entries(bits) as [TimedUnit, number][]);
}

function secondLevelOf(spec: CircuitSpec) {
  return {
    remoteCacheBytes: spec.remoteCache === 'own' ? spec.remoteCacheBytes : 0,
    l2CacheBytes: spec.hasL2Cache ? spec.l2CacheBytes : 0,
  };
}

/** Returns the sum over all kinds. */
export function totalBits(bits: MemoryBits): number {
  return Object.values(bits).reduce((sum: number, count: number) => sum + count, 0);
}
