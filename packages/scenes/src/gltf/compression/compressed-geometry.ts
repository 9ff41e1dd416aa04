/** Checked geometry that is still compressed. */

import type { AccessorType } from '../format/accessor-types.ts';
import type { GltfComponentType } from '../format/accessor-values.ts';

/** Place in the JSON, for messages. */
export interface Place {
  /** @throws {RenderError} MODEL_INVALID with the path in front of the message. */
  fail(what: string, cause?: unknown): never;
}

/** Modes of a compressed buffer view. */
export const MESHOPT_MODES = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'] as const;

/** Content of a buffer view of EXT_meshopt_compression or KHR_meshopt_compression. */
export interface MeshoptStream {
  /** Place of the extension. */
  readonly place: Place;
  /** Compressed bytes. */
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly strideBytes: number;
  readonly mode: (typeof MESHOPT_MODES)[number];
  readonly filter: string;
}

/** Accessor whose values are in a Draco stream. */
export interface DracoTarget {
  readonly accessorIndex: number;
  readonly type: AccessorType;
  readonly componentType: GltfComponentType;
  readonly count: number;
  /** Place of the property that names the values. */
  readonly place: Place;
}

/** Primitive whose vertices and indices are in a Draco stream. */
export interface DracoPrimitive {
  /** Place of the extension. */
  readonly place: Place;
  /** Compressed bytes. Primitives that share a stream share this object. */
  readonly bytes: Uint8Array;
  readonly indices: DracoTarget;
  readonly vertexCount: number;
  readonly attributes: readonly (DracoTarget & { readonly attributeId: number })[];
}
