/**
 * How generated code reaches the memory of its stage (isa/stage-memory.ts): inputs computed or loaded for
 * one group, outputs, the discard mask.
 */
import type { IsaProgram } from '@tessera/frame';
import type { BuiltinInput } from '../ir/ir.ts';
import type { Instruction } from '../isa/instruction.ts';
import { BUILTIN_NAMES, INTERPOLATIONS } from '../isa/instructions.ts';
import {
  type PackedFragments,
  PRIMITIVE_FLAGS,
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  QUAD_RECORD,
  VECTOR_BYTES,
  vertexBuiltinPosition,
  vertexInputCount,
} from '../isa/stage-memory.ts';
import {
  type Expr,
  type FunctionBuilder,
  f32x4,
  get,
  i32,
  i32x4,
  type Local,
  type Stmt,
  set,
  v128,
} from '../wasm/index.ts';
import { splatFloat, type VectorCode, ZERO } from './vector-operators.ts';

/** Access to the group that `groupPtr` points to. */
export interface StageAccess {
  /** Bytes from the input of one group (vertex inputs, quad record) to the next. */
  readonly groupBytes: number;
  /** Code at the start of a group that executes `instructions`. */
  beginGroup(code: VectorCode, instructions: Iterable<Instruction>): Stmt[];
  input(slot: number, isFlat: boolean): Expr;
  builtin(code: VectorCode, name: BuiltinInput): Expr;
}

/** @param groupPtr Local that points to the first input vector of the group. */
export function vertexAccess(program: IsaProgram, groupPtr: Local): StageAccess {
  const vector = (position: number): Expr =>
    v128.load(get(groupPtr), { offset: position * VECTOR_BYTES });
  return {
    groupBytes: vertexInputCount(program) * VECTOR_BYTES,
    beginGroup: () => [],
    input: (slot) => vector(program.inputSlots.indexOf(slot)),
    builtin(_code, name) {
      if (name !== 'vertexId' && name !== 'instanceId') {
        throw new Error(`builtin ${name} in a vertex program`);
      }
      return vector(vertexBuiltinPosition(program, name));
    },
  };
}

/**
 * @param groupPtr Local that points to the quad's record, or to the positions of packed fragments.
 * @param primitivesPtr Local with the address of primitive 0.
 * @param packed `null` for quads.
 */
export function fragmentAccess(
  program: IsaProgram,
  fn: FunctionBuilder,
  groupPtr: Local,
  primitivesPtr: Local,
  packed: PackedFragments | null,
): StageAccess {
  const record = fn.local('i32');
  const pixelX = fn.local('v128');
  const pixelY = fn.local('v128');
  const stepX = fn.local('v128');
  const stepY = fn.local('v128');
  const inverseW = fn.local('v128');
  const w = fn.local('v128');

  const quadWord = (offset: number): Expr => i32.load(get(groupPtr), { offset });
  const recordWord = (offset: number): Expr => v128.load32Splat(get(record), { offset });
  const plane = (offset: number): Expr => {
    const alongX = f32x4.add(recordWord(offset), f32x4.mul(recordWord(offset + 4), get(stepX)));
    return f32x4.add(alongX, f32x4.mul(recordWord(offset + 8), get(stepY)));
  };
  const primitive = (): Expr => quadWord(packed?.primitiveOffset ?? QUAD_RECORD.primitive);
  const pixels = (code: VectorCode): [Expr, Expr] => {
    if (packed === null) {
      return [
        i32x4.add(i32x4.splat(quadWord(QUAD_RECORD.x)), v128.const([0, 1, 0, 1])),
        i32x4.add(i32x4.splat(quadWord(QUAD_RECORD.y)), v128.const([0, 0, 1, 1])),
      ];
    }
    const positions = v128.load(get(groupPtr));
    return [v128.and(positions, code.splat(0xffff)), i32x4.shrU(positions, i32.const(16))];
  };
  const centreOf = (code: VectorCode, pixel: Expr): Expr =>
    f32x4.add(f32x4.convertI32x4S(pixel), splatFloat(code, 0.5));
  const spriteCoordinate = (pixel: Local, edgeOffset: number): Expr => {
    const { pointSprite } = PRIMITIVE_RECORD;
    const distance = f32x4.sub(get(pixel), recordWord(pointSprite + edgeOffset));
    return f32x4.mul(distance, recordWord(pointSprite + 8));
  };

  return {
    groupBytes: packed === null ? QUAD_RECORD.bytes : VECTOR_BYTES,
    beginGroup(code, instructions) {
      const uses = findUses(instructions);
      const statements: Stmt[] = [];
      if (!uses.hasInputs) return statements;
      const stride = i32.const(primitiveStrideBytes(program));
      const offset = i32.mul(primitive(), stride);
      const [x, y] = pixels(code);
      statements.push(
        set(record, i32.add(get(primitivesPtr), offset)),
        set(pixelX, centreOf(code, x)),
        set(pixelY, centreOf(code, y)),
      );
      if (!uses.hasPlanes) return statements;
      statements.push(
        set(stepX, f32x4.sub(get(pixelX), recordWord(PRIMITIVE_RECORD.originX))),
        set(stepY, f32x4.sub(get(pixelY), recordWord(PRIMITIVE_RECORD.originY))),
      );
      if (!uses.hasPerspective) return statements;
      statements.push(
        set(inverseW, plane(PRIMITIVE_RECORD.inverseW)),
        set(w, f32x4.div(splatFloat(code, 1), get(inverseW))),
      );
      return statements;
    },
    input(slot, isFlat) {
      const offset = PRIMITIVE_RECORD.varyings + program.inputSlots.indexOf(slot) * VECTOR_BYTES;
      return isFlat ? recordWord(offset) : f32x4.mul(plane(offset), get(w));
    },
    builtin(code, name) {
      switch (name) {
        case 'fragCoord.x':
          return get(pixelX);
        case 'fragCoord.y':
          return f32x4.sub(recordWord(PRIMITIVE_RECORD.targetHeight), get(pixelY));
        case 'fragCoord.z':
          return plane(PRIMITIVE_RECORD.depth);
        case 'fragCoord.w':
          return get(inverseW);
        case 'frontFacing': {
          const frontFacing = code.splat(PRIMITIVE_FLAGS.frontFacing);
          return i32x4.ne(v128.and(recordWord(PRIMITIVE_RECORD.flags), frontFacing), ZERO);
        }
        case 'pointCoord.x':
          return spriteCoordinate(pixelX, 0);
        case 'pointCoord.y':
          return spriteCoordinate(pixelY, 4);
        default:
          throw new Error(`builtin ${name} in a fragment program`);
      }
    },
  };
}

/** Which of the values that inputs share are needed. */
function findUses(instructions: Iterable<Instruction>) {
  let hasInputs = false;
  let hasPlanes = false;
  let hasPerspective = false;
  for (const { mnemonic, immediates } of instructions) {
    if (mnemonic === 'input') {
      hasInputs = true;
      hasPerspective ||= INTERPOLATIONS[immediates[1]!] === 'smooth';
    } else if (mnemonic === 'builtin') {
      const name = BUILTIN_NAMES[immediates[0]!];
      hasInputs = true;
      hasPlanes ||= name === 'fragCoord.z';
      hasPerspective ||= name === 'fragCoord.w';
    }
  }
  return { hasInputs, hasPlanes: hasPlanes || hasPerspective, hasPerspective };
}
