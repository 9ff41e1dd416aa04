/**
 * Places: storage of the scalars of a variable, and reads and writes of its parts with constant and
 * computed indices.
 */

import type { BuiltinInput, IrType, IrValue } from '../ir/ir.ts';
import type { IrBuilder } from '../ir/ir-builder.ts';
import { componentCount, irTypeOf, scalarBases } from '../operations/type-layout.ts';
import type { GlslType, ScalarBase } from '../tree/types.ts';

/** Storage of the scalars of one variable. */
export type Storage =
  /** One IR variable per scalar. */
  | { readonly kind: 'variables'; readonly variables: readonly number[] }
  /** One IR array per scalar type, for variables with computed indices. */
  | { readonly kind: 'arrays'; readonly arrays: Readonly<Partial<Record<IrType, number>>> }
  /** Words of the constant bank from `firstWord`. */
  | { readonly kind: 'uniform'; readonly firstWord: number }
  /** Input slots, four for each location of a vertex attribute. */
  | {
      readonly kind: 'input';
      readonly slots: readonly number[];
      readonly isFlat: boolean;
      readonly isSample: boolean;
    }
  | { readonly kind: 'builtinInput'; readonly names: readonly BuiltinInput[] }
  /** Values that never change. */
  | { readonly kind: 'values'; readonly values: readonly IrValue[] };

/** Storage of a variable with its type and the base types of its scalars. */
export interface VariableStorage {
  readonly storage: Storage;
  readonly type: GlslType;
  readonly bases: readonly ScalarBase[];
}

/** Computed index; it adds `index` × the size of `element` to the place. */
interface ComputedIndex {
  readonly index: IrValue;
  readonly element: GlslType;
  readonly count: number;
}

/** Part of a variable. */
export interface Place {
  readonly root: VariableStorage;
  /** Number of the first scalar of the part if all computed indices are 0. */
  readonly offset: number;
  readonly computed: readonly ComputedIndex[];
  readonly type: GlslType;
  /** Scalars that a swizzle selects, counted from `offset`; null without a swizzle. */
  readonly swizzle: readonly number[] | null;
}

/** Returns the place of a whole variable. */
export function wholePlace(root: VariableStorage): Place {
  return { root, offset: 0, computed: [], type: root.type, swizzle: null };
}

/** Reads the scalars of `place`. */
export function readPlace(builder: IrBuilder, place: Place): IrValue[] {
  return componentsOf(place).map((component) => readComponent(builder, place, component));
}

/** Writes the scalars of `place`. */
export function writePlace(builder: IrBuilder, place: Place, values: readonly IrValue[]): void {
  componentsOf(place).forEach((component, k) => {
    writeComponent(builder, place, component, values[k]!);
  });
}

function componentsOf(place: Place): readonly number[] {
  const picks = place.swizzle ?? Array.from({ length: componentCount(place.type) }, (_, k) => k);
  return picks.map((pick) => place.offset + pick);
}

function readComponent(builder: IrBuilder, place: Place, component: number): IrValue {
  const { root, computed } = place;
  const { storage } = root;
  switch (storage.kind) {
    case 'uniform':
      return readUniform(builder, place, storage.firstWord, component);
    case 'arrays': {
      const { array, index } = arrayElement(builder, place, storage.arrays, component);
      return builder.readArray(array, index);
    }
    default:
      return readSelected(builder, root, computed, component);
  }
}

function readUniform(
  builder: IrBuilder,
  place: Place,
  firstWord: number,
  component: number,
): IrValue {
  const base = place.root.bases[component]!;
  let index: IrValue | null = null;
  let lastComponent = component;
  for (const step of place.computed) {
    const stride = componentCount(step.element);
    const scaled = builder.operator('imul', step.index, builder.int(stride));
    index = index === null ? scaled : builder.operator('iadd', index, scaled);
    lastComponent += (step.count - 1) * stride;
  }
  const result = builder.newValue(base === 'float' ? 'f32' : 'i32');
  const word = firstWord + component;
  const wordCount = lastComponent - component + 1;
  builder.emit({ kind: 'uniform', result, word, index, wordCount });
  return base === 'bool' ? builder.operator('i32AsBool', result) : result;
}

const ordinalsByBases = new WeakMap<readonly ScalarBase[], Int32Array>();

/**
 * Returns for each scalar the number of earlier scalars of its IR type, which is its index in the
 * array of that type.
 */
function ordinalsOf(bases: readonly ScalarBase[]): Int32Array {
  let ordinals = ordinalsByBases.get(bases);
  if (ordinals === undefined) {
    const counts = new Map<IrType, number>();
    ordinals = Int32Array.from(bases, (base) => {
      const ordinal = counts.get(irTypeOf(base)) ?? 0;
      counts.set(irTypeOf(base), ordinal + 1);
      return ordinal;
    });
    ordinalsByBases.set(bases, ordinals);
  }
  return ordinals;
}

/** Returns the IR array and the index that hold `component`. */
function arrayElement(
  builder: IrBuilder,
  place: Place,
  arrays: Readonly<Partial<Record<IrType, number>>>,
  component: number,
): { readonly array: number; readonly index: IrValue } {
  const type = irTypeOf(place.root.bases[component]!);
  let index = builder.int(ordinalsOf(place.root.bases)[component]!);
  for (const step of place.computed) {
    const sameType = scalarBases(step.element).filter((base) => irTypeOf(base) === type);
    const stride = builder.int(sameType.length);
    index = builder.operator('iadd', builder.operator('imul', step.index, stride), index);
  }
  return { array: arrays[type]!, index };
}

/** Reads by selecting among all scalars that computed indices may reach. */
function readSelected(
  builder: IrBuilder,
  root: VariableStorage,
  computed: readonly ComputedIndex[],
  component: number,
): IrValue {
  const [step, ...rest] = computed;
  if (step === undefined) return readCell(builder, root, component);
  const stride = componentCount(step.element);
  let value = readSelected(builder, root, rest, component);
  for (let k = 1; k < step.count; k++) {
    const isHere = builder.operator('ieq', step.index, builder.int(k));
    value = builder.select(
      isHere,
      readSelected(builder, root, rest, component + k * stride),
      value,
    );
  }
  return value;
}

function readCell(builder: IrBuilder, root: VariableStorage, component: number): IrValue {
  const { storage } = root;
  const base = root.bases[component]!;
  switch (storage.kind) {
    case 'variables':
      return builder.readVariable(storage.variables[component]!);
    case 'input': {
      const result = builder.newValue(irTypeOf(base));
      const slot = storage.slots[component]!;
      const { isFlat, isSample } = storage;
      const sampled = isSample && !isFlat ? { isSample } : {};
      builder.emit({ kind: 'input', result, slot, isFlat, ...sampled });
      return result;
    }
    case 'builtinInput':
      return builder.builtinInput(storage.names[component]!);
    case 'values':
      return storage.values[component]!;
    default:
      throw new Error(`storage of kind ${storage.kind} cannot be read by component`);
  }
}

function writeComponent(builder: IrBuilder, place: Place, component: number, value: IrValue): void {
  const { storage } = place.root;
  if (storage.kind === 'arrays') {
    const { array, index } = arrayElement(builder, place, storage.arrays, component);
    builder.writeArray(array, index, value);
  } else if (storage.kind === 'variables') {
    writeSelected(builder, storage.variables, place.computed, component, value, null);
  } else {
    throw new Error(`storage of kind ${storage.kind} cannot be written`);
  }
}

/**
 * Writes each scalar that computed indices may reach if `condition` holds and the indices match.
 */
function writeSelected(
  builder: IrBuilder,
  variables: readonly number[],
  computed: readonly ComputedIndex[],
  component: number,
  value: IrValue,
  condition: IrValue | null,
): void {
  const [step, ...rest] = computed;
  if (step === undefined) {
    const variable = variables[component]!;
    const written =
      condition === null ? value : builder.select(condition, value, builder.readVariable(variable));
    builder.writeVariable(variable, written);
    return;
  }
  const stride = componentCount(step.element);
  for (let k = 0; k < step.count; k++) {
    const isHere = builder.operator('ieq', step.index, builder.int(k));
    const both = condition === null ? isHere : builder.operator('band', condition, isHere);
    writeSelected(builder, variables, rest, component + k * stride, value, both);
  }
}
