/**
 * Unrolls loops with a known number of iterations: a guard tests a variable that starts as a
 * constant and that the body changes once per iteration by an operation with constants. Each
 * iteration is a copy of the body. In each, `propagate` then treats the variable as a constant.
 */

import type { IrNode, IrProgram, IrRegion, IrValue } from '../ir.ts';
import { IrBuilder } from '../ir-builder.ts';
import { effectsOf, resultsOf, withOperands } from '../regions.ts';
import { evaluateScalarOperator } from '../scalar-operators.ts';
import { costOfRegion } from './operator-cost.ts';
import { ScopedMap } from './scoped-map.ts';

/** Maximum number of iterations of an unrolled loop. */
const MAX_TRIPS = 64;
/** Maximum cost of all copies together. */
const MAX_COST = 400;
/** Maximum cost of all copies for at most {@link FEW_TRIPS} iterations. */
const MAX_COST_FEW_TRIPS = 1600;
const FEW_TRIPS = 8;
/** Maximum number of operators between a loop's counter and its condition or next value. */
const MAX_CHAIN = 32;

/**
 * Returns `program` with short loops unrolled, innermost first; `program` itself if there are none.
 */
export function unrollLoops(program: IrProgram): IrProgram {
  const builder = new IrBuilder(program);
  // Variables start as 0.
  const start: Known = new ScopedMap();
  program.variables.forEach((type, variable) => {
    start.set(variable, builder.constant(type, 0));
  });
  const walk = new UnrollWalk(builder);
  walk.region(program.body, start);
  return walk.hasUnrolled ? builder.finish(program.stage) : program;
}

/** Constants that variables hold. */
type Known = ScopedMap<number, IrValue>;

class UnrollWalk {
  hasUnrolled = false;
  readonly #builder: IrBuilder;

  constructor(builder: IrBuilder) {
    this.#builder = builder;
  }

  /** Emits `region`; afterwards `known` is restored. */
  region(region: IrRegion, known: Known): void {
    const outside = known.mark();
    for (const node of region) {
      switch (node.kind) {
        case 'writeVariable':
          known.set(
            node.variable,
            this.#builder.constantBits(node.value) === null ? undefined : node.value,
          );
          this.#builder.emit(node);
          break;
        case 'if':
          this.#builder.emit({
            ...node,
            then: this.#inner(node.then, known),
            else: this.#inner(node.else, known),
          });
          forget(known, node.then, node.else);
          break;
        case 'block':
          this.#builder.emit({ ...node, body: this.#inner(node.body, known) });
          forget(known, node.body);
          break;
        case 'loop': {
          const start = known.mark();
          forget(known, node.body);
          const body = this.#inner(node.body, known);
          known.rewind(start);
          this.#loop({ ...node, body }, known);
          forget(known, node.body);
          break;
        }
        default:
          this.#builder.emit(node);
      }
    }
    known.rewind(outside);
  }

  #inner(region: IrRegion, known: Known): IrRegion {
    return this.#builder.buildRegion(() => this.region(region, known));
  }

  #loop(loop: IrNode & { kind: 'loop' }, start: Known): void {
    const trips = loop.body
      .map((node) => (node.kind === 'if' ? this.#countTrips(loop, node, start) : null))
      .find((count) => count !== null);
    if (trips === undefined) {
      this.#builder.emit(loop);
      return;
    }
    this.hasUnrolled = true;
    const { line } = loop;
    const label = this.#builder.newLabel();
    const body = this.#builder.buildRegion(() => {
      // One copy more than iterations: the guard of the last one leaves the loop.
      for (let trip = 0; trip <= trips; trip++) {
        copyRegion(this.#builder, loop.body, new Map([[loop.label, label]]), new Map());
      }
      this.#builder.emit({ kind: 'exit', label, line });
    });
    this.#builder.emit({ kind: 'block', label, body, line });
  }

  /**
   * Returns the number of complete iterations before `guard` leaves the loop; null if it is unknown
   * or too large to unroll.
   */
  #countTrips(
    loop: IrNode & { kind: 'loop' },
    guard: IrNode & { kind: 'if' },
    start: Known,
  ): number | null {
    const exitsWhen = exitArm(guard, loop.label);
    if (exitsWhen === null || jumpsBack(loop.body, loop.label)) return null;

    const counter = this.#counterOf(loop, guard.condition);
    const first = counter === null ? undefined : start.get(counter.variable);
    if (counter === null || first === undefined) return null;
    let value = this.#builder.constantBits(first)!;
    const cost = costOfRegion(loop.body);
    for (let trips = 0; trips <= MAX_TRIPS; trips++) {
      const condition = counter.evaluate(guard.condition, value);
      if (condition === null) return null;
      if ((condition !== 0) === exitsWhen) return trips;
      const total = (trips + 1) * cost;
      if (total > (trips < FEW_TRIPS ? MAX_COST_FEW_TRIPS : MAX_COST)) return null;
      const next = counter.evaluate(counter.next, value);
      if (next === null) return null;
      value = next;
    }
    return null;
  }

  /**
   * Returns the variable that the loop counts with, and functions to compute with it; null if there
   * is none.
   */
  #counterOf(loop: IrNode & { kind: 'loop' }, condition: IrValue) {
    const definitions = new Map<number, IrNode>();
    for (const node of loop.body) {
      for (const { id } of resultsOf(node)) definitions.set(id, node);
    }
    const variables = new Set<number>();
    const seen = new Set<number>();
    const collect = (value: IrValue): void => {
      if (seen.has(value.id) || seen.size > MAX_CHAIN) return;
      seen.add(value.id);
      const node = definitions.get(value.id);
      if (node?.kind === 'operator') node.operands.forEach(collect);
      if (node?.kind === 'readVariable') variables.add(node.variable);
    };
    collect(condition);
    const [variable] = variables;
    if (variables.size !== 1 || variable === undefined || seen.size > MAX_CHAIN) return null;
    // The variable is written once, and that write follows every read.
    const writeIndex = loop.body.findIndex(
      (node) => node.kind === 'writeVariable' && node.variable === variable,
    );
    const write = loop.body[writeIndex];
    if (write?.kind !== 'writeVariable') return null;
    const others = loop.body.filter((_, k) => k !== writeIndex);
    if (effectsOf(others).writtenVariables.has(variable)) return null;

    type Evaluated = Map<number, number | null>;
    const bitsOf = (value: IrValue, counterBits: number, known: Evaluated): number | null => {
      const constant = this.#builder.constantBits(value);
      if (constant !== null) return constant;
      let bits = known.get(value.id);
      if (bits !== undefined) return bits;
      if (known.size > MAX_CHAIN) return null;
      known.set(value.id, null);
      bits = computeBits(value, counterBits, known);
      known.set(value.id, bits);
      return bits;
    };
    const computeBits = (value: IrValue, counterBits: number, known: Evaluated): number | null => {
      const node = definitions.get(value.id);
      if (node?.kind === 'readVariable') {
        const isBeforeWrite = loop.body.indexOf(node) < writeIndex;
        return node.variable === variable && isBeforeWrite ? counterBits : null;
      }
      if (node?.kind !== 'operator' || node.op === 'fddx' || node.op === 'fddy') return null;
      const operands: IrValue[] = [];
      for (const operand of node.operands) {
        const bits = bitsOf(operand, counterBits, known);
        if (bits === null) return null;
        operands.push(this.#builder.constant(operand.type, bits));
      }
      const folded = evaluateScalarOperator(
        node.op,
        operands.map((operand) => this.#builder.constantNumber(operand)!),
      );
      const result =
        node.result.type === 'f32' ? this.#builder.float(folded) : this.#builder.int(folded);
      return this.#builder.constantBits(result);
    };
    const evaluate = (value: IrValue, counterBits: number): number | null =>
      bitsOf(value, counterBits, new Map());
    return { variable, next: write.value, evaluate };
  }
}

/**
 * Returns the value of `c` for which `if (c) exit`, or its opposite, leaves the loop; null for
 * another `if`.
 */
function exitArm(guard: IrNode & { kind: 'if' }, label: number): boolean | null {
  const isExit = (region: IrRegion): boolean => {
    const last = region.at(-1);
    return last?.kind === 'exit' && last.label === label;
  };
  return isExit(guard.then) ? true : isExit(guard.else) ? false : null;
}

function jumpsBack(region: IrRegion, label: number): boolean {
  return region.some(
    (node) =>
      (node.kind === 'continue' && node.label === label) ||
      (node.kind === 'if' && (jumpsBack(node.then, label) || jumpsBack(node.else, label))) ||
      ((node.kind === 'block' || node.kind === 'loop') && jumpsBack(node.body, label)),
  );
}

function forget(known: Known, ...regions: readonly IrRegion[]): void {
  for (const region of regions) {
    for (const variable of effectsOf(region).writtenVariables) known.set(variable, undefined);
  }
}

/** Emits a copy of `region` with new values and labels. */
function copyRegion(
  builder: IrBuilder,
  region: IrRegion,
  labels: Map<number, number>,
  values: Map<number, IrValue>,
): void {
  const copyValue = (value: IrValue): IrValue => {
    const copy = builder.newValue(value.type);
    values.set(value.id, copy);
    return copy;
  };
  const copyInner = (inner: IrRegion): IrRegion =>
    builder.buildRegion(() => copyRegion(builder, inner, labels, values));
  for (const original of region) {
    const node = withOperands(original, (value) => values.get(value.id) ?? value);
    switch (node.kind) {
      case 'if':
        builder.emit({ ...node, then: copyInner(node.then), else: copyInner(node.else) });
        break;
      case 'block':
      case 'loop': {
        const label = builder.newLabel();
        labels.set(node.label, label);
        builder.emit({ ...node, label, body: copyInner(node.body) });
        break;
      }
      case 'exit':
      case 'continue':
        builder.emit({ ...node, label: labels.get(node.label) ?? node.label });
        break;
      case 'texture': {
        const [r, g, b, a] = node.results;
        const results = [copyValue(r), copyValue(g), copyValue(b), copyValue(a)] as const;
        builder.emit({ ...node, results });
        break;
      }
      case 'textureSize': {
        const [width, height, depth] = node.results;
        const results = [copyValue(width), copyValue(height), copyValue(depth)] as const;
        builder.emit({ ...node, results });
        break;
      }
      case 'constant':
      case 'operator':
      case 'uniform':
      case 'input':
      case 'builtinInput':
      case 'readVariable':
      case 'readArray':
        builder.emit({ ...node, result: copyValue(node.result) });
        break;
      default:
        builder.emit(node);
    }
  }
}
