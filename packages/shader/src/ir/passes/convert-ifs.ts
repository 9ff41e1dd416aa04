/**
 * Replaces small `if`s without side effects by running both branches and selecting. The
 * computations of both branches move in front of the `if`, and each variable that a branch writes
 * gets a select. A divergent warp runs both branches in any case.
 */

import type { IrNode, IrProgram, IrRegion, IrValue } from '../ir.ts';
import { IrBuilder } from '../ir-builder.ts';
import { isPure } from '../regions.ts';
import { costOfRegion } from './operator-cost.ts';

/** Maximum cost of both branches together. */
const MAX_COST = 20;

/**
 * Returns `program` with small `if`s converted, innermost first; `program` itself if there are
 * none.
 */
export function convertIfs(program: IrProgram): IrProgram {
  const builder = new IrBuilder(program);
  const hasConverted = convertRegion(builder, program.body);
  return hasConverted ? builder.finish(program.stage) : program;
}

/** Emits `region` with conversions; returns whether there were any. */
function convertRegion(builder: IrBuilder, region: IrRegion): boolean {
  let hasConverted = false;
  const convertInner = (inner: IrRegion): IrRegion =>
    builder.buildRegion(() => {
      if (convertRegion(builder, inner)) hasConverted = true;
    });
  for (const node of region) {
    switch (node.kind) {
      case 'if': {
        const arms = {
          then: convertInner(node.then),
          else: convertInner(node.else),
        };
        if (isConvertible(arms.then) && isConvertible(arms.else) && isCheap(arms)) {
          hasConverted = true;
          emitBoth(builder, node.condition, arms);
        } else {
          builder.emit({ ...node, ...arms });
        }
        break;
      }
      case 'block':
      case 'loop':
        builder.emit({
          ...node,
          body: convertInner(node.body),
        });
        break;
      default:
        builder.emit(node);
    }
  }
  return hasConverted;
}

interface Arms {
  readonly then: IrRegion;
  readonly else: IrRegion;
}

function isCheap(arms: Arms): boolean {
  return costOfRegion(arms.then) + costOfRegion(arms.else) <= MAX_COST;
}

/**
 * Whether `region` only computes values and writes variables, each at most once and without a later
 * read.
 */
function isConvertible(region: IrRegion): boolean {
  const written = new Set<number>();
  return region.every((node) => {
    if (node.kind === 'writeVariable') {
      const isFirst = !written.has(node.variable);
      written.add(node.variable);
      return isFirst;
    }
    if (node.kind === 'readVariable') return !written.has(node.variable);
    // Lookups are expensive, and with an implicit level they depend on the neighbors.
    return isPure(node) && node.kind !== 'texture';
  });
}

function emitBoth(builder: IrBuilder, condition: IrValue, arms: Arms): void {
  const thenWrites = emitValues(builder, arms.then);
  const elseWrites = emitValues(builder, arms.else);
  const selected = [...new Set([...thenWrites.keys(), ...elseWrites.keys()])].map((variable) => {
    const thenWrite = thenWrites.get(variable);
    const elseWrite = elseWrites.get(variable);
    const line = (thenWrite ?? elseWrite)?.line ?? 0;
    builder.line = line;
    const whenTrue = thenWrite?.value ?? builder.readVariable(variable);
    const whenFalse = elseWrite?.value ?? builder.readVariable(variable);
    return { variable, value: builder.select(condition, whenTrue, whenFalse), line };
  });
  for (const { variable, value, line } of selected) {
    builder.line = line;
    builder.writeVariable(variable, value);
  }
  builder.line = 0;
}

type Write = IrNode & { kind: 'writeVariable' };

/** Emits the computations of `region`; returns its writes by variable. */
function emitValues(builder: IrBuilder, region: IrRegion): Map<number, Write> {
  const writes = new Map<number, Write>();
  for (const node of region) {
    if (node.kind === 'writeVariable') writes.set(node.variable, node);
    else builder.emit(node);
  }
  return writes;
}
