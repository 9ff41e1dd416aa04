/**
 * Placement of resources in the memories of the chiplets, which then form one address space. It is
 * part of the simulated GPU: images and counts do not depend on it.
 */

/** Classes of resources that have a placement. */
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

/**
 * Classes of pixels that have a placement: `framebuffer` is what the last pass of a frame draws on
 * the screen, and `targets` is what all other passes draw. Everything else is in every memory.
 */
export const TARGET_CLASSES = ['targets', 'framebuffer'] as const;
/** Name of a class of pixels. */
export type TargetClass = (typeof TARGET_CLASSES)[number];

/**
 * Placements of pixels.
 *
 * - `gathered`: chiplet 0 collects them, and sends all of them to the chiplets that read them.
 * - `kept`: the pixels of a bin are in the memory of the chiplet that drew it.
 * - `interleaved`: pages take the memories in turn.
 */
export const TARGET_PLACEMENTS = ['gathered', 'kept', 'interleaved'] as const;
/** Name of a placement of pixels. */
export type TargetPlacementName = (typeof TARGET_PLACEMENTS)[number];

/** Placement of each class. */
export type Placement = Readonly<
  Record<ResourceClass, PlacementName> & Record<TargetClass, TargetPlacementName>
>;

/** Placement of every study that does not vary it. */
export const DEFAULT_PLACEMENT: Placement = Object.freeze({
  textures: 'replicated',
  buffers: 'replicated',
  streams: 'replicated',
  targets: 'gathered',
  framebuffer: 'gathered',
});

/** Remote accesses of a frame, by chiplet. */
export interface RemoteTraffic {
  /** Lines of 64 bytes that the chiplet read from and wrote to the memories of others. */
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** Bytes of messages by sender and receiver, headers included. */
  readonly bytes: readonly (readonly number[])[];
  /**
   * Bytes of the lines that texture lookups of fragment warps fetched, headers not included, by
   * reader and home.
   */
  readonly textureBytes: readonly (readonly number[])[];
}
