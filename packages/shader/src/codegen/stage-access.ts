/**
 * Access of generated code to the memory of its stage (isa/stage-memory.ts): inputs of one group,
 * computed or loaded.
 */
import type { IsaProgram } from '@tessera/frame';
import type { BuiltinInput } from '../ir/ir.ts';
import type { Instruction } from '../isa/instruction.ts';
import { BUILTIN_NAMES, INTERPOLATIONS } from '../isa/instructions.ts';
import { isSampleShaded } from '../isa/sample-shading.ts';
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
import {
  type QuadMasks,
  sampleCount,
  sampleId,
  sampleMask,
  sampleOffsetX,
  sampleOffsetY,
  samplePositionX,
  samplePositionY,
} from './sample-values.ts';
import { splatFloat, type VectorCode, ZERO } from './vector-operators.ts';

/** Access to the group that `groupPtr` points to. */
export interface StageAccess {
  /** Distance from the input of one group (vertex inputs, quad record) to the next. */
  readonly groupBytes: number;
  /** Emits the code at the start of a group that executes `instructions`. */
  beginGroup(code: VectorCode, instructions: Iterable<Instruction>): Stmt[];
  input(slot: number, isFlat: boolean): Expr;
  builtin(code: VectorCode, name: BuiltinInput): Expr;
}

/**
 * Returns the access to groups of vertices.
 *
 * @param groupPtr Local that points to the first input vector of the group.
 */
export function vertexAccess(program: IsaProgram, groupPtr: Local): StageAccess {
  const vector = (position: number): Expr =>
    v128.load(get(groupPtr), { offset: position * VECTOR_BYTES });
  return {
    groupBytes: vertexInputCount(program) * VECTOR_BYTES,
    beginGroup: () => [],
    input: (slot) => vector(program.inputSlots.indexOf(slot)),
    builtin(_code, name) {
      if (name !== 'vertexId' && name !== 'instanceId') {
        throw new Error(`built-in input ${name} is not available in a vertex program`);
      }
      return vector(vertexBuiltinPosition(program, name));
    },
  };
}

/** Access to quads or to packed fragments. */
export class FragmentAccess implements StageAccess {
  readonly groupBytes: number;
  readonly #program: IsaProgram;
  readonly #groupPtr: Local;
  readonly #primitivesPtr: Local;
  readonly #packed: PackedFragments | null;
  readonly #isAtSamples: boolean;
  readonly #record: Local;
  readonly #pixelX: Local;
  readonly #pixelY: Local;
  readonly #stepX: Local;
  readonly #stepY: Local;
  readonly #inverseW: Local;
  readonly #w: Local;

  /**
   * @param groupPtr Local that points to the quad's record, or to the positions of packed
   *   fragments.
   * @param primitivesPtr Local with the address of primitive 0.
   * @param packed Layout of packed fragments; `null` for quads.
   */
  constructor(
    program: IsaProgram,
    fn: FunctionBuilder,
    groupPtr: Local,
    primitivesPtr: Local,
    packed: PackedFragments | null,
  ) {
    this.groupBytes = packed === null ? QUAD_RECORD.bytes : VECTOR_BYTES;
    this.#program = program;
    this.#groupPtr = groupPtr;
    this.#primitivesPtr = primitivesPtr;
    this.#packed = packed;
    this.#isAtSamples = packed === null && isSampleShaded(program);
    this.#record = fn.local('i32');
    this.#pixelX = fn.local('v128');
    this.#pixelY = fn.local('v128');
    this.#stepX = fn.local('v128');
    this.#stepY = fn.local('v128');
    this.#inverseW = fn.local('v128');
    this.#w = fn.local('v128');
  }

  beginGroup(code: VectorCode, instructions: Iterable<Instruction>): Stmt[] {
    const uses = findUses(instructions);
    const statements: Stmt[] = [];
    if (!uses.hasInputs) return statements;
    const stride = i32.const(primitiveStrideBytes(this.#program));
    const offset = i32.mul(this.#primitive(), stride);
    const [x, y] = this.#pixels(code).map((pixel) => centerOf(code, pixel)) as [Expr, Expr];
    statements.push(
      set(this.#record, i32.add(get(this.#primitivesPtr), offset)),
      set(this.#pixelX, this.#isAtSamples ? f32x4.add(x, sampleOffsetX(this.#masks)) : x),
      set(this.#pixelY, this.#isAtSamples ? f32x4.add(y, sampleOffsetY(this.#masks)) : y),
    );
    if (!uses.hasPlanes) return statements;
    statements.push(
      set(this.#stepX, f32x4.sub(get(this.#pixelX), this.#recordWord(PRIMITIVE_RECORD.originX))),
      set(this.#stepY, f32x4.sub(get(this.#pixelY), this.#recordWord(PRIMITIVE_RECORD.originY))),
    );
    if (!uses.hasPerspective) return statements;
    statements.push(
      set(this.#inverseW, this.#plane(PRIMITIVE_RECORD.inverseW)),
      set(this.#w, f32x4.div(splatFloat(code, 1), get(this.#inverseW))),
    );
    return statements;
  }

  input(slot: number, isFlat: boolean): Expr {
    const place = this.#program.inputSlots.indexOf(slot);
    const offset = PRIMITIVE_RECORD.varyings + place * VECTOR_BYTES;
    return isFlat ? this.#recordWord(offset) : f32x4.mul(this.#plane(offset), get(this.#w));
  }

  builtin(code: VectorCode, name: BuiltinInput): Expr {
    switch (name) {
      case 'fragCoord.x':
        return get(this.#pixelX);
      case 'fragCoord.y':
        return f32x4.sub(this.#recordWord(PRIMITIVE_RECORD.targetHeight), get(this.#pixelY));
      case 'fragCoord.z':
        return this.#plane(PRIMITIVE_RECORD.depth);
      case 'fragCoord.w':
        return get(this.#inverseW);
      case 'frontFacing': {
        const frontFacing = code.splat(PRIMITIVE_FLAGS.frontFacing);
        return i32x4.ne(v128.and(this.#recordWord(PRIMITIVE_RECORD.flags), frontFacing), ZERO);
      }
      case 'pointCoord.x':
        return this.#spriteCoordinate(this.#pixelX, 0);
      case 'pointCoord.y':
        return this.#spriteCoordinate(this.#pixelY, 4);
      case 'shape.x':
        return this.#recordWord(PRIMITIVE_RECORD.shapeX);
      case 'shape.y':
        return this.#recordWord(PRIMITIVE_RECORD.shapeY);
      case 'sampleId':
        return sampleId(this.#masks);
      case 'samplePosition.x':
        return samplePositionX(this.#masks);
      case 'samplePosition.y':
        return samplePositionY(this.#masks);
      case 'sampleMask':
        return sampleMask(this.#masks);
      case 'sampleCount':
        return sampleCount(this.#masks);
      default:
        throw new Error(`built-in input ${name} is not available in a fragment program`);
    }
  }

  /** Masks of the quad; packed fragments are covered, with one sample each. */
  readonly #masks: QuadMasks = {
    mask: () => (this.#packed === null ? this.#quadWord(QUAD_RECORD.mask) : i32.const(15)),
    moreSamples: () =>
      this.#packed === null ? this.#quadHalf(QUAD_RECORD.moreSamples) : i32.const(0),
  };

  #quadHalf(offset: number): Expr {
    return i32.load16U(get(this.#groupPtr), { offset });
  }

  #quadWord(offset: number): Expr {
    return i32.load(get(this.#groupPtr), { offset });
  }

  #recordWord(offset: number): Expr {
    return v128.load32Splat(get(this.#record), { offset });
  }

  /**
   * Returns the plane at `offset` of the primitive record, evaluated at the pixels of the group.
   */
  #plane(offset: number): Expr {
    const slopeX = f32x4.mul(this.#recordWord(offset + 4), get(this.#stepX));
    const slopeY = f32x4.mul(this.#recordWord(offset + 8), get(this.#stepY));
    return f32x4.add(f32x4.add(this.#recordWord(offset), slopeX), slopeY);
  }

  #primitive(): Expr {
    return this.#quadWord(this.#packed?.primitiveOffset ?? QUAD_RECORD.primitive);
  }

  /** Returns integer x and y of the four pixels. */
  #pixels(code: VectorCode): [Expr, Expr] {
    if (this.#packed === null) {
      return [
        i32x4.add(i32x4.splat(this.#quadWord(QUAD_RECORD.x)), v128.const([0, 1, 0, 1])),
        i32x4.add(i32x4.splat(this.#quadHalf(QUAD_RECORD.y)), v128.const([0, 0, 1, 1])),
      ];
    }
    const positions = v128.load(get(this.#groupPtr));
    return [v128.and(positions, code.splat(0xffff)), i32x4.shrU(positions, i32.const(16))];
  }

  #spriteCoordinate(pixel: Local, edgeOffset: number): Expr {
    const { pointSprite } = PRIMITIVE_RECORD;
    const distance = f32x4.sub(get(pixel), this.#recordWord(pointSprite + edgeOffset));
    return f32x4.mul(distance, this.#recordWord(pointSprite + 8));
  }
}

function centerOf(code: VectorCode, pixel: Expr): Expr {
  return f32x4.add(f32x4.convertI32x4S(pixel), splatFloat(code, 0.5));
}

/** Returns which of the values that inputs share are needed. */
function findUses(instructions: Iterable<Instruction>) {
  let hasInputs = false;
  let hasPlanes = false;
  let hasPerspective = false;
  for (const { mnemonic, immediates } of instructions) {
    if (mnemonic === 'input') {
      hasInputs = true;
      hasPerspective ||= INTERPOLATIONS[immediates[1]!] !== 'flat';
    } else if (mnemonic === 'builtin') {
      const name = BUILTIN_NAMES[immediates[0]!];
      hasInputs = true;
      hasPlanes ||= name === 'fragCoord.z';
      hasPerspective ||= name === 'fragCoord.w';
    }
  }
  return { hasInputs, hasPlanes: hasPlanes || hasPerspective, hasPerspective };
}
