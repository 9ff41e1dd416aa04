import { describe, expect, it } from 'vitest';
import { interpretFragmentStage, interpretVertexStage } from '../interpreter/interpret-stage.ts';
import type { TextureReader } from '../interpreter/texture-reader.ts';
import { assemble } from '../isa/assemble.ts';
import { formatInstruction } from '../isa/disassemble.ts';
import { createStepper, type Stepper } from './stepper.ts';

const INPUT_PTR = 0;
const OUTPUT_PTR = 512;
const CONSTANTS_PTR = 1024;

/** Returns a call with integer inputs, one vector of four words per group. */
function vertexCall(inputs: readonly number[], instructionBudget = 1000) {
  const memory = new ArrayBuffer(2048);
  new Int32Array(memory, INPUT_PTR).set(inputs);
  new Int32Array(memory, CONSTANTS_PTR).set([10, 20]);
  return {
    memory,
    inputPtr: INPUT_PTR,
    outputPtr: OUTPUT_PTR,
    constantsPtr: CONSTANTS_PTR,
    groupCount: inputs.length / 4,
    textures: null,
    instructionBudget,
  };
}

/**
 * Steps to the end; returns the text of each instruction with the active lanes before and after it.
 */
function trace(stepper: Stepper): string[] {
  const lines: string[] = [];
  for (let result = stepper.step(); result !== null; result = stepper.step()) {
    const { instruction, maskBefore, maskAfter } = result;
    const lanes = [maskBefore, maskAfter].map((mask) => mask.toString(2).padStart(4, '0'));
    lines.push(`${formatInstruction(instruction).replace(/ ;.*/, '')} | ${lanes.join(' ')}`);
  }
  return lines;
}

const SIDES = assemble(`.stage vertex
input r0, 0, smooth
ilt r1, r0, 0x2
if r1
  mov r2, c0
else
  mov r2, c1
endif
outi 0, r2`);

const COUNT_TO_INPUT = assemble(`.stage vertex
input r0, 0, smooth
loop
  ile r2, r0, r1
  if r2
    exit 0
  endif
  iadd r1, r1, 0x1
endloop
outi 0, r1`);

describe('the stepper', () => {
  it('executes an instruction a step and shows the active lanes', () => {
    expect(trace(createStepper(SIDES, vertexCall([0, 1, 2, 3])))).toEqual([
      'input r0, 0, smooth | 1111 1111',
      'ilt r1, r0, 0x00000002 | 1111 1111',
      'if r1 | 1111 0011',
      'mov r2, c0 | 0011 0011',
      'else | 0011 1100',
      'mov r2, c1 | 1100 1100',
      'endif | 1100 1111',
      'outi 0, r2 | 1111 1111',
    ]);
  });

  it('skips instructions that no lane executes', () => {
    const lines = trace(createStepper(SIDES, vertexCall([5, 6, 7, 8])));
    expect(lines).not.toContain('mov r2, c0 | 0000 0000');
    expect(lines).toHaveLength(7);
  });

  it('repeats a loop while lanes are left in it', () => {
    const lines = trace(createStepper(COUNT_TO_INPUT, vertexCall([0, 1, 1, 3])));
    expect(lines.filter((line) => line.startsWith('endloop'))).toEqual([
      'endloop | 1110 1110',
      'endloop | 1000 1000',
      'endloop | 1000 1000',
      'endloop | 0000 1111',
    ]);
  });

  it('shows registers of a lane, the mask and the next instruction in between', () => {
    const stepper = createStepper(SIDES, vertexCall([0, 1, 2, 3]));
    expect(stepper.instruction?.mnemonic).toBe('input');
    for (let count = 0; count < 3; count++) stepper.step();
    expect([...stepper.registers(1)]).toEqual([1, -1, 0]);
    expect([...stepper.registers(3)]).toEqual([3, 0, 0]);
    expect(stepper.mask).toBe(0b0011);
    expect(stepper.instruction?.mnemonic).toBe('mov');
    expect(stepper.status).toBeNull();
    expect(() => stepper.registers(32)).toThrow(/lane 32/);
  });

  it('leaves the outputs in the memory of the call, as the interpreter does', () => {
    // 11 groups: a warp of eight and one of three.
    const inputs = Array.from({ length: 44 }, (_, index) => index % 7);
    const stepped = vertexCall(inputs);
    const interpreted = vertexCall(inputs);
    const stepper = createStepper(COUNT_TO_INPUT, stepped);
    trace(stepper);
    expect(stepper.status).toBe(0);
    expect(stepper.instruction).toBeNull();
    expect(stepper.warp).toBe(2);
    interpretVertexStage(COUNT_TO_INPUT, interpreted);
    expect(new Int32Array(stepped.memory)).toEqual(new Int32Array(interpreted.memory));
  });

  it('stops when the budget is exceeded', () => {
    const stepper = createStepper(COUNT_TO_INPUT, vertexCall([0, 1, 2, 30], 100));
    trace(stepper);
    expect(stepper.status).toBe(1);
    expect(stepper.instruction).toBeNull();
    expect(stepper.step()).toBeNull();
  });

  it('reads textures of the call and clears discarded lanes', () => {
    const program = assemble(`.stage fragment
builtin r0, fragCoord.x
flt r1, r0, 0x3f800000
if r1
  discard
endif
tex r2, 3, lod, 2d, color, r0, r0, 0x0
texsize r6, 3, 0x2
i2f r6, r6
fadd r2, r2, r6
outf 0, r2`);
    const textures: TextureReader = {
      sample: (_slot, _operation, _dimension, _isShadow, [x]) =>
        Float32Array.from({ length: 16 }, (_, at) => x![at % 4]! * 8),
      size: (slot, level) => Int32Array.from({ length: 12 }, (_, at) => slot + level[at % 4]!),
    };
    const call = () => {
      const memory = new ArrayBuffer(1024);
      new Int32Array(memory).set([0, 0, 0b1111, 0]);
      return {
        memory,
        quadsPtr: 0,
        quadCount: 1,
        primitivesPtr: 64,
        outputPtr: 512,
        constantsPtr: 768,
        textures,
        instructionBudget: 100,
      };
    };
    const stepped = call();
    trace(createStepper(program, stepped));
    const interpreted = call();
    interpretFragmentStage(program, interpreted);
    expect(new Int32Array(stepped.memory)).toEqual(new Int32Array(interpreted.memory));
    expect(new Int32Array(stepped.memory)[2]).toBe(0b1010);
    expect([...new Float32Array(stepped.memory, 512, 2)]).toEqual([9, 17]);
  });

  it('refuses a call of the other stage', () => {
    const fragment = assemble('.stage fragment\noutf 0, c0');
    expect(() => createStepper(fragment, vertexCall([0, 0, 0, 0]))).toThrow(/fragment program/);
  });
});
