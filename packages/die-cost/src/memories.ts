/** Memories of a chiplet in bits, without tags, which the efficiency of arrays covers. */
import type { ChipletSpec } from '@tessera/chiplet-spec';

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
export function memoryBitsOf(spec: ChipletSpec): MemoryBits {
  const { smCount } = spec;
  const remoteCacheBytes = spec.remoteCache === 'own' ? spec.remoteCacheBytes : 0;
  const l2CacheBytes = spec.hasL2Cache ? spec.l2CacheBytes : 0;
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

/** Returns the sum over all kinds. */
export function totalBits(bits: MemoryBits): number {
  return Object.values(bits).reduce((sum: number, count: number) => sum + count, 0);
}
