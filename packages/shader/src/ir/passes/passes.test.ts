/**
 * Tests of single passes on programs built for them. optimize.test.ts tests that they preserve all
 * bits.
 */
import { describe, expect, it } from 'vitest';
import type { IrNode, IrProgram, IrValue } from '../ir.ts';
import { IrBuilder } from '../ir-builder.ts';
import { printIr } from '../print-ir.ts';
import { validateIr } from '../validate-ir.ts';
import { convertIfs } from './convert-ifs.ts';
import { removeDeadCode } from './dead-code.ts';
import { formMads } from './form-mads.ts';
import { hoistInvariants } from './hoist-invariants.ts';
import { optimize } from './optimize.ts';
import { slicePosition } from './position-slice.ts';
import { propagate } from './propagate.ts';
import { structureExits } from './structure-exits.ts';
import { unrollLoops } from './unroll-loops.ts';

function input(builder: IrBuilder, slot: number): IrValue {
  const result = builder.newValue('f32');
  builder.emit({ kind: 'input', result, slot, isFlat: false });
  return result;
}

const output = (builder: IrBuilder, slot: number, value: IrValue): void =>
  builder.emit({ kind: 'output', slot, value });

/** Returns a program with the body that `build` emits and two float inputs. */
function program(build: (builder: IrBuilder, x: IrValue, y: IrValue) => void): IrProgram {
  const builder = new IrBuilder();
  build(builder, input(builder, 0), input(builder, 1));
  const made = builder.finish('vertex');
  validateIr(made);
  return made;
}

/** Returns the listing without its head. */
function lines(made: IrProgram): string[] {
  validateIr(made);
  return printIr(made)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(vertex|var|array)/.test(line));
}

const kindsOf = (made: IrProgram): IrNode['kind'][] => made.body.map(({ kind }) => kind);

describe('propagate', () => {
  it('forwards writes to reads, also into regions that do not write', () => {
    const made = program((b, x, y) => {
      const v = b.newVariable('f32');
      b.writeVariable(v, x);
      b.if(b.operator('flt', x, y), () => output(b, 0, b.readVariable(v)));
    });
    expect(lines(propagate(made))).toContain('output o0, %0');
  });

  it('forgets variables that a loop writes, at its head', () => {
    const made = program((b, x, y) => {
      const v = b.newVariable('f32');
      b.writeVariable(v, x);
      b.loop((label) => {
        const before = b.readVariable(v);
        b.if(b.operator('flt', y, before), () => b.emit({ kind: 'exit', label }));
        b.writeVariable(v, b.operator('fadd', before, x));
      });
      output(b, 0, b.readVariable(v));
    });
    expect(lines(propagate(made)).filter((line) => line.endsWith('= v0'))).toHaveLength(2);
  });

  it('reuses equal values, but not those of another arm', () => {
    const made = program((b, x, y) => {
      const condition = b.operator('flt', x, y);
      b.if(
        condition,
        () => output(b, 0, b.operator('fadd', x, y)),
        () => output(b, 0, b.operator('fadd', y, x)),
      );
      output(b, 1, b.emitOperator('fmul', [x, y]));
      output(b, 2, b.emitOperator('fmul', [y, x]));
    });
    const text = lines(propagate(made)).join('\n');
    expect(text.match(/fadd/g)).toHaveLength(2);
    expect(text.match(/fmul/g)).toHaveLength(1);
  });

  it('keeps the branch that a constant or an enclosing branch decides', () => {
    const made = program((b, x, y) => {
      const condition = b.operator('flt', x, y);
      b.if(condition, () => {
        b.if(
          condition,
          () => output(b, 0, x),
          () => output(b, 0, y),
        );
      });
    });
    expect(lines(propagate(made)).filter((line) => line.startsWith('output'))).toEqual([
      'output o0, %0',
    ]);
  });
});

describe('structureExits', () => {
  it('turns an early exit into an else arm and opens the block', () => {
    const made = program((b, x, y) => {
      b.block((label) => {
        b.if(b.operator('flt', x, y), () => {
          output(b, 0, x);
          b.emit({ kind: 'exit', label });
        });
        output(b, 0, y);
      });
    });
    expect(kindsOf(structureExits(made))).toEqual(['input', 'input', 'operator', 'if']);
  });

  it('turns a loop that never repeats into a block and dissolves it', () => {
    const made = program((b, x) => {
      b.loop((label) => {
        output(b, 0, x);
        b.emit({ kind: 'exit', label });
      });
    });
    expect(kindsOf(structureExits(made))).toEqual(['input', 'input', 'output']);
  });
});

describe('removeDeadCode', () => {
  it('drops overwritten writes and values that only they need', () => {
    const made = program((b, x, y) => {
      const v = b.newVariable('f32');
      b.writeVariable(v, b.operator('fsqrt', x));
      b.if(
        b.operator('flt', x, y),
        () => b.writeVariable(v, y),
        () => b.writeVariable(v, x),
      );
      output(b, 0, b.readVariable(v));
    });
    expect(lines(removeDeadCode(made)).join('\n')).not.toContain('fsqrt');
  });

  it('keeps writes that the next round of a loop reads', () => {
    const made = program((b, x, y) => {
      const v = b.newVariable('f32');
      b.loop((label) => {
        const before = b.readVariable(v);
        output(b, 0, before);
        b.if(b.operator('flt', y, before), () => b.emit({ kind: 'exit', label }));
        b.writeVariable(v, b.operator('fadd', before, x));
      });
    });
    expect(lines(removeDeadCode(made))).toEqual(lines(made));
  });

  it('drops loops without effect', () => {
    const made = program((b, x, y) => {
      const v = b.newVariable('f32');
      b.loop((label) => {
        const before = b.readVariable(v);
        b.if(b.operator('flt', y, before), () => b.emit({ kind: 'exit', label }));
        b.writeVariable(v, b.operator('fadd', before, x));
      });
      output(b, 0, x);
    });
    expect(kindsOf(removeDeadCode(made))).toEqual(['input', 'output']);
  });
});

describe('convertIfs', () => {
  it('replaces the writes of small branches by selects', () => {
    const made = program((b, x, y) => {
      const v = b.newVariable('f32');
      b.if(b.operator('flt', x, y), () => b.writeVariable(v, b.operator('fadd', x, y)));
      output(b, 0, b.readVariable(v));
    });
    const kinds = kindsOf(convertIfs(made));
    expect(kinds).not.toContain('if');
    expect(lines(convertIfs(made)).join('\n')).toContain('selectF');
  });

  it('keeps branches that are expensive or have side effects', () => {
    const made = program((b, x, y) => {
      const condition = b.operator('flt', x, y);
      b.if(condition, () => output(b, 0, x));
      const v = b.newVariable('f32');
      b.if(condition, () => {
        const sine = b.operator('fsin', b.operator('fcos', x));
        b.writeVariable(v, sine);
      });
      output(b, 1, b.readVariable(v));
    });
    expect(kindsOf(convertIfs(made)).filter((kind) => kind === 'if')).toHaveLength(2);
  });
});

describe('unrollLoops', () => {
  const counting = (trips: number): IrProgram =>
    program((b, x) => {
      const counter = b.newVariable('i32');
      const sum = b.newVariable('f32');
      b.writeVariable(counter, b.int(0));
      b.loop((label) => {
        const k = b.readVariable(counter);
        b.if(b.operator('ile', b.int(trips), k), () => b.emit({ kind: 'exit', label }));
        b.writeVariable(sum, b.operator('fadd', b.readVariable(sum), x));
        b.writeVariable(counter, b.operator('iadd', k, b.int(1)));
      });
      output(b, 0, b.readVariable(sum));
    });

  it('copies the body once per trip', () => {
    const text = lines(optimize(counting(5), validateIr)).join('\n');
    expect(text.match(/fadd/g)).toHaveLength(5);
    expect(text).not.toContain('loop');
  });

  it('leaves long loops', () => {
    expect(lines(unrollLoops(counting(1000))).join('\n')).toContain('loop');
  });

  it('knows that no trip may be one', () => {
    expect(lines(optimize(counting(0), validateIr))).toEqual(['%0 = 0.0', 'output o0, %0']);
  });
});

describe('hoistInvariants', () => {
  it('moves invariants in front of the loop', () => {
    const made = program((b, x, y) => {
      const v = b.newVariable('f32');
      b.loop((label) => {
        const before = b.readVariable(v);
        const root = b.operator('fsqrt', x);
        b.if(b.operator('flt', y, before), () => b.emit({ kind: 'exit', label }));
        b.writeVariable(v, b.operator('fadd', before, root));
      });
      output(b, 0, b.readVariable(v));
    });
    const text = lines(hoistInvariants(made));
    expect(text.findIndex((line) => line.includes('fsqrt'))).toBeLessThan(text.indexOf('loop L0'));
    expect(text.findIndex((line) => line.includes('flt'))).toBeGreaterThan(text.indexOf('loop L0'));
  });
});

describe('formMads', () => {
  it('joins products with one use only', () => {
    const made = program((b, x, y) => {
      const once = b.operator('fmul', x, y);
      output(b, 0, b.operator('fadd', y, once));
      const twice = b.operator('fmul', x, x);
      output(b, 1, b.operator('fadd', twice, y));
      output(b, 2, twice);
    });
    const text = lines(removeDeadCode(formMads(made))).join('\n');
    expect(text.match(/fmad %0, %1, %1/g)).toHaveLength(1);
    expect(text.match(/fmul %0, %0/g)).toHaveLength(1);
    expect(text.match(/fadd/g)).toHaveLength(1);
  });
});

describe('slicePosition', () => {
  it('keeps position and point size alone', () => {
    const made = program((b, x, y) => {
      output(b, 0, x);
      output(b, 4, y);
      output(b, 5, b.operator('fsqrt', x));
    });
    expect(lines(slicePosition(made)).slice(2)).toEqual(['output o0, %0', 'output o4, %1']);
  });
});

describe('validateIr', () => {
  it('finds uses outside of the region that defines the value', () => {
    const builder = new IrBuilder();
    const x = input(builder, 0);
    let inner = x;
    builder.block(() => {
      inner = builder.operator('fsqrt', x);
    });
    output(builder, 0, inner);
    expect(() => validateIr(builder.finish('vertex'))).toThrow('value 1 is not defined here');
  });

  it('finds wrong types', () => {
    const builder = new IrBuilder();
    const x = input(builder, 0);
    builder.emitOperator('iadd', [x, x]);
    expect(() => validateIr(builder.finish('vertex'))).toThrow('value 0 is f32, not i32');
  });
});
