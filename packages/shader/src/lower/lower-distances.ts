/**
 * Clip and cull distances (EXT_clip_cull_distance). A primitive whose vertices are all on the outer
 * side of a plane is culled as a whole: the vertex stage writes a bit for each negative distance.
 * Fragments of other primitives are clipped by the interpolated distance.
 */
import { OUTSIDE_SLOT } from '@tessera/frame';
import type { IrValue } from '../ir/ir.ts';
import { arrayType, FLOAT } from '../tree/type-rules.ts';
import type { Lowering } from './lowering.ts';
import { readPlace, wholePlace } from './place.ts';

/** Number of distances of each kind. */
const DISTANCE_COUNT = 8;
/** Bits of the cull distances follow those of the clip distances. */
const FIRST_CULL_BIT = DISTANCE_COUNT;

/** Returns the elements of a distance array that `mask` selects, with their indices. */
function distancesOf(lowering: Lowering, name: string, mask: number): [IrValue, number][] {
  const storage = lowering.builtinStorage(name, arrayType(FLOAT, DISTANCE_COUNT));
  const values = readPlace(lowering.builder, wholePlace(storage));
  return values.flatMap((value, index): [IrValue, number][] =>
    (mask & (1 << index)) === 0 ? [] : [[value, index]],
  );
}

/**
 * Writes the negative distances of the vertex as bits.
 *
 * @param clipMask Clip distances whose planes are enabled, one bit each.
 */
export function writeOutside(lowering: Lowering, clipMask: number): void {
  const { builder } = lowering;
  const isWritten = (name: string): boolean => {
    const symbol = lowering.builtins.get(name);
    return symbol !== undefined && lowering.facts.written.has(symbol);
  };
  const distances = [
    ...(isWritten('gl_ClipDistance') ? distancesOf(lowering, 'gl_ClipDistance', clipMask) : []),
    ...(isWritten('gl_CullDistance') ? distancesOf(lowering, 'gl_CullDistance', -1) : []).map(
      ([value, index]) => [value, index + FIRST_CULL_BIT] as const,
    ),
  ];
  if (distances.length === 0) return;
  const zero = builder.float(0);
  const bits = distances.map(([value, bit]) =>
    builder.select(builder.operator('flt', value, zero), builder.int(1 << bit), builder.int(0)),
  );
  const value = bits.reduce((all, bit) => builder.operator('ior', all, bit));
  builder.emit({ kind: 'output', slot: OUTSIDE_SLOT, value });
}

/** Discards fragments on the outer side of an enabled plane. */
export function discardClipped(lowering: Lowering, clipMask: number): void {
  if (clipMask === 0) return;
  const { builder } = lowering;
  const zero = builder.float(0);
  const isOutside = distancesOf(lowering, 'gl_ClipDistance', clipMask).map(([value]) =>
    builder.operator('flt', value, zero),
  );
  if (isOutside.length === 0) return;
  const isClipped = isOutside.reduce((any, each) => builder.operator('bor', any, each));
  builder.if(isClipped, () => builder.emit({ kind: 'discard' }));
}
