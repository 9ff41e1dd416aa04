import { StopWords } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import type { TextureReader } from '../interpreter/texture-reader.ts';
import { bitsOfFloat } from '../ir/scalar-operators.ts';
import { assemble } from '../isa/assemble.ts';
import { STAGE_STATUS } from '../isa/stage-memory.ts';
import { type ExecutorRuns, runVertexProgram } from '../testing/compare-executors.ts';
import { expectOutputs, runQuad } from '../testing/run-quad.ts';
import { f32x4, get, i32x4, ret, v128 } from '../wasm/index.ts';
import { generateKernel } from './generate-kernel.ts';
import { instantiateKernel, KernelCache } from './kernel-cache.ts';
import type { TextureKernels } from './texture-kernels.ts';

/** Runs vertex code on the integer inputs of slot 0, four per group. */
function runOnIntegers(text: string, inputs: readonly number[], budget?: number): ExecutorRuns {
  const program = assemble(`.stage vertex\ninput r0, 0, smooth\n${text}`);
  return runVertexProgram(program, Int32Array.from(inputs), inputs.length / 4, {
    constants: Int32Array.of(10, 20, 30, 40),
    ...(budget === undefined ? {} : { instructionBudget: budget }),
  });
}

function statuses({ interpreter, kernel, simdInterpreter }: ExecutorRuns): number[] {
  return [interpreter.status, kernel.status, simdInterpreter.status];
}

const COUNT_TO_INPUT = `
loop
  ile r2, r0, r1
  if r2
    exit 0
  endif
  iadd r1, r1, 0x1
endloop
outi 0, r1`;

describe('control flow', () => {
  it('keeps the registers of lanes that left a loop early', () => {
    expectOutputs(
      runOnIntegers(COUNT_TO_INPUT, [3, 0, 9, 1, 0, 0, 0, 0]),
      [3, 0, 9, 1, 0, 0, 0, 0],
    );
  });

  it('runs only the other side of an if for the other lanes', () => {
    const text = `
ilt r1, r0, 0x5
if r1
  imul r2, r0, 0x2
else
  isub r2, 0x0, r0
endif
outi 0, r2`;
    expectOutputs(runOnIntegers(text, [1, 7, 4, 5]), [2, -7, 8, -5]);
  });

  it('exits several targets at once and rejoins after the outer one', () => {
    const text = `
block
  loop
    iadd r1, r1, 0x1
    ieq r2, r1, r0
    if r2
      exit 1
    endif
    ilt r2, 0x3, r1
    if r2
      exit 0
    endif
  endloop
  iadd r1, r1, 0x64
endblock
outi 0, r1`;
    expectOutputs(runOnIntegers(text, [1, 2, 3, 9]), [1, 2, 3, 104]);
  });

  it('skips the rest of a round on continue', () => {
    const text = `
loop
  ile r2, 0xa, r1
  if r2
    exit 0
  endif
  iadd r1, r1, 0x1
  iand r3, r1, r0
  if r3
    continue 0
  endif
  iadd r4, r4, r1
endloop
outi 0, r4`;
    const sumWithout = (mask: number) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].reduce((sum, i) => ((i & mask) === 0 ? sum + i : sum), 0);
    // A condition is 0 or −1, so the test uses ine.
    const exact = text.replace('if r3', 'ine r3, r3, 0x0\n  if r3');
    expectOutputs(runOnIntegers(exact, [0, 1, 2, 4]), [0, 1, 2, 4].map(sumWithout));
  });

  it('sets outputs that no lane wrote to 0', () => {
    const text = 'ilt r1, r0, 0x2\nif r1\n  outi 3, r0\nendif';
    expectOutputs(runOnIntegers(text, [1, 2, -1, 5]), [1, 0, -1, 0]);
  });
});

describe('the instruction budget', () => {
  // The price of a round: five instructions and endloop.
  const roundPrice = 6;
  const rounds = 9 + 1; // number of rounds of the lane that counts to 9

  it('is each invocation’s own: suffices when it equals the instructions of the longest', () => {
    const runs = runOnIntegers(COUNT_TO_INPUT, [9, 0, 1, 2, 3, 3, 3, 3], rounds * roundPrice);
    expect(statuses(runs)).toEqual([0, 0, 0]);
  });

  it('stops the call when it is one short', () => {
    const runs = runOnIntegers(COUNT_TO_INPUT, [9, 0, 1, 2, 3, 3, 3, 3], rounds * roundPrice - 1);
    expect(statuses(runs)).toEqual([1, 1, 1]);
  });

  it('stops a loop without end', () => {
    const runs = runOnIntegers('loop\nendloop', [0, 0, 0, 0]);
    expect(statuses(runs)).toEqual([1, 1, 1]);
  });
});

describe('memory', () => {
  it('clamps the index of a read from an array and drops writes outside it', () => {
    const text = `
astore 1, 2, 0x0, 0x7
astore 1, 2, 0x1, 0x8
astore 1, 2, r0, r0
aload r1, 1, 2, r0
aload r2, 0, 4, 0x3
outi 0, r1
outi 1, r2`;
    const runs = runOnIntegers(text, [-1, 0, 1, 2]);
    expectOutputs(runs, [7, 0, 1, 8, 0, 0, 0, 0]);
  });

  it('starts arrays as 0 in each group', () => {
    const text = 'aload r1, 0, 2, 0x0\nastore 0, 2, 0x0, 0x9\nouti 0, r1';
    expectOutputs(runOnIntegers(text, [1, 2, 3, 4, 5, 6, 7, 8]), [0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('reads constants at a dynamic index, and 0 outside', () => {
    expectOutputs(runOnIntegers('uniform r1, 1, 2, r0\nouti 0, r1', [-1, 0, 1, 2]), [0, 20, 30, 0]);
  });

  it('makes every NaN that leaves as a float canonical, and keeps integers', () => {
    expectOutputs(
      runOnIntegers('outf 0, r0\nouti 1, r0', [0x7fc00001, -1, 0x7f800000, 0]),
      [0x7fc00000, 0x7fc00000, 0x7f800000, 0, 0x7fc00001, -1, 0x7f800000, 0],
    );
  });
});

const float = bitsOfFloat;

describe('fragment inputs', () => {
  it.each([
    ['fragCoord.x', [10.5, 11.5, 10.5, 11.5]],
    ['fragCoord.y', [79.5, 79.5, 78.5, 78.5]],
    ['fragCoord.z', [0.25, 0.25, 0.5, 0.5]],
    ['fragCoord.w', [0.5, 0.625, 0.5, 0.625]],
    ['pointCoord.x', [0.25, 0.75, 0.25, 0.75]],
    ['pointCoord.y', [0.25, 0.25, 0.75, 0.75]],
    ['shape.x', [7, 7, 7, 7]],
    ['shape.y', [-3, -3, -3, -3]],
  ])('%s is that of the four pixels', (name, values) => {
    expectOutputs(runQuad(`builtin r0, ${name}\noutf 0, r0`), values.map(float));
  });

  it('frontFacing is bit 0 of the flags', () => {
    expectOutputs(runQuad('builtin r0, frontFacing\nouti 0, r0'), [-1, -1, -1, -1]);
  });

  it('divides smooth varyings by w and keeps flat ones unchanged', () => {
    const runs = runQuad('input r0, 3, smooth\ninput r1, 5, flat\noutf 0, r0\noutf 1, r1', [
      [1, 0.25, 1, 0],
      [7, 1, 1, 0],
    ]);
    expectOutputs(
      runs,
      [2, 2, 4, Math.fround(1.6) * 2.25]
        .map((value) => float(Math.fround(value)))
        .concat([7, 7, 7, 7].map(float)),
    );
  });
});

describe('derivatives', () => {
  it('are differences to the right in each row and upwards in each column', () => {
    const text = `
builtin r0, fragCoord.x
builtin r1, fragCoord.y
fmul r2, r0, r1
fddx r3, r2
fddy r4, r2
outf 0, r3
outf 1, r4`;
    expectOutputs(runQuad(text), [79.5, 79.5, 78.5, 78.5, 10.5, 11.5, 10.5, 11.5].map(float));
  });

  it('read the previous values of inactive lanes', () => {
    const text = `
builtin r0, fragCoord.x
flt r1, r0, 0x41300000
mov r2, 0x40000000
if r1
  mov r2, 0x40a00000
  fddx r3, r2
endif
outf 0, r3`;
    // Only the left lanes write 5; the right ones still hold 2: 2 − 5.
    expectOutputs(runQuad(text), [-3, 0, -3, 0].map(float));
  });
});

describe('discard', () => {
  it('clears the lanes in the mask of the quad, and the lanes go on', () => {
    const runs = runQuad(`
builtin r0, fragCoord.x
flt r1, r0, 0x41300000
if r1
  discard
endif
outf 0, r0`);
    expectOutputs(runs, [10.5, 11.5, 10.5, 11.5].map(float));
    expect(runs.interpreter.quads[2]).toBe(0b1010);
    expect(runs.kernel.quads[2]).toBe(0b1010);
    expect(runs.simdInterpreter.quads[2]).toBe(0b1010);
  });
});

/** Texture whose color is (sum of the coordinates, second coordinate, slot, 1). */
const reader: TextureReader = {
  sample(slot, _operation, _dimension, _isShadow, operands) {
    const colors = new Float32Array(16);
    for (let lane = 0; lane < 4; lane++) {
      colors[lane] = operands.reduce((sum, operand) => Math.fround(sum + operand[lane]!), 0);
      colors[4 + lane] = operands[1]![lane]!;
      colors[8 + lane] = slot;
      colors[12 + lane] = 1;
    }
    return colors;
  },
  size: (slot, level) =>
    Int32Array.from({ length: 12 }, (_, at) => level[at % 4]! + slot + (at >> 2)),
};

const emitted: string[] = [];
const kernels: TextureKernels = {
  emitSampleFunction(module, slot, operation, dimension, isShadow, operandCount, channels) {
    emitted.push(`${slot} ${operation} ${dimension} ${isShadow} ${channels}`);
    const fn = module.addFunction(`sample${emitted.length}`, {
      params: ['i32', ...Array.from({ length: operandCount }, () => 'v128' as const)],
      results: channels.map(() => 'v128' as const),
    });
    let sum = f32x4.const([0, 0, 0, 0]);
    for (let index = 1; index <= operandCount; index++) sum = f32x4.add(sum, get(fn.param(index)));
    const splat = (value: number) => f32x4.const([value, value, value, value]);
    const color = () => [sum, get(fn.param(2)), splat(slot), splat(1)];
    return fn.emit(ret(...channels.map((channel) => color()[channel]!)));
  },
  emitSizeFunction(module, slot) {
    const fn = module.addFunction('size', {
      params: ['i32', 'v128'],
      results: ['v128', 'v128', 'v128'],
    });
    const size = (part: number) =>
      i32x4.add(get(fn.param(1)), v128.const([0, 1, 2, 3].map(() => slot + part)));
    return fn.emit(ret(size(0), size(1), size(2)));
  },
};

describe('textures', () => {
  const options = { textureReader: reader, textureKernels: kernels };

  it('get the operands in order and give four results', () => {
    const text = `
builtin r0, fragCoord.x
builtin r1, fragCoord.y
tex r2, 3, lod, 2d, color, r0, r1, 0x40000000
outf 0, r2
outf 1, r3
outf 2, r4
outf 3, r5`;
    const expected = [92, 93, 91, 92, 79.5, 79.5, 78.5, 78.5, 3, 3, 3, 3, 1, 1, 1, 1];
    expectOutputs(runQuad(text, [], options), expected.map(float));
  });

  it('read 0 from inactive lanes, but the actual coordinates if they need derivatives', () => {
    const sample = (operation: string) => `
builtin r0, fragCoord.x
flt r1, r0, 0x41300000
mov r2, 0x0
if r1
  tex r4, 1, ${operation}, 2d, color, r0, r0
  mov r2, r4
endif
outf 0, r2`;
    expectOutputs(runQuad(sample('implicit'), [], options), [21, 0, 21, 0].map(float));
    expectOutputs(runQuad(sample('fetch'), [], options), [21, 0, 21, 0].map(float));
  });

  it('have one function per slot, operation, dimension and channels that are read', () => {
    emitted.length = 0;
    const text = `
tex r0, 1, fetch, 2d, color, 0x0, 0x0
outf 0, r1
outf 1, r3
tex r4, 1, fetch, 2d, color, r1, r3
outf 2, r5
tex r0, 1, lod, 2d, color, 0x0, 0x0
tex r8, 1, lod, 2d, color, 0x0, 0x0
if r12
  mov r8, r0
endif
outf 3, r8
outf 4, r7`;
    generateKernel(assemble(`.stage fragment\n${text}`), {
      textures: kernels,
      instructionBudget: 1,
    });
    expect(emitted).toEqual(['1 fetch 2d false 1,3', '1 lod 2d false 0']);
  });

  it('tell their size', () => {
    const text = 'texsize r0, 4, 0x2\nouti 0, r0\nouti 1, r1\nouti 2, r2';
    expectOutputs(runQuad(text, [], options), [6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8]);
  });

  it('are an error without texture kernels', () => {
    const program = assemble('.stage fragment\ntexsize r0, 4, 0x2');
    expect(() => generateKernel(program, { textures: null, instructionBudget: 1 })).toThrow(
      'received no texture kernels',
    );
  });
});

describe('KernelCache', () => {
  const generate = () =>
    generateKernel(assemble('.stage vertex\nouti 0, 0x5'), {
      textures: null,
      instructionBudget: 1,
    });

  it('generates a kernel once while it is kept, and forgets the one used longest ago', () => {
    const generated: string[] = [];
    const cache = new KernelCache(new WebAssembly.Memory({ initial: 1 }), {
      maxKernels: 2,
      maxModuleBytes: 1e6,
    });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) {
      cache.get(key, () => {
        generated.push(key);
        return generate();
      });
    }
    expect(generated).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps no more bytes of modules than it may, and the last kernel in any case', () => {
    const limits = { maxKernels: 10, maxModuleBytes: 2 * generate().length };
    const cache = new KernelCache(new WebAssembly.Memory({ initial: 1 }), limits);
    const generated: string[] = [];
    const use = (key: string, extraBytes = 0) =>
      cache.get(key, () => {
        generated.push(key);
        // A custom section without a name, which has no effect.
        const section =
          extraBytes === 0 ? [] : [0, extraBytes - 2, ...new Array(extraBytes - 2).fill(0)];
        return Uint8Array.from([...generate(), ...section]);
      });
    for (const key of ['a', 'b', 'a', 'b', 'c', 'b', 'a']) use(key);
    expect(generated).toEqual(['a', 'b', 'c', 'a']);
    // A kernel larger than the capacity stays until the next one is compiled.
    for (const key of ['large', 'large']) use(key, 120);
    use('b');
    use('large', 120);
    expect(generated.slice(4)).toEqual(['large', 'b', 'large']);
  });

  it('binds kernels to its memory', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const run = new KernelCache(memory, { maxKernels: 1, maxModuleBytes: 0 }).get('a', generate);
    expect(run(0, 64, 1, 0, 0, 128)).toBe(0);
    expect(new Int32Array(memory.buffer)[16]).toBe(5);
  });
});

describe('a kernel that can be stopped', () => {
  const SPINS = 'loop\nendloop';
  const STRAIGHT = 'outi 0, 0x5';

  it.each([
    ['with loops', SPINS, STAGE_STATUS.budgetExceeded, 'memory'],
    ['without loops', STRAIGHT, STAGE_STATUS.done, 'memory'],
    ['with loops, by a call,', SPINS, STAGE_STATUS.budgetExceeded, 'call'],
    ['without loops, by a call,', STRAIGHT, STAGE_STATUS.done, 'call'],
  ] as const)('%s says so when its work is stopped, and runs as it would otherwise', (...row) => {
    const [, text, status, stopCheck] = row;
    const words = new StopWords();
    const memory = new WebAssembly.Memory({ initial: 1 });
    const bytes = generateKernel(assemble(`.stage vertex\n${text}`), {
      textures: null,
      instructionBudget: 1000,
      isStoppable: true,
      stopCheck,
    });
    const run = instantiateKernel(bytes, memory, words.memory);
    const call = () => run(0, 64, 1, 0, 0, 128);
    expect(call()).toBe(status);
    words.begin(1);
    words.stop(2);
    expect(call()).toBe(status);
    words.stop(1);
    expect(call()).toBe(STAGE_STATUS.stopped);
    words.begin(3);
    expect(call()).toBe(status);
  });
});
