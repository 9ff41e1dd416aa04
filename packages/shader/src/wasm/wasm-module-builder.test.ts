import { describe, expect, it } from 'vitest';
import {
  call,
  callMulti,
  f32,
  f32x4,
  f64,
  get,
  i8x16,
  i32,
  i32x4,
  i64,
  ret,
  set,
  unreachable,
  v128,
  WasmModuleBuilder,
} from './index.ts';

function instantiate(module: WasmModuleBuilder, imports: WebAssembly.Imports = {}) {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), imports);
  return instance.exports as Record<string, (...args: unknown[]) => unknown>;
}

describe('WasmModuleBuilder', () => {
  it('encodes an empty module', () => {
    expect(WebAssembly.validate(new WasmModuleBuilder().encode())).toBe(true);
  });

  it('runs a vector kernel over an imported memory', () => {
    const module = new WasmModuleBuilder();
    module.importMemory('env', 'memory', { minPages: 1, maxPages: 4 });
    const fn = module.addFunction('increment', { params: ['i32'], results: [], export: 'run' });
    const pointer = get(fn.param(0));
    const lanes = fn.local('v128');
    fn.emit(
      set(lanes, f32x4.add(v128.load(pointer), f32x4.splat(f32.const(1)))),
      v128.store(pointer, get(lanes), { offset: 16 }),
    );
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
    const floats = new Float32Array(memory.buffer);
    floats.set([1, 2, 3, 4], 2);
    instantiate(module, { env: { memory } }).run(8);
    expect([...floats.subarray(6, 10)]).toEqual([2, 3, 4, 5]);
  });

  it('imports a shared memory', () => {
    const module = new WasmModuleBuilder();
    module.importMemory('env', 'memory', { minPages: 1, maxPages: 1, shared: true });
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    expect(() => instantiate(module, { env: { memory } })).not.toThrow();
  });

  it('reads a second memory, which another thread may write', () => {
    const module = new WasmModuleBuilder();
    module.importMemory('env', 'memory', { minPages: 1 });
    const limits = { minPages: 1, maxPages: 1, shared: true };
    const memoryIndex = module.importMemory('env', 'flags', limits);
    expect(memoryIndex).toBe(1);
    const fn = module.addFunction('sum', { params: ['i32'], results: ['i32'], export: 'run' });
    const pointer = get(fn.param(0));
    const flag = i32.load(pointer, { offset: 4, memoryIndex });
    fn.emit(ret(i32.add(i32.load(pointer, { offset: 4 }), flag)));
    const memory = new WebAssembly.Memory({ initial: 1 });
    const flags = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    new Int32Array(memory.buffer)[2] = 30;
    const { run } = instantiate(module, { env: { memory, flags } });
    expect(run!(4)).toBe(30);
    Atomics.store(new Int32Array(flags.buffer), 2, 12);
    expect(run!(4)).toBe(42);
  });

  it('calls a function whose body comes later, and one imported after both', () => {
    const module = new WasmModuleBuilder();
    const main = module.addFunction('main', { params: ['f64'], results: ['f64'] }).export();
    const twice = module.addFunction('twice', { params: ['f64'], results: ['f64'] });
    const sine = module.importFunction('math', 'sin', { params: ['f64'], results: ['f64'] });
    main.emit(ret(call(twice, [call(sine, [get(main.param(0))])])));
    twice.emit(ret(f64.add(get(twice.param(0)), get(twice.param(0)))));
    expect(instantiate(module, { math: { sin: Math.sin } }).main(1)).toBe(2 * Math.sin(1));
  });

  it('passes several results through locals, in order, and drops unused ones', () => {
    const module = new WasmModuleBuilder();
    const split = module.addFunction('split', {
      params: ['i32'],
      results: ['i32', 'f32', 'i64'],
    });
    const value = get(split.param(0));
    split.emit(ret(value, f32.convertI32S(value), i64.extendI32S(value))).export();
    const main = module.addFunction('main', { params: [], results: ['f64'], export: 'main' });
    const [word, long] = [main.local('i32'), main.local('i64')];
    main.emit(
      callMulti(split, [i32.const(-3)], [word, undefined, long]),
      ret(f64.add(f64.convertI32U(get(word)), f64.convertI64S(get(long)))),
    );
    const exports = instantiate(module);
    expect(exports.main()).toBe(2 ** 32 - 3 - 3);
    expect(exports.split(7)).toEqual([7, 7, 7n]);
  });

  it('calls a function without results as a statement', () => {
    const module = new WasmModuleBuilder();
    const log = module.importFunction('env', 'log', { params: ['i32', 'f64'], results: [] });
    const main = module.addFunction('main', { params: [], results: [], export: 'main' });
    main.emit(callMulti(log, [i32.const(-1), f64.const(0.1)]));
    const logged: unknown[] = [];
    instantiate(module, { env: { log: (...args: unknown[]) => logged.push(args) } }).main();
    expect(logged).toEqual([[-1, 0.1]]);
  });

  it('declares locals of mixed types and keeps them apart', () => {
    const module = new WasmModuleBuilder();
    const fn = module.addFunction('mix', { params: ['f32'], results: ['f64'], export: 'mix' });
    const types = ['i32', 'i32', 'f64', 'v128', 'v128', 'f64', 'i64'] as const;
    const locals = types.map((type) => fn.local(type));
    fn.emit(
      set(locals[1], i32.const(5)),
      set(locals[4], f32x4.splat(get(fn.param(0)))),
      set(locals[5], f64.promoteF32(f32x4.extractLane(get(locals[4]), 3))),
      set(locals[6], i64.const(100n)),
      set(locals[2], f64.add(f64.convertI64S(get(locals[6])), f64.convertI32S(get(locals[1])))),
      ret(f64.add(get(locals[2]), get(locals[5]))),
    );
    expect(instantiate(module).mix(0.5)).toBe(105.5);
  });

  it('shows function names in stack traces', () => {
    const module = new WasmModuleBuilder();
    module.addFunction('shadeQuad', { params: [], results: [], export: 'run' }).emit(unreachable());
    let stack = '';
    try {
      instantiate(module).run();
    } catch (error) {
      stack = (error as Error).stack ?? '';
    }
    expect(stack).toContain('shadeQuad');
  });

  it('produces the same bytes when it encodes twice', () => {
    const module = new WasmModuleBuilder();
    module.addFunction('a', { params: [], results: ['i32'], export: 'a' }).emit(ret(i32.const(1)));
    expect(module.encode()).toEqual(module.encode());
  });
});

describe('constants', () => {
  it.each([0, -1, 63, 64, -64, -65, 2 ** 31 - 1, -(2 ** 31), 8191, 8192])(
    'keep i32 %i',
    (value) => {
      const module = new WasmModuleBuilder();
      const fn = module.addFunction('run', { params: [], results: ['i32', 'i64'], export: 'run' });
      fn.emit(ret(i32.const(value), i64.const(value)));
      expect(instantiate(module).run()).toEqual([value, BigInt(value)]);
    },
  );

  it.each([2n ** 63n - 1n, -(2n ** 63n), 2n ** 32n, -1n])('keep i64 %s', (value) => {
    const module = new WasmModuleBuilder();
    const fn = module.addFunction('run', { params: [], results: ['i64'], export: 'run' });
    fn.emit(ret(i64.const(value)));
    expect(instantiate(module).run()).toBe(value);
  });

  it('take unsigned numbers as bit patterns', () => {
    const module = new WasmModuleBuilder();
    const fn = module.addFunction('run', { params: [], results: ['i32'], export: 'run' });
    fn.emit(
      ret(
        i32x4.bitmask(
          i32x4.eq(
            v128.const([0xffff_ffff, 0x8000_0000, 1, 0]),
            i32x4.const([-1, -(2 ** 31), 1, 2]),
          ),
        ),
      ),
    );
    expect(instantiate(module).run()).toBe(0b0111);
  });

  it.each([
    [() => i32.const(2 ** 32), 'i32.const: 4294967296 is not an integer from -2^31 to 2^32 - 1'],
    [() => i32.const(0.5), 'i32.const: 0.5 is not an integer'],
    [() => i64.const(2 ** 60), 'i64.const: 1152921504606847000 is not a safe integer'],
    [() => i64.const(2n ** 64n), 'i64.const: 18446744073709551616 is not an integer'],
    [() => v128.const([1, 2, 3]), 'v128.const: 3 lanes, expected 4'],
    [() => i8x16.const(new Array(16).fill(256)), 'i8x16.const: lane 0 is 256'],
  ])('refuse what does not fit: %s', (build, message) => {
    expect(build).toThrow(message);
  });
});

describe('mistakes', () => {
  const pointer = i32.const(0);
  const vector = v128.const([0, 0, 0, 0]);

  it.each([
    [
      () => f32x4.add(vector, pointer),
      'f32x4.add: operand 2 is i32 (from i32.const), expected v128',
    ],
    [() => i32.add(f32.neg(f32.const(1)), pointer), 'i32.add: operand 1 is f32 (from f32.neg)'],
    [
      () => i32x4.shl(vector, vector),
      'i32x4.shl: operand 2 is v128 (from v128.const), expected i32',
    ],
    [() => v128.store(pointer, pointer), 'v128.store: operand 2 is i32'],
    [() => i32.load(pointer, { offset: -1 }), 'i32.load: offset -1 is not an integer from 0 to'],
    [() => i32.load(pointer, { align: 8 }), 'i32.load: align 8 is not a power of two from 1 to 4'],
    [() => i32.load(pointer, { align: 3 }), 'i32.load: align 3'],
    [() => i32x4.extractLane(vector, 4), 'i32x4.extractLane: lane 4 is not an integer from 0 to 3'],
    [() => v128.load64Lane(pointer, vector, 2), 'v128.load64Lane: lane 2'],
    [() => i8x16.shuffle(vector, vector, [1]), 'i8x16.shuffle: 1 lanes, expected 16'],
    [() => i8x16.shuffle(vector, vector, new Array(16).fill(32)), 'i8x16.shuffle: lane 32'],
    // @ts-expect-error too few operands
    [() => f32x4.add(vector), 'f32x4.add: operand 2 is missing, expected v128'],
  ])('of operands: %s', (build, message) => {
    expect(build).toThrow(message);
  });

  it('name the function when the body is built inside emit', () => {
    const fn = new WasmModuleBuilder().addFunction('blend', { params: ['i32'], results: [] });
    expect(() => fn.emit(() => set(fn.param(0), f32.const(1)))).toThrow(
      'function blend: local.set: operand 1 is f32 (from f32.const), expected i32',
    );
    expect(() => fn.param(1)).toThrow(
      'function blend: parameter 1 does not exist; the number of parameters is 1',
    );
  });

  it('of calls', () => {
    const module = new WasmModuleBuilder();
    const pair = module.addFunction('pair', { params: ['i32'], results: ['i32', 'f32'] });
    const main = module.addFunction('main', { params: [], results: [] });
    const word = main.local('i32');
    expect(() => call(pair, [pointer])).toThrow('call pair: 2 results, expected 1; use callMulti');
    expect(() => callMulti(pair, [], [word, undefined])).toThrow(
      'call pair: 0 operands, expected 1',
    );
    expect(() => callMulti(pair, [vector], [word, word])).toThrow('call pair: operand 1 is v128');
    expect(() => callMulti(pair, [pointer], [word, word])).toThrow(
      'call pair: result 2 is f32, local is i32',
    );
    expect(() => callMulti(pair, [pointer], [word])).toThrow(
      'call pair: 1 result locals, expected 2',
    );
  });

  it.each([
    ['a foreign local', 'function main: local.get: local 0 (i32) belongs to function other'],
    ['a foreign function', 'function main: call far: function far belongs to another module'],
    ['a wrong return', 'function main: return: operand 1 is v128 (from v128.const), expected i32'],
    ['a short return', 'function main: return: 0 values, expected 1 (i32)'],
  ])('that only the whole module shows: %s', (mistake, message) => {
    const module = new WasmModuleBuilder();
    const other = module.addFunction('other', { params: ['i32'], results: [] });
    const far = new WasmModuleBuilder().addFunction('far', { params: [], results: ['i32'] });
    const returned = {
      'a foreign local': () => ret(get(other.param(0))),
      'a foreign function': () => ret(call(far, [])),
      'a wrong return': () => ret(vector),
      'a short return': () => ret(),
    }[mistake];
    module.addFunction('main', { params: [], results: ['i32'] }).emit(returned ?? unreachable());
    expect(() => module.encode()).toThrow(message);
  });

  it('of the memory and the exports', () => {
    const module = new WasmModuleBuilder();
    const add = (minPages: number, maxPages?: number, shared?: boolean) => () =>
      module.addMemory({ minPages, maxPages, shared });
    expect(add(-1)).toThrow('memory: minPages -1');
    expect(add(2, 1)).toThrow('memory: maxPages 1 is not from 2 to 65536');
    expect(add(1, undefined, true)).toThrow('memory: a shared memory needs maxPages');
    expect(add(65_536)).not.toThrow();
    expect(add(1)).toThrow('memory: the module already has one');
    module.addFunction('a', { params: [], results: [], export: 'same' });
    module.addFunction('b', { params: [], results: [], export: 'same' });
    expect(() => module.encode()).toThrow('exports: a name is used twice in same, same');
  });
});
