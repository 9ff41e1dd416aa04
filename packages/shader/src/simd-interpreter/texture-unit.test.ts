import { describe, expect, it } from 'vitest';
import type { TextureKernels } from '../codegen/texture-kernels.ts';
import type { TextureReader } from '../interpreter/texture-reader.ts';
import { assemble } from '../isa/assemble.ts';
import { f32x4, get, i32x4, ret } from '../wasm/index.ts';
import { compileSimdInterpreter, instantiateSimdInterpreter } from './simd-interpreter.ts';
import { kernelTextureUnit, readerTextureUnit, type TextureUnit } from './texture-unit.ts';
import { programImageBytes, writeProgramImage } from './write-program-image.ts';

/**
 * Colors are (sum of the operands, last operand, slot, number of operands); sizes are slot + level.
 */
const reader: TextureReader = {
  sample: (slot, _operation, _dimension, _isShadow, operands) =>
    Float32Array.from({ length: 16 }, (_, at) => {
      const lane = at % 4;
      const sum = operands.reduce((total, operand) => Math.fround(total + operand[lane]!), 0);
      return [sum, operands.at(-1)![lane]!, slot, operands.length][at >> 2]!;
    }),
  size: (slot, level) => Int32Array.from({ length: 12 }, (_, at) => slot + level[at % 4]!),
};

/** The same functions in WebAssembly. */
const kernels: TextureKernels = {
  emitSampleFunction(module, slot, operation, _dimension, _isShadow, operandCount) {
    const fn = module.addFunction(`sample ${slot} ${operation} ${operandCount}`, {
      params: ['i32', ...Array.from({ length: operandCount }, () => 'v128' as const)],
      results: ['v128', 'v128', 'v128', 'v128'],
    });
    const splat = (value: number) => f32x4.const([value, value, value, value]);
    let sum = splat(0);
    for (let index = 1; index <= operandCount; index++) sum = f32x4.add(sum, get(fn.param(index)));
    return fn.emit(ret(sum, get(fn.param(operandCount)), splat(slot), splat(operandCount)));
  },
  emitSizeFunction(module, slot) {
    const fn = module.addFunction(`size ${slot}`, {
      params: ['i32', 'v128'],
      results: ['v128', 'v128', 'v128'],
    });
    const size = i32x4.add(get(fn.param(1)), i32x4.const([slot, slot, slot, slot]));
    return fn.emit(ret(size, size, size));
  },
};

const LOOKUPS = `.stage fragment
builtin r0, fragCoord.x
builtin r1, fragCoord.y
flt r2, r0, 0x40000000
tex r4, 3, lod, 2d, color, r0, r1, 0x40000000
outf 0, r4
outf 1, r5
outf 2, r6
outf 3, r7
tex r4, 1, grad, cube, shadow, r0, r1, r0, r1, r0, r1, r0, r1, c0, r0
outf 4, r4
outf 5, r7
if r2
  tex r4, 1, implicit, 2d, color, r0, r1
  tex r8, 1, fetch, 2d, color, r0, r1, 0x0
  texsize r12, 2, r2
  outf 6, r4
  outf 7, r8
  outi 8, r12
endif`;

/** Returns the output vectors of a program over two quads. */
function run(text: string, unitOn: (memory: WebAssembly.Memory) => TextureUnit): number[] {
  const program = assemble(text);
  const memory = new WebAssembly.Memory({ initial: 1 });
  const words = new Int32Array(memory.buffer);
  words.set([0, 0, 15, 0, 6, 2, 15, 0]);
  const [quadsPtr, primitivesPtr, constantsPtr, outputPtr, programPtr] = [0, 64, 256, 512, 2048];
  const floats = new Float32Array(memory.buffer);
  floats[primitivesPtr / 4 + 3] = 64;
  floats[constantsPtr / 4] = 0.125;
  writeProgramImage(memory.buffer, programPtr, program, 1000);
  const interpreter = instantiateSimdInterpreter(compileSimdInterpreter(), memory, unitOn(memory));
  const status = interpreter.runFragment(
    programPtr,
    quadsPtr,
    2,
    primitivesPtr,
    outputPtr,
    constantsPtr,
    0,
    programPtr + programImageBytes(program),
  );
  expect(status).toBe(0);
  const outputs = words.subarray(outputPtr / 4, outputPtr / 4 + 2 * program.outputSlots.length * 4);
  return [...outputs];
}

describe('texture units of the SIMD interpreter', () => {
  it('give the same with a reader and with the code of kernels', () => {
    const byReader = run(LOOKUPS, (memory) => readerTextureUnit(memory, reader));
    const byKernels = run(LOOKUPS, (memory) =>
      kernelTextureUnit(memory, assemble(LOOKUPS), kernels),
    );
    expect(byKernels).toEqual(byReader);
    // x + y + 2 in the first quad, and ten operands with lists that continue over words.
    expect([...new Float32Array(Int32Array.from(byReader.slice(0, 4)).buffer)]).toEqual([
      66, 67, 65, 66,
    ]);
    expect([...new Float32Array(Int32Array.from(byReader.slice(20, 24)).buffer)]).toEqual([
      10, 10, 10, 10,
    ]);
  });

  it('are needed by programs with lookups', () => {
    const program = assemble(LOOKUPS);
    const memory = new WebAssembly.Memory({ initial: 1 });
    writeProgramImage(memory.buffer, 2048, program, 1000);
    const interpreter = instantiateSimdInterpreter(compileSimdInterpreter(), memory);
    const scratchPtr = 2048 + programImageBytes(program);
    expect(() => interpreter.runFragment(2048, 0, 1, 64, 512, 256, 0, scratchPtr)).toThrow(
      /no texture unit/,
    );
  });
});
