/** Walking IR regions: what a node uses, defines and contains. */
import type { IrNode, IrRegion, IrValue } from './ir.ts';

const NO_VALUES: readonly IrValue[] = [];
const NO_REGIONS: readonly IrRegion[] = [];

/** The values that `node` reads itself, not those that regions in it read. */
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

/** The values that `node` defines. */
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

/** The regions inside `node`. */
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

/** Calls `visit` for every node of `region` and of the regions in it, in order. */
export function forEachNode(region: IrRegion, visit: (node: IrNode) => void): void {
  for (const node of region) {
    visit(node);
    for (const inner of regionsOf(node)) forEachNode(inner, visit);
  }
}

/**
 * `region` with every node of it and of the regions in it replaced, in order; null drops a node. `rewrite`
 * is not given `if`, `block` and `loop`: they stay, around their rewritten regions.
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

/** `node` with its operands replaced, itself if none changes; inner regions are kept as they are. */
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

/** `values` themselves if `replace` changes none. */
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
 * Whether `node` only computes: it may run where its result is not needed, or not run where it is not.
 * Reading a variable or an array is pure, but bound to its place between the writes.
 */
export function isPure(node: IrNode): boolean {
  return resultsOf(node).length > 0;
}

/** What running a region may change and where it may jump, inner regions included. */
export interface RegionEffects {
  readonly writtenVariables: ReadonlySet<number>;
  readonly writtenArrays: ReadonlySet<number>;
  /** Labels that `exit` nodes name. */
  readonly exits: ReadonlySet<number>;
}

const effectsByRegion = new WeakMap<IrRegion, RegionEffects>();

/** The effects of `region`; remembered by identity, as regions do not change. */
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
