/**
 * Inputs: vectors of vertex attributes, or the planes of a primitive evaluated at the pixels of a
 * quad. To produce the same bits, the steps and their order equal those in codegen/stage-access.ts.
 */
import {
  sampleCount,
  sampleId,
  sampleMask,
  sampleOffsetX,
  sampleOffsetY,
  samplePositionX,
  samplePositionY,
} from '../codegen/sample-values.ts';
import { splatFloat, ZERO } from '../codegen/vector-operators.ts';
import { PRIMITIVE_FLAGS, PRIMITIVE_RECORD, QUAD_RECORD } from '../isa/stage-memory.ts';
import {
  block,
  br,
  brTable,
  callMulti,
  createLabel,
  type Expr,
  type FunctionBuilder,
  f32x4,
  get,
  i32,
  i32x4,
  type Stmt,
  unreachable,
  v128,
  type WasmModuleBuilder,
} from '../wasm/index.ts';
import { InstructionCode } from './instruction-code.ts';
import { INPUT_MODES, type InputMode, SCRATCH } from './interpreter-memory.ts';

/** Offsets of a quad's masks in its vector of `record`. */
const MASK_OFFSET = 4;
const MORE_SAMPLES_OFFSET = 8;

/** Adds the function of `input` and `builtin`, which branches on the mode in part 3. */
export function addInputFunction(module: WasmModuleBuilder): FunctionBuilder {
  const code = new InstructionCode(module, 'input');
  const done = createLabel('done');
  const labels = INPUT_MODES.map((mode) => createLabel(mode));
  const invalid = createLabel('invalid');
  let body: Stmt[] = [brTable(labels, invalid, code.part(3))];
  for (const [index, mode] of INPUT_MODES.entries()) {
    const modeCode = new InstructionCode(module, mode);
    emitMode(modeCode, mode);
    const fn = modeCode.finish();
    body = [
      block(body, labels[index]!),
      callMulti(fn, [get(code.word), get(code.scratch)]),
      br(done),
    ];
  }
  code.emit(block([block(body, invalid), unreachable()], done));
  return code.finish();
}

function emitMode(code: InstructionCode, mode: InputMode): void {
  code.decodeResult();
  const offset = code.keep(code.part(2));
  const record = (): Expr => i32.load(get(code.row), { offset: SCRATCH.record });
  const recordWord = (place: number): Expr => v128.load32Splat(record(), { offset: place });
  const rowWord = (offset: number) => i32.load(get(code.row), { offset: SCRATCH.record + offset });
  const masks = {
    mask: () => rowWord(MASK_OFFSET),
    moreSamples: () => rowWord(MORE_SAMPLES_OFFSET),
  };
  if (mode === 'vertexVector') {
    const address = i32.add(code.callWord(SCRATCH.groupsPtr), offset);
    const vector = code.walk(address, code.keep(code.callWord(SCRATCH.groupBytes)));
    code.overActiveGroups(() => code.write(v128.load(get(vector))));
    return;
  }
  const current = (): Expr => {
    switch (mode) {
      case 'smooth':
        return f32x4.mul(plane(code, i32.add(record(), offset)), code.rowVector(SCRATCH.w));
      case 'plane':
        return plane(code, i32.add(record(), offset));
      case 'recordWord':
        return v128.load32Splat(i32.add(record(), offset));
      case 'pixelX':
        return code.rowVector(SCRATCH.pixelX);
      case 'pixelY':
        return f32x4.sub(recordWord(PRIMITIVE_RECORD.targetHeight), code.rowVector(SCRATCH.pixelY));
      case 'frontFacing': {
        const frontFacing = code.splat(PRIMITIVE_FLAGS.frontFacing);
        return i32x4.ne(v128.and(recordWord(PRIMITIVE_RECORD.flags), frontFacing), ZERO);
      }
      case 'spriteX':
        return spriteCoordinate(code, recordWord, SCRATCH.pixelX, 0);
      case 'spriteY':
        return spriteCoordinate(code, recordWord, SCRATCH.pixelY, 4);
      case 'sampleId':
        return sampleId(masks);
      case 'samplePositionX':
        return samplePositionX(masks);
      case 'samplePositionY':
        return samplePositionY(masks);
      case 'sampleMask':
        return sampleMask(masks);
      case 'sampleCount':
        return sampleCount(masks);
    }
  };
  code.overActiveGroups(() => code.write(current()));
}

/** Returns the plane at `address`, evaluated at the four pixels of the current group. */
function plane(code: InstructionCode, address: Expr): Expr {
  const pointer = code.keep(address);
  const word = (offset: number): Expr => v128.load32Splat(pointer, { offset });
  const alongX = f32x4.add(word(0), f32x4.mul(word(4), code.rowVector(SCRATCH.stepX)));
  return f32x4.add(alongX, f32x4.mul(word(8), code.rowVector(SCRATCH.stepY)));
}

function spriteCoordinate(
  code: InstructionCode,
  recordWord: (place: number) => Expr,
  pixelRow: number,
  edgeOffset: number,
): Expr {
  const { pointSprite } = PRIMITIVE_RECORD;
  const distance = f32x4.sub(code.rowVector(pixelRow), recordWord(pointSprite + edgeOffset));
  return f32x4.mul(distance, recordWord(pointSprite + 8));
}

/**
 * Adds `(primitivesPtr, scratch, primitiveBytes)`, which computes the values that all inputs of a
 * quad share, for each quad of the warp.
 */
export function addPrepareQuadsFunction(module: WasmModuleBuilder): FunctionBuilder {
  const code = new InstructionCode(module, 'prepareQuads', [], 1);
  const primitives = code.word;
  const primitiveBytes = code.fn.param(2);
  const quad = code.walk(code.callWord(SCRATCH.groupsPtr), i32.const(QUAD_RECORD.bytes));
  code.overGroups(() => {
    const quadWord = (offset: number): Expr => i32.load(get(quad), { offset });
    const quadHalf = (offset: number): Expr => i32.load16U(get(quad), { offset });
    const keepRow = (offset: number, value: Expr): Expr => {
      const kept = code.keep(value);
      code.emit(v128.store(get(code.row), kept, { offset }));
      return kept;
    };
    const index = quadWord(QUAD_RECORD.primitive);
    const record = code.keep(i32.add(get(primitives), i32.mul(index, get(primitiveBytes))));
    code.emit(
      i32.store(get(code.row), record, { offset: SCRATCH.record }),
      i32.store(get(code.row), quadWord(QUAD_RECORD.mask), {
        offset: SCRATCH.record + MASK_OFFSET,
      }),
      i32.store(get(code.row), quadHalf(QUAD_RECORD.moreSamples), {
        offset: SCRATCH.record + MORE_SAMPLES_OFFSET,
      }),
    );
    const masks = {
      mask: () => quadWord(QUAD_RECORD.mask),
      moreSamples: () => quadHalf(QUAD_RECORD.moreSamples),
    };
    const recordWord = (offset: number): Expr => v128.load32Splat(record, { offset });
    const centres = (first: Expr, lanes: readonly number[]): Expr => {
      const pixels = i32x4.add(i32x4.splat(first), v128.const(lanes));
      return f32x4.add(f32x4.convertI32x4S(pixels), splatFloat(code, 0.5));
    };
    const [columns, rows] = [
      centres(quadWord(QUAD_RECORD.x), [0, 1, 0, 1]),
      centres(quadHalf(QUAD_RECORD.y), [0, 0, 1, 1]),
    ];
    const x = keepRow(SCRATCH.pixelX, f32x4.add(columns, sampleOffsetX(masks)));
    const y = keepRow(SCRATCH.pixelY, f32x4.add(rows, sampleOffsetY(masks)));
    keepRow(SCRATCH.stepX, f32x4.sub(x, recordWord(PRIMITIVE_RECORD.originX)));
    keepRow(SCRATCH.stepY, f32x4.sub(y, recordWord(PRIMITIVE_RECORD.originY)));
    const inverseW = plane(code, i32.add(record, i32.const(PRIMITIVE_RECORD.inverseW)));
    keepRow(SCRATCH.w, f32x4.div(splatFloat(code, 1), inverseW));
  });
  return code.finish();
}

/**
 * Adds `(word, scratch)`, which removes discarded lanes from the quad masks. The first argument is
 * unused.
 */
export function addClearDiscardedFunction(module: WasmModuleBuilder): FunctionBuilder {
  const code = new InstructionCode(module, 'clearDiscarded');
  const quad = code.walk(code.callWord(SCRATCH.groupsPtr), i32.const(QUAD_RECORD.bytes));
  code.overGroups(() => {
    const lanes = i32x4.bitmask(code.rowVector(SCRATCH.discarded));
    const kept = i32.xor(lanes, i32.const(-1));
    const before = i32.load(get(quad), { offset: QUAD_RECORD.mask });
    code.emit(i32.store(get(quad), i32.and(before, kept), { offset: QUAD_RECORD.mask }));
  });
  return code.finish();
}
