/** Traversal of IR regions: operands, results and inner regions of nodes. */
import type { IrNode, IrRegion, IrValue } from './ir.ts';

const NO_VALUES: readonly IrValue[] = [];
const NO_REGIONS: readonly IrRegion[] = [];

/** Returns the values that `node` itself reads, without those that its regions read. */
export function operandsOf(node: IrNode): readonly IrValue[] {
  switch (node.kind) {
    case 'operator':
    case 'texture':
      return node.operands;
    case 'uniform':
      return node.index === null ? NO_VALUES : [node.index];
    case 'output':
    case 'writeVariable':
      return [node.value];
    case 'readArray':
      return [node.index];
    case 'writeArray':
      return [node.index, node.value];
    case 'textureSize':
      return [node.level];
    case 'if':
      return [node.condition];
    default:
      return NO_VALUES;
  }
}

/** Returns the values that `node` defines. */
export function resultsOf(node: IrNode): readonly IrValue[] {
  switch (node.kind) {
    case 'constant':
    case 'operator':
    case 'uniform':
    case 'input':
    case 'builtinInput':
    case 'readVariable':
    case 'readArray':
      return [node.result];
    case 'texture':
    case 'textureSize':
      return node.results;
    default:
      return NO_VALUES;
  }
}

/** Returns the regions inside `node`. */
export function regionsOf(node: IrNode): readonly IrRegion[] {
  switch (node.kind) {
    case 'if':
      return [node.then, node.else];
    case 'block':
    case 'loop':
      return [node.body];
    default:
      return NO_REGIONS;
  }
}

/** Calls `visit` for every node of `region` and of the regions inside it, in order. */
export function forEachNode(region: IrRegion, visit: (node: IrNode) => void): void {
  for (const node of region) {
    visit(node);
    for (const inner of regionsOf(node)) forEachNode(inner, visit);
  }
}

/**
 * Returns `region` with every node of it and its inner regions replaced, in order; null drops a
 * node. `rewrite` does not receive `if`, `block` and `loop`: they are kept around their rewritten
 * regions.
 */
export function rewriteNodes(region: IrRegion, rewrite: (node: IrNode) => IrNode | null): IrRegion {
  const rewriteNode = (node: IrNode): IrNode | null => {
    switch (node.kind) {
      case 'if':
        return {
          ...node,
          then: rewriteNodes(node.then, rewrite),
          else: rewriteNodes(node.else, rewrite),
        };
      case 'block':
      case 'loop':
        return { ...node, body: rewriteNodes(node.body, rewrite) };
      default:
        return rewrite(node);
    }
  };
  return region.map(rewriteNode).filter((node) => node !== null);
}

/**
 * Returns `node` with its operands replaced, or `node` itself if none changes. Inner regions stay.
 */
export function withOperands(node: IrNode, replace: (value: IrValue) => IrValue): IrNode {
  switch (node.kind) {
    case 'operator':
    case 'texture': {
      const operands = replaceAll(node.operands, replace);
      return operands === node.operands ? node : { ...node, operands };
    }
    case 'uniform': {
      if (node.index === null) return node;
      const index = replace(node.index);
      return index === node.index ? node : { ...node, index };
    }
    case 'output':
    case 'writeVariable': {
      const value = replace(node.value);
      return value === node.value ? node : { ...node, value };
    }
    case 'readArray': {
      const index = replace(node.index);
      return index === node.index ? node : { ...node, index };
    }
    case 'writeArray':
      return { ...node, index: replace(node.index), value: replace(node.value) };
    case 'textureSize': {
      const level = replace(node.level);
      return level === node.level ? node : { ...node, level };
    }
    case 'if': {
      const condition = replace(node.condition);
      return condition === node.condition ? node : { ...node, condition };
    }
    default:
      return node;
  }
}

/** Returns `values` itself if `replace` changes none. */
function replaceAll(
  values: readonly IrValue[],
  replace: (value: IrValue) => IrValue,
): readonly IrValue[] {
  let replaced: IrValue[] | null = null;
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!;
    const other = replace(value);
    if (other !== value) replaced ??= values.slice();
    if (replaced !== null) replaced[k] = other;
  }
  return replaced ?? values;
}

/** Whether control never reaches the end of `region`. */
export function neverFallsThrough(region: IrRegion): boolean {
  const last = region.at(-1);
  if (last === undefined) return false;
  if (last.kind === 'exit' || last.kind === 'continue') return true;
  return last.kind === 'if' && neverFallsThrough(last.then) && neverFallsThrough(last.else);
}

/**
 * Whether `node` has no side effects, so that it may run when its result is not needed. Reads of
 * variables and arrays are pure but must stay between the same writes.
 */
export function isPure(node: IrNode): boolean {
  return resultsOf(node).length > 0;
}

/** Side effects and jump targets of a region, including its inner regions. */
export interface RegionEffects {
  readonly writtenVariables: ReadonlySet<number>;
  readonly writtenArrays: ReadonlySet<number>;
  /** Labels that `exit` nodes name. */
  readonly exits: ReadonlySet<number>;
}

const effectsByRegion = new WeakMap<IrRegion, RegionEffects>();

/** Returns the effects of `region`, cached by identity because regions are immutable. */
export function effectsOf(region: IrRegion): RegionEffects {
  const known = effectsByRegion.get(region);
  if (known !== undefined) return known;
  const writtenVariables = new Set<number>();
  const writtenArrays = new Set<number>();
  const exits = new Set<number>();
  for (const node of region) {
    if (node.kind === 'writeVariable') writtenVariables.add(node.variable);
    else if (node.kind === 'writeArray') writtenArrays.add(node.array);
    else if (node.kind === 'exit') exits.add(node.label);
    for (const inner of regionsOf(node)) {
      const effects = effectsOf(inner);
      for (const variable of effects.writtenVariables) writtenVariables.add(variable);
      for (const array of effects.writtenArrays) writtenArrays.add(array);
      for (const label of effects.exits) exits.add(label);
    }
  }
  const effects = { writtenVariables, writtenArrays, exits };
  effectsByRegion.set(region, effects);
  return effects;
}
