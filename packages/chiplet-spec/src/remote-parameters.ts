/** Hardware parameters of memory that chiplets share; see parameters.ts. */
import { REMOTE_CACHES } from '@tessera/chip/records';

/** Integer fields of shared memory. */
export const REMOTE_SPEC_FIELDS = {
  placementPageBytes: {
    unit: 'bytes',
    min: 64,
    max: 2 ** 21,
    isPowerOfTwo: true,
    meaning: 'size of a page of a resource that is in the memory of one chiplet',
  },
  remoteReadEntries: {
    unit: 'lines',
    min: 1,
    max: 4096,
    meaning: 'maximum number of lines in flight from the memories of other chiplets',
  },
  remoteWriteEntries: {
    unit: 'lines',
    min: 1,
    max: 4096,
    meaning:
      'maximum number of lines that were written to the memories of other chiplets and are not acknowledged',
  },
  remoteServerEntries: {
    unit: 'lines',
    min: 1,
    max: 4096,
    meaning: 'maximum number of requests of other chiplets in progress; further ones wait',
  },
  remoteCacheBytes: {
    unit: 'bytes',
    min: 4096,
    max: 67_108_864,
    isPowerOfTwo: true,
    meaning: 'size of the cache of remote lines; remoteCache own only',
  },
  remoteCacheWays: {
    unit: 'lines',
    min: 1,
    max: 64,
    isPowerOfTwo: true,
    meaning: 'number of lines in a set of the cache of remote lines',
  },
  remoteCacheLatencyCycles: {
    unit: 'cycles',
    min: 1,
    max: 1000,
    meaning: 'latency from the grant of a line to its answer on a hit in the cache of remote lines',
  },
  remoteHeaderBytes: {
    unit: 'bytes',
    min: 1,
    max: 256,
    meaning: 'size of a message between chiplets without the line that it carries',
  },
  remoteInterfaceCycles: {
    unit: 'cycles',
    min: 0,
    max: 1000,
    meaning:
      'time of a message between memories inside its two chiplets: from its unit to the port, and from the port to the unit that uses it',
  },
} as const;

/** Choices of shared memory. */
export const REMOTE_SPEC_CHOICES = {
  remoteCache: {
    values: REMOTE_CACHES,
    meaning:
      'where a chiplet keeps lines of other memories: in its second-level cache, in a cache of their own, or only in the caches of its units',
  },
} as const;
