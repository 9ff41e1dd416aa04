/**
 * Placement of resources in the memories of the chiplets, which then form one address space. It is
 * part of the simulated GPU: images and counts do not depend on it.
 */

/** Classes of resources that have a placement. Everything else is in every memory. */
export const RESOURCE_CLASSES = ['textures', 'buffers', 'streams'] as const;
/** Name of a class of resources. `streams` are the visibility streams. */
export type ResourceClass = (typeof RESOURCE_CLASSES)[number];

/**
 * Placements.
 *
 * - `replicated`: every memory has all of the class.
 * - `interleaved`: pages take the memories in turn.
 * - `first-touch`: a page is in the memory of the chiplet that accesses it first.
 * - `home`: all of the class is in the memory of chiplet 0.
 */
export const PLACEMENTS = ['replicated', 'interleaved', 'first-touch', 'home'] as const;
/** Name of a placement. */
export type PlacementName = (typeof PLACEMENTS)[number];

/** Placement of each class. */
export type Placement = Readonly<Record<ResourceClass, PlacementName>>;

/** Placement of every study that does not vary it. */
export const DEFAULT_PLACEMENT: Placement = Object.freeze({
  textures: 'replicated',
  buffers: 'replicated',
  streams: 'replicated',
});

/** Remote accesses of a frame, by chiplet. */
export interface RemoteTraffic {
  /** Lines of 64 bytes that the chiplet read from and wrote to the memories of others. */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Bytes of messages by sender and receiver, headers included. */
  readonly bytes: readonly (readonly number[])[];
}
