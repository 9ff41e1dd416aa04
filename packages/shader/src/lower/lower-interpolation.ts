/**
 * Varyings at other places of a pixel (OES_shader_multisample_interpolation, section 8.13).
 *
 * A varying divided by w is linear in window coordinates, and so is 1/w. Their differences within
 * the quad give both at any place of the pixel, and the quotient is the varying there.
 */
import { SAMPLE_COUNTS, samplePatternOf } from '@tessera/frame';
import type { IrValue } from '../ir/ir.ts';
import type { IrBuilder } from '../ir/ir-builder.ts';
import type { Expression } from '../tree/checked-tree.ts';
import { lowerTarget } from './lower-place.ts';
import type { Lowering } from './lowering.ts';
import { readPlace, wholePlace } from './place.ts';
import { rootOf } from './scan-symbols.ts';

/** Linear function of the window: its value where the shader runs, and its slopes per pixel. */
interface LinearFunction {
  readonly value: IrValue;
  readonly slopeX: IrValue;
  readonly slopeY: IrValue;
}

/** Varying that a shader interpolates elsewhere. */
export interface Interpolant {
  /** Scalars of the varying, divided by w unless `inverseW` is null. */
  readonly scalars: readonly LinearFunction[];
  /** 1/w; null for a varying that is linear itself. */
  readonly inverseW: LinearFunction | null;
}

function linearFunction(builder: IrBuilder, value: IrValue): LinearFunction {
  const [slopeX, slopeY] = (['fddx', 'fddy'] as const).map((op) => builder.operator(op, value));
  return { value, slopeX: slopeX!, slopeY: slopeY! };
}

/**
 * Prepares the interpolants of a shader. Differences need all four pixels of a quad, so they are
 * taken where the shader begins.
 */
export function prepareInterpolants(lowering: Lowering): void {
  const { builder } = lowering;
  for (const symbol of lowering.facts.interpolants) {
    if (symbol.isFlat) continue;
    const values = readPlace(builder, wholePlace(lowering.storageOf(symbol)));
    const inverseW = symbol.isNoPerspective ? null : builder.builtinInput('fragCoord.w');
    lowering.interpolants.set(symbol, {
      scalars: values.map((value) =>
        linearFunction(
          builder,
          inverseW === null ? value : builder.operator('fmul', value, inverseW),
        ),
      ),
      inverseW: inverseW === null ? null : linearFunction(builder, inverseW),
    });
  }
}

/** Lowers `interpolateAtCentroid`, `interpolateAtSample` and `interpolateAtOffset`. */
export function lowerInterpolation(
  lowering: Lowering,
  call: Expression & { kind: 'builtinCall' },
): readonly IrValue[] {
  const { builder } = lowering;
  const argument = call.arguments[0]!;
  const symbol = rootOf(argument)!;
  const interpolant = lowering.interpolants.get(symbol);
  // The value of a flat varying is that of all places.
  if (interpolant === undefined) return lowering.lowerExpression(argument);
  const [x, y] = fromHere(lowering, placeOf(lowering, call));
  const at = ({ value, slopeX, slopeY }: LinearFunction): IrValue => {
    const alongX = builder.operator('fadd', value, builder.operator('fmul', slopeX, x));
    return builder.operator('fadd', alongX, builder.operator('fmul', slopeY, y));
  };
  const { inverseW, scalars } = interpolant;
  const values = selectScalars(lowering, argument, scalars).map(at);
  if (inverseW === null) return values;
  const w = builder.operator('fdiv', builder.float(1), at(inverseW));
  return values.map((value) => builder.operator('fmul', value, w));
}

/** Returns the scalars of the argument, which is the varying or an element of it. */
function selectScalars(
  lowering: Lowering,
  argument: Expression,
  scalars: readonly LinearFunction[],
): readonly LinearFunction[] {
  // Indices are evaluated once, for all parts of the functions.
  const place = lowerTarget(lowering, argument);
  const select = (values: readonly IrValue[]): readonly IrValue[] => {
    const storage = { kind: 'values', values } as const;
    return readPlace(lowering.builder, { ...place, root: { ...place.root, storage } });
  };
  const values = select(scalars.map(({ value }) => value));
  const slopesX = select(scalars.map(({ slopeX }) => slopeX));
  const slopesY = select(scalars.map(({ slopeY }) => slopeY));
  return values.map((value, k) => ({ value, slopeX: slopesX[k]!, slopeY: slopesY[k]! }));
}

/** Numbers of samples of a target with several. */
const SEVERAL_SAMPLES = SAMPLE_COUNTS.filter((count) => count > 1);

type Offset = readonly [x: IrValue, y: IrValue];

/** Returns the place of a call as an offset from the pixel's center, y up. */
function placeOf(lowering: Lowering, call: Expression & { kind: 'builtinCall' }): Offset {
  const { builder } = lowering;
  if (call.name === 'interpolateAtOffset') {
    const [x, y] = lowering.lowerExpression(call.arguments[1]!);
    return [x!, y!];
  }
  if (call.name === 'interpolateAtSample') {
    const id = lowering.lowerScalar(call.arguments[1]!);
    return ofFirstSample(builder, (sample) => builder.operator('ieq', id, builder.int(sample)));
  }
  // A pixel that is covered as a whole has its center; another one its first covered sample.
  const covered = builder.builtinInput('sampleMask');
  return ofFirstSample(builder, (sample, sampleCount) => {
    const all = builder.int(2 ** sampleCount - 1);
    const bit = builder.operator('iand', covered, builder.int(1 << sample));
    const isCovered = builder.operator('ine', bit, builder.int(0));
    return builder.operator('band', builder.operator('ine', covered, all), isCovered);
  });
}

/**
 * Returns the offset of the first sample for which `isThis` holds; the center for none, and with
 * one sample per pixel.
 */
function ofFirstSample(
  builder: IrBuilder,
  isThis: (sample: number, sampleCount: number) => IrValue,
): Offset {
  const count = builder.builtinInput('sampleCount');
  const choices = SEVERAL_SAMPLES.flatMap((sampleCount) => {
    const { x, y } = samplePatternOf(sampleCount);
    const isPattern = builder.operator('ieq', count, builder.int(sampleCount));
    return x.map((_, sample) => ({
      condition: builder.operator('band', isPattern, isThis(sample, sampleCount)),
      x: x[sample]! / 16,
      y: -y[sample]! / 16,
    }));
  });
  const choose = (axis: 'x' | 'y'): IrValue =>
    choices.reduceRight(
      (rest, choice) => builder.select(choice.condition, builder.float(choice[axis]), rest),
      builder.float(0),
    );
  return [choose('x'), choose('y')];
}

/** Returns an offset from the pixel's center as one from the place where the shader runs. */
function fromHere(lowering: Lowering, [x, y]: Offset): Offset {
  if (!lowering.facts.isSampleShaded) return [x, y];
  const { builder } = lowering;
  const move = (value: IrValue, name: 'samplePosition.x' | 'samplePosition.y'): IrValue => {
    const here = builder.operator('fsub', builder.builtinInput(name), builder.float(0.5));
    return builder.operator('fsub', value, here);
  };
  return [move(x, 'samplePosition.x'), move(y, 'samplePosition.y')];
}
