/**
 * Cube maps (GL ES 3.0, section 3.8.10.1, table 3.21): conversion of directions to a face and
 * coordinates on it, conversion of direction steps to coordinate steps, and linear filters across
 * the edges of faces.
 *
 * Beyond an edge is the adjacent face. Let (u, v) be a texel's center in half texels from the
 * middle of its face, with N texels per edge. The direction has u and v along two axes and ±N along
 * the third. A texel outside has u = ±(N + 1). Folded over the edge, it has ±N there and ±(N − 1)
 * along the old third axis. At a corner, which has no fourth texel, v is clamped first. The texel
 * is then one of the other three.
 */
import { type Expr, f32x4, get, i32, i32x4, ifThen, set, v128 } from '@tessera/shader/wasm';
import type { KernelCode } from '../../kernel/kernel-code.ts';
import { LEVEL_FIELD } from '../layout/texture-descriptor.ts';
import {
  columnBytes,
  filterRow,
  gatherInside,
  type LevelReader,
  lerpColors,
  rowAddress,
  sliceOffset,
  splitPosition,
} from './filter-kernel.ts';
import type { Rgba } from './texel-gather.ts';

type Direction = readonly [x: Expr, y: Expr, z: Expr];

/** Face that each lane's direction selects. */
export interface CubeFace {
  readonly isX: Expr;
  /** Lanes with major axis y; never set together with `isX`. */
  readonly isY: Expr;
  /** Sign bit of the major axis; the other bits are 0. */
  readonly sign: Expr;
}

const SIGN_BIT = -(2 ** 31);

/** Selects the faces of directions. Of equal components, x precedes y and y precedes z. */
export function selectFace(code: KernelCode, [x, y, z]: Direction): CubeFace {
  const [absX, absY, absZ] = [x, y, z].map((axis) => code.keep(f32x4.abs(axis)));
  const isX = code.keep(v128.and(f32x4.ge(absX!, absY!), f32x4.ge(absX!, absZ!)));
  const isY = code.keep(v128.andnot(f32x4.ge(absY!, absZ!), isX));
  const major = v128.bitselect(x, v128.bitselect(y, z, isY), isX);
  return { isX, isY, sign: code.keep(v128.and(major, code.splatI(SIGN_BIT))) };
}

/** Returns the numbers of faces: +x, −x, +y, −y, +z, −z. */
export function faceNumber(code: KernelCode, { isX, isY, sign }: CubeFace): Expr {
  const axis = v128.andnot(v128.bitselect(code.splatI(2), code.splatI(4), isY), isX);
  return code.keep(i32x4.add(axis, i32x4.shrU(sign, i32.const(31))));
}

/** Rotates a direction, or a step of one, to the axes of the face: right, down, outwards. */
export function turnToFace(
  code: KernelCode,
  { isX, isY, sign }: CubeFace,
  [x, y, z]: Direction,
): readonly [Expr, Expr, Expr] {
  const minus = code.splatI(SIGN_BIT);
  const signedZ = code.keep(v128.xor(z, sign));
  const right = v128.bitselect(
    v128.xor(signedZ, minus),
    v128.bitselect(x, v128.xor(x, sign), isY),
    isX,
  );
  const down = v128.bitselect(signedZ, v128.xor(y, minus), isY);
  const outwards = v128.xor(v128.bitselect(x, v128.bitselect(y, z, isY), isX), sign);
  return [code.keep(right), code.keep(down), code.keep(outwards)];
}

/** Returns the coordinates on the face, 0 to 1. */
export function faceCoordinates(
  code: KernelCode,
  face: CubeFace,
  direction: Direction,
): readonly [s: Expr, t: Expr] {
  const [right, down, outwards] = turnToFace(code, face, direction);
  const coordinate = (along: Expr): Expr =>
    code.keep(f32x4.add(f32x4.mul(f32x4.div(along, outwards), code.splatF(0.5)), code.splatF(0.5)));
  return [coordinate(right), coordinate(down)];
}

/** Returns the coordinate steps on the face for a small step of the direction. */
export function faceSteps(
  code: KernelCode,
  face: CubeFace,
  direction: Direction,
  step: Direction,
): readonly [s: Expr, t: Expr] {
  const [right, down, outwards] = turnToFace(code, face, direction);
  const [stepRight, stepDown, stepOutwards] = turnToFace(code, face, step);
  const slope = (along: Expr, stepAlong: Expr): Expr => {
    const moved = f32x4.sub(stepAlong, f32x4.mul(f32x4.div(along, outwards), stepOutwards));
    return code.keep(f32x4.mul(f32x4.div(moved, outwards), code.splatF(0.5)));
  };
  return [slope(right, stepRight), slope(down, stepDown)];
}

/**
 * Filters linearly across the edges of faces.
 *
 * @param s Coordinate on the face, 0 to 1; likewise t.
 */
export function readCubeLevel(
  code: KernelCode,
  reader: LevelReader,
  level: Expr,
  face: Expr,
  s: Expr,
  t: Expr,
): Rgba {
  const size = v128.load32Splat(level, { offset: LEVEL_FIELD.width });
  const max = code.keep(v128.load32Splat(level, { offset: LEVEL_FIELD.maxX }));
  const x = splitPosition(code, f32x4.mul(s, size));
  const y = splitPosition(code, f32x4.mul(t, size));
  const one = code.splatI(1);
  const columns = [x.lower, code.keep(i32x4.add(x.lower, one))] as const;
  const rows = [y.lower, code.keep(i32x4.add(y.lower, one))] as const;
  const isOutside = (texel: Expr): Expr => i32x4.gtU(texel, max);
  const anyOutside = v128.or(
    v128.or(isOutside(columns[0]), isOutside(columns[1])),
    v128.or(isOutside(rows[0]), isOutside(rows[1])),
  );
  const sliceBytes = sliceOffset(code, face, level);
  const addresses = rows.map((row) =>
    columns.map((column) => {
      const local = code.fn.local('v128');
      const inside = rowAddress(code, reader.texelClass, row, level, sliceBytes);
      code.add(set(local, i32x4.add(inside, columnBytes(code, reader.texelClass, column))));
      return local;
    }),
  );
  const fold = code.branch((inner) => {
    rows.forEach((row, j) => {
      columns.forEach((column, i) => {
        const address = foldTexel(inner, reader, level, face, column, row, max);
        inner.add(set(addresses[j]![i]!, address));
      });
    });
  });
  code.add(ifThen(v128.anyTrue(anyOutside), fold));
  const filtered = addresses.map(([left, right]) =>
    filterRow(
      code,
      reader,
      gatherInside(code, reader, get(left!), null),
      gatherInside(code, reader, get(right!), null),
      x.fraction,
    ),
  );
  return lerpColors(code, reader, filtered[0]!, filtered[1]!, y.fraction);
}

/** Returns the address of a texel that may be one beyond the edges of its face. */
function foldTexel(
  code: KernelCode,
  reader: LevelReader,
  level: Expr,
  face: Expr,
  column: Expr,
  row: Expr,
  max: Expr,
): Expr {
  const one = code.splatI(1);
  const clamp = (value: Expr, limit: Expr): Expr =>
    i32x4.minS(i32x4.maxS(value, i32x4.neg(limit)), limit);
  const edge = code.keep(i32x4.add(max, one));
  // 1. Centers in half texels from the middle of the face.
  const centred = (texel: Expr): Expr => code.keep(i32x4.sub(i32x4.shl(texel, i32.const(1)), max));
  const wideU = centred(column);
  const wideV = centred(row);
  const u = code.keep(clamp(wideU, edge));
  const isBeyondU = code.keep(i32x4.ne(u, wideU));
  const limitV = code.keep(v128.bitselect(max, edge, isBeyondU));
  const v = code.keep(clamp(wideV, limitV));
  const isBeyondV = i32x4.gtS(i32x4.abs(v), max);
  const third = code.keep(i32x4.add(edge, v128.or(isBeyondU, isBeyondV)));

  // 2. Directions: ±1 for the sign of the face's axis.
  const sign = code.keep(i32x4.sub(one, i32x4.shl(v128.and(face, one), i32.const(1))));
  const axis = code.keep(i32x4.shrU(face, i32.const(1)));
  const isX = code.keep(i32x4.eq(axis, code.splatI(0)));
  const isY = code.keep(i32x4.eq(axis, one));
  const choose = (ofX: Expr, ofY: Expr, ofZ: Expr): Expr =>
    code.keep(v128.bitselect(ofX, v128.bitselect(ofY, ofZ, isY), isX));
  const signed = (value: Expr): Expr => i32x4.mul(value, sign);
  const minusV = code.keep(i32x4.neg(v));
  const signedThird = code.keep(signed(third));
  const signedU = code.keep(signed(u));
  const x = choose(signedThird, u, signedU);
  const y = choose(minusV, signedThird, minusV);
  const z = choose(i32x4.neg(signedU), signed(v), signedThird);

  // 3. The face whose axis alone has length N, and the texel on it.
  const isNewX = code.keep(i32x4.eq(i32x4.abs(x), edge));
  const isNewY = code.keep(v128.andnot(i32x4.eq(i32x4.abs(y), edge), isNewX));
  const chooseNew = (ofX: Expr, ofY: Expr, ofZ: Expr): Expr =>
    v128.bitselect(ofX, v128.bitselect(ofY, ofZ, isNewY), isNewX);
  const isNegative = code.keep(i32x4.shrU(chooseNew(x, y, z), i32.const(31)));
  const newSign = code.keep(i32x4.sub(one, i32x4.shl(isNegative, i32.const(1))));
  const newU = chooseNew(i32x4.neg(i32x4.mul(z, newSign)), x, i32x4.mul(x, newSign));
  const newV = chooseNew(i32x4.neg(y), i32x4.mul(z, newSign), i32x4.neg(y));
  const newFace = i32x4.add(chooseNew(code.splatI(0), code.splatI(2), code.splatI(4)), isNegative);
  const texelOf = (centre: Expr): Expr =>
    code.keep(i32x4.shrS(i32x4.add(centre, max), i32.const(1)));
  const slice = sliceOffset(code, newFace, level);
  const rowStart = rowAddress(code, reader.texelClass, texelOf(newV), level, slice);
  return i32x4.add(rowStart, columnBytes(code, reader.texelClass, texelOf(newU)));
}
