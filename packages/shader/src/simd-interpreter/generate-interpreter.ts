/**
 * Module of the SIMD interpreter, the same for every program. It is generated once. A new shader
 * needs no compilation, only the image of its program (write-program-image.ts).
 *
 *     runVertex    (programPtr, inputPtr, outputPtr, groupCount,
 *                   constantsPtr, texturesPtr, scratchPtr) → status
 *     runFragment  (programPtr, quadsPtr, quadCount, primitivesPtr, outputPtr,
 *                   constantsPtr, texturesPtr, scratchPtr) → status
 *
 * Both take the address of the program and then the parameters of a kernel. They process one warp
 * of eight groups after the other, with three functions that the stepper calls, too:
 *
 *     beginWarp    (programPtr, groupsPtr, groupCount, primitivesPtr, outputPtr,
 *                   constantsPtr, texturesPtr, scratchPtr) → word
 *     execute      (wordPtr, scratchPtr, isSingle) → next word;
 *                   NEXT_WORD at the end and if the budget is exceeded
 *     endWarp      (programPtr, scratchPtr)
 *
 * An instruction is executed for all groups of the warp before the next one. Up to 32 lanes share
 * the cost of one dispatch, and the groups are independent chains of work for the processor.
 */
import { ALL_ONES } from '../codegen/vector-operators.ts';
import { MNEMONICS } from '../isa/instructions.ts';
import { STAGE_STATUS, WARP_GROUPS } from '../isa/stage-memory.ts';
import {
  block,
  br,
  brIf,
  brTable,
  call,
  callMulti,
  createLabel,
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  ifThen,
  type Local,
  loop,
  memory,
  ret,
  type Stmt,
  select,
  set,
  unreachable,
  v128,
  WasmModuleBuilder,
} from '../wasm/index.ts';
import { addControlFunctions } from './control-functions.ts';
import { addClearDiscardedFunction, addPrepareQuadsFunction } from './input-function.ts';
import { END_OPCODE, IMAGE, NEXT_WORD, SCRATCH } from './interpreter-memory.ts';
import { addStraightFunctions } from './straight-functions.ts';
import { addTextureFunctions } from './texture-functions.ts';

const WORD_BYTES = 16;
const GROUP_LOG2 = 4;

/**
 * Returns the bytes of the module. It imports `env.memory`, `textures.sample` and `textures.size`.
 */
export function generateInterpreter(): Uint8Array<ArrayBuffer> {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 0 });
  const functions = new Map([
    ...addTextureFunctions(module),
    ...addStraightFunctions(module),
    ...addControlFunctions(module),
  ]);
  const warp = {
    begin: addBeginWarp(module),
    execute: addExecute(module, functions),
    end: addEndWarp(module),
  };
  addRunVertex(module, warp);
  addRunFragment(module, warp);
  return module.encode();
}

interface WarpFunctions {
  readonly begin: FunctionBuilder;
  readonly execute: FunctionBuilder;
  readonly end: FunctionBuilder;
}

const i32s = (count: number) => Array.from({ length: count }, () => 'i32' as const);

function plus(local: Local, value: Expr): Expr {
  return i32.add(get(local), value);
}

/** Adds the main loop of the interpreter: a branch table over the opcode. */
function addExecute(
  module: WasmModuleBuilder,
  functions: ReadonlyMap<string, FunctionBuilder>,
): FunctionBuilder {
  const fn = module.addFunction('execute', {
    params: i32s(3),
    results: ['i32'],
    export: 'execute',
  });
  const [word, scratch, isSingle] = [fn.param(0), fn.param(1), fn.param(2)];
  const executed = createLabel('executed');
  const following = createLabel('following');
  const end = createLabel('end');
  const invalid = createLabel('invalid');
  const labels = MNEMONICS.map((mnemonic) => createLabel(mnemonic));
  const byOpcode = Array.from({ length: END_OPCODE + 1 }, (_, opcode) => labels[opcode] ?? invalid);
  byOpcode[END_OPCODE] = end;

  let cases: Stmt[] = [brTable(byOpcode, invalid, i32.load8U(get(word)))];
  for (const [opcode, mnemonic] of MNEMONICS.entries()) {
    const implementation = functions.get(mnemonic);
    if (implementation === undefined) throw new Error(`interpreter: no function for ${mnemonic}`);
    const args = [get(word), get(scratch)];
    const isControl = implementation.results.length > 0;
    cases = [
      block(cases, labels[opcode]!),
      ...(isControl
        ? [set(word, call(implementation, args)), br(executed)]
        : [callMulti(implementation, args), br(following)]),
    ];
    if (mnemonic === 'tex') cases.splice(2, 0, set(word, plus(word, continuationBytes(word))));
  }
  const isOver = i32.leU(get(word), i32.const(NEXT_WORD.budgetExceeded));
  const dispatch = loop((again) => [
    block(
      [
        block([block(cases, invalid), unreachable()], following),
        set(word, plus(word, i32.const(WORD_BYTES))),
      ],
      executed,
    ),
    brIf(again, i32.eqz(i32.or(get(isSingle), isOver))),
    ret(get(word)),
  ]);
  return fn.emit(block(dispatch, end), ret(i32.const(NEXT_WORD.end)));
}

/** Returns the size of the words that continue the source list of the `tex` at `word`. */
function continuationBytes(word: Local): Expr {
  const sourceCount = i32.and(i32.load8U(get(word), { offset: 1 }), i32.const(15));
  return i32.mul(i32.divU(sourceCount, i32.const(3)), i32.const(WORD_BYTES));
}

/**
 * Adds the function that initializes scratch memory. Registers, arrays and masks start as 0, except
 * the active lanes.
 */
function addBeginWarp(module: WasmModuleBuilder): FunctionBuilder {
  const prepareQuads = addPrepareQuadsFunction(module);
  const fn = module.addFunction('beginWarp', {
    params: i32s(8),
    results: ['i32'],
    export: 'beginWarp',
  });
  const [program, groups, groupCount, primitives] = [0, 1, 2, 3].map((index) => fn.param(index));
  const scratch = fn.param(7);
  const row = fn.local('i32');
  const image = (offset: number): Expr => i32.load(get(program!), { offset });
  const registers = i32.add(get(scratch), i32.const(SCRATCH.registers));
  const outputBytes = i32.mul(get(groupCount!), image(IMAGE.outputBytes));
  const words: readonly (readonly [number, Expr])[] = [
    [SCRATCH.constantsPtr, get(fn.param(5))],
    [SCRATCH.literalsPtr, image(IMAGE.literalsPtr)],
    [SCRATCH.groupsPtr, get(groups!)],
    [SCRATCH.outputPtr, get(fn.param(4))],
    [SCRATCH.texturesPtr, get(fn.param(6))],
    [SCRATCH.rowEnd, i32.shl(get(groupCount!), i32.const(GROUP_LOG2))],
    [SCRATCH.groupBytes, image(IMAGE.groupBytes)],
    [SCRATCH.outputBytes, image(IMAGE.outputBytes)],
    [SCRATCH.arraysPtr, i32.add(registers, image(IMAGE.registerBytes))],
    [SCRATCH.stackPtr, i32.add(registers, image(IMAGE.stateBytes))],
    [SCRATCH.instructionBudget, image(IMAGE.instructionBudget)],
  ];
  const maskRows = i32.add(get(scratch), i32.const(SCRATCH.active));
  return fn.emit(
    ...words.map(([offset, value]) => i32.store(get(scratch), value, { offset })),
    // The rows of active lanes, discarded lanes and spent budget are adjacent.
    memory.fill(maskRows, i32.const(0), i32.const(SCRATCH.record - SCRATCH.active)),
    memory.fill(registers, i32.const(0), image(IMAGE.stateBytes)),
    memory.fill(get(fn.param(4)), i32.const(0), outputBytes),
    set(row, i32.add(get(scratch), i32.shl(get(groupCount!), i32.const(GROUP_LOG2)))),
    loop((again) => [
      set(row, plus(row, i32.const(-WORD_BYTES))),
      v128.store(get(row), ALL_ONES, { offset: SCRATCH.active }),
      brIf(again, i32.gtU(get(row), get(scratch))),
    ]),
    ifThen(
      image(IMAGE.readsPrimitive),
      callMulti(prepareQuads, [get(primitives!), get(scratch), image(IMAGE.primitiveBytes)]),
    ),
    ret(image(IMAGE.codePtr)),
  );
}

function addEndWarp(module: WasmModuleBuilder): FunctionBuilder {
  const clearDiscarded = addClearDiscardedFunction(module);
  const fn = module.addFunction('endWarp', { params: i32s(2), results: [], export: 'endWarp' });
  const isFragment = i32.load(get(fn.param(0)), { offset: IMAGE.isFragment });
  const clear = callMulti(clearDiscarded, [i32.const(0), get(fn.param(1))]);
  return fn.emit(ifThen(isFragment, clear));
}

function addRunVertex(module: WasmModuleBuilder, warp: WarpFunctions): void {
  const fn = module.addFunction('runVertex', {
    params: i32s(7),
    results: ['i32'],
    export: 'runVertex',
  });
  emitWarps(fn, warp, {
    program: fn.param(0),
    groups: fn.param(1),
    output: fn.param(2),
    groupCount: fn.param(3),
    primitives: null,
    constants: fn.param(4),
    textures: fn.param(5),
    scratch: fn.param(6),
  });
}

function addRunFragment(module: WasmModuleBuilder, warp: WarpFunctions): void {
  const fn = module.addFunction('runFragment', {
    params: i32s(8),
    results: ['i32'],
    export: 'runFragment',
  });
  emitWarps(fn, warp, {
    program: fn.param(0),
    groups: fn.param(1),
    groupCount: fn.param(2),
    primitives: fn.param(3),
    output: fn.param(4),
    constants: fn.param(5),
    textures: fn.param(6),
    scratch: fn.param(7),
  });
}

interface RunParameters {
  readonly program: Local;
  readonly groups: Local;
  readonly groupCount: Local;
  readonly primitives: Local | null;
  readonly output: Local;
  readonly constants: Local;
  readonly textures: Local;
  readonly scratch: Local;
}

function emitWarps(fn: FunctionBuilder, warp: WarpFunctions, at: RunParameters): void {
  const count = fn.local('i32');
  const word = fn.local('i32');
  const left = get(at.groupCount);
  const size = i32.const(WARP_GROUPS);
  const image = (offset: number): Expr => i32.load(get(at.program), { offset });
  const begin = call(warp.begin, [
    get(at.program),
    get(at.groups),
    get(count),
    at.primitives === null ? i32.const(0) : get(at.primitives),
    get(at.output),
    get(at.constants),
    get(at.textures),
    get(at.scratch),
  ]);
  const isSpent = i32.eq(get(word), i32.const(NEXT_WORD.budgetExceeded));
  fn.emit(
    ifThen(
      left,
      loop((again) => [
        set(count, select(left, size, i32.ltU(left, size))),
        set(word, begin),
        set(word, call(warp.execute, [get(word), get(at.scratch), i32.const(0)])),
        ifThen(isSpent, ret(i32.const(STAGE_STATUS.budgetExceeded))),
        callMulti(warp.end, [get(at.program), get(at.scratch)]),
        set(at.groups, plus(at.groups, i32.mul(get(count), image(IMAGE.groupBytes)))),
        set(at.output, plus(at.output, i32.mul(get(count), image(IMAGE.outputBytes)))),
        set(at.groupCount, i32.sub(left, get(count))),
        brIf(again, left),
      ]),
    ),
    ret(i32.const(STAGE_STATUS.done)),
  );
}
