import { describe, expect, it } from 'vitest';
import {
  type Body,
  block,
  br,
  brIf,
  brTable,
  createLabel,
  drop,
  type Expr,
  type FunctionBuilder,
  f32,
  get,
  i32,
  ifThen,
  ifValue,
  loop,
  ret,
  select,
  sequence,
  set,
  tee,
  unreachable,
  v128,
  valueAfter,
  WasmModuleBuilder,
  whileLoop,
} from './index.ts';

/** Compiles a function from two i32 to one. */
function compile(build: (fn: FunctionBuilder) => Body): (a?: number, b?: number) => number {
  const module = new WasmModuleBuilder();
  const fn = module.addFunction('run', { params: ['i32', 'i32'], results: ['i32'] }).export();
  fn.emit(build);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()));
  return instance.exports.run as (a?: number, b?: number) => number;
}

const number = i32.const;

describe('block and loop', () => {
  it('run the classic sum with labels from the body', () => {
    const run = compile((fn) => {
      const count = fn.param(0);
      const sum = fn.local('i32');
      return [
        block((done) => [
          loop((again) => [
            brIf(done, i32.eqz(get(count))),
            set(sum, i32.add(get(sum), get(count))),
            set(count, i32.sub(get(count), number(1))),
            br(again),
          ]),
        ]),
        ret(get(sum)),
      ];
    });
    expect(run(10)).toBe(55);
    expect(run(0)).toBe(0);
  });

  it.each([0, 1, 2, 3])('resolve labels through if, else, block and loop: exit %i', (exit) => {
    const labels = ['outer', 'middle', 'around', 'inner'].map(createLabel);
    const [outer, middle, around, inner] = labels;
    const run = compile((fn) => {
      const trace = fn.param(1);
      const mark = (bit: number) => set(trace, i32.or(get(trace), number(bit)));
      const leave = ifThen(
        i32.eq(get(fn.param(0)), number(0)),
        br(outer),
        ifThen(i32.eq(get(fn.param(0)), number(1)), br(middle), [
          brTable([around, around, around], inner, get(fn.param(0))),
        ]),
      );
      return [
        block(
          [
            block(
              [block([loop([block([leave], inner), mark(1)]), mark(2)], around), mark(4)],
              middle,
            ),
            mark(8),
          ],
          outer,
        ),
        ret(get(trace)),
      ];
    });
    expect(run(exit, 0)).toBe([0, 8, 8 + 4, 8 + 4 + 2 + 1][exit]);
  });

  it('leave and repeat a while loop', () => {
    const run = compile((fn) => [
      whileLoop(i32.ltS(get(fn.param(0)), number(100)), (exit) => [
        set(fn.param(0), i32.mul(get(fn.param(0)), number(3))),
        brIf(exit, i32.eq(get(fn.param(0)), get(fn.param(1)))),
      ]),
      ret(get(fn.param(0))),
    ]);
    expect(run(1, 0)).toBe(243);
    expect(run(1, 27)).toBe(27);
    expect(run(500, 0)).toBe(500);
  });

  it('choose by a table, with the last label for indices past its end', () => {
    const run = compile((fn) => [
      block((isTwo) => [
        block((isOne) => [
          block((isZero) => brTable([isZero, isOne], isTwo, get(fn.param(0)))),
          ret(number(100)),
        ]),
        ret(number(101)),
      ]),
      ret(number(102)),
    ]);
    expect([0, 1, 2, -1].map((index) => run(index))).toEqual([100, 101, 102, 102]);
  });
});

describe('values of control', () => {
  it('choose with select, if and sequence', () => {
    const run = compile((fn) => {
      const [a, b] = [fn.param(0), fn.param(1)];
      const smaller = select(get(a), get(b), i32.ltS(get(a), get(b)));
      const larger = ifValue(i32.ltS(get(a), get(b)), get(b), get(a));
      const scratch = fn.local('i32');
      return [
        drop(tee(scratch, number(1000))),
        sequence([set(scratch, i32.add(get(scratch), number(1)))]),
        ret(
          i32.add(valueAfter(set(scratch, i32.mul(smaller, get(scratch))), get(scratch)), larger),
        ),
      ];
    });
    expect(run(3, 8)).toBe(3011);
    expect(run(8, 3)).toBe(3011);
  });

  it('select between vectors', () => {
    const vector = (words: number[]) => v128.const(words);
    const run = compile((fn) => [
      ret(v128.anyTrue(select(vector([0, 0, 1, 0]), vector([0, 0, 0, 0]), get(fn.param(0))))),
    ]);
    expect([run(0), run(1)]).toEqual([0, 1]);
  });

  it('traps on unreachable', () => {
    const run = compile((fn) => [ifThen(get(fn.param(0)), unreachable()), ret(number(1))]);
    expect(run(0)).toBe(1);
    expect(() => run(1)).toThrow(WebAssembly.RuntimeError);
  });

  it('writes a chain of 5000 operators', () => {
    const run = compile((fn) => {
      let sum = get(fn.param(0));
      for (let index = 0; index < 5000; index++) sum = i32.add(sum, number(index));
      return ret(sum);
    });
    expect(run(1)).toBe(1 + (5000 * 4999) / 2);
  });
});

describe('mistakes in control', () => {
  const message = (build: (fn: FunctionBuilder) => Body) => () => compile(build);

  it('a branch out of no block', () => {
    expect(message(() => [block([]), br(createLabel('lost')), ret(number(1))])).toThrow(
      'function run: br: label lost is not a label of an enclosing block',
    );
  });

  it('a condition that is no i32', () => {
    expect(message(() => ifThen(f32.const(1), []))).toThrow(
      'function run: if: operand 1 is f32 (from f32.const), expected i32',
    );
  });

  it('two types to choose from', () => {
    const choose = (choice: (a: Expr, b: Expr, c: Expr) => Expr) => () =>
      choice(f32.const(1), number(1), number(1));
    expect(choose(select)).toThrow('select: operand 2 is i32 (from i32.const), expected f32');
    expect(choose((a, b, c) => ifValue(c, a, b))).toThrow('if: operand 3 is i32');
  });

  it('a value among the statements', () => {
    const value: unknown = number(1);
    expect(message(() => [block([value as ReturnType<typeof ret>])])).toThrow(
      'function run: block: statement 1 is i32 (from i32.const), expected a statement (drop it?)',
    );
  });

  it('an end without a result', () => {
    expect(message((fn) => set(fn.param(0), number(1)))).toThrow(
      'function run: end: results (i32) missing: end with ret or unreachable',
    );
  });
});
