/**
 * State that all parts of one kernel's code share: the function, its locals, constants, texture
 * functions.
 */
import type { IsaProgram } from '@tessera/frame';
import { TEXTURE_OPERATIONS } from '../ir/ir.ts';
import type { Instruction, Operand } from '../isa/instruction.ts';
import { DIMENSIONS } from '../isa/instructions.ts';
import {
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  type Local,
  type Stmt,
  set,
  v128,
  type WasmModuleBuilder,
} from '../wasm/index.ts';
import { GroupState } from './group-state.ts';
import type { StageAccess } from './stage-access.ts';
import type { TextureKernels } from './texture-kernels.ts';
import { ALL_ONES, type VectorCode, ZERO } from './vector-operators.ts';

/** Pointers that a kernel keeps in locals. */
export interface KernelPointers {
  readonly output: Local;
  readonly constants: Local;
  readonly textures: Local;
  /** Frame of the current group: word k of lane l of its arrays is at `frame + k × 16 + l × 4`. */
  readonly frame: Local;
  /** Vector that receives dropped stores. */
  readonly dump: Local;
  /** Word through which literals are loaded into vectors. */
  readonly literal: Local;
}

/** Shared state of the emitters of one kernel. */
export class KernelEnvironment implements VectorCode {
  readonly program: IsaProgram;
  readonly fn: FunctionBuilder;
  readonly pointers: KernelPointers;
  readonly access: StageAccess;
  /** Registers, masks, outputs and discarded lanes of the current group. */
  readonly state: GroupState;
  /** Lanes of the current group that discarded. */
  readonly discarded: Local;
  /** Number of instructions in loops so far, by lane (i32). */
  readonly spent: Local;
  readonly #module: WasmModuleBuilder;
  readonly #textures: TextureKernels | null;
  readonly #registers: Local[];
  readonly #registerByLocal: ReadonlyMap<Local, number>;
  readonly #constants = new Map<number, Local>();
  readonly #splats = new Map<number, Local>();
  readonly #textureFunctions = new Map<string, FunctionBuilder>();
  readonly #temporaries: Local[] = [];
  #temporariesTaken = 0;

  constructor(
    program: IsaProgram,
    module: WasmModuleBuilder,
    fn: FunctionBuilder,
    pointers: KernelPointers,
    access: StageAccess,
    textures: TextureKernels | null,
  ) {
    this.program = program;
    this.fn = fn;
    this.pointers = pointers;
    this.access = access;
    this.state = new GroupState(fn);
    this.#module = module;
    this.#textures = textures;
    this.#registers = Array.from({ length: program.registerCount }, () => this.state.createLocal());
    this.#registerByLocal = new Map(this.#registers.map((local, index) => [local, index]));
    this.discarded = this.state.createLocal();
    this.spent = this.state.createLocal();
  }

  /** Returns the local of register `index`. */
  register(index: number): Local {
    return this.#registers[index]!;
  }

  /** Returns the number of the register in `local`; `null` if it holds none. */
  registerOf(local: Local): number | null {
    return this.#registerByLocal.get(local) ?? null;
  }

  /** Returns the value of an operand. The expression is cheap to repeat. */
  operand(operand: Operand): Expr {
    switch (operand.kind) {
      case 'register':
        return this.state.read(this.register(operand.index));
      case 'constant':
        return get(this.#constant(operand.index));
      case 'literal':
        return this.splat(operand.bits);
    }
  }

  /**
   * Emits the loads of constants and literals into locals, once per call.
   *
   * Literals go through memory. The machine code of a vector constant would rebuild it from integer
   * registers at each use, on the only execution port that also does shuffles.
   */
  loadConstants(): Stmt[] {
    const literal = get(this.pointers.literal);
    return [
      ...[...this.#constants].map(([word, local]) =>
        set(local, v128.load32Splat(get(this.pointers.constants), { offset: word * 4 })),
      ),
      ...[...this.#splats].flatMap(([bits, local]) => [
        i32.store(literal, i32.const(bits)),
        set(local, v128.load32Splat(literal)),
      ]),
    ];
  }

  readonly splat = (bits: number): Expr => {
    if (bits === 0) return ZERO;
    if (bits === -1) return ALL_ONES;
    const local = this.#splats.get(bits) ?? this.fn.local('v128');
    this.#splats.set(bits, local);
    return get(local);
  };

  /** Statements of the instruction that is being emitted. */
  #code: Stmt[] = [];

  readonly keep = (value: Expr): Expr => {
    const local = this.temporary();
    this.#code.push(set(local, value));
    return get(local);
  };

  /** Starts an instruction whose `keep`s append to `code`; all temporaries become free. */
  beginInstruction(code: Stmt[]): void {
    this.#code = code;
    this.#temporariesTaken = 0;
  }

  /** Returns a local that is valid until the next instruction. */
  temporary(): Local {
    const index = this.#temporariesTaken++;
    const local = this.#temporaries[index] ?? this.fn.local('v128');
    this.#temporaries[index] = local;
    return local;
  }

  /**
   * Returns the texture function for some channels of a `tex` instruction, generated on first use.
   */
  sampleFunction(
    { immediates, sources }: Instruction,
    channels: readonly number[],
  ): FunctionBuilder {
    const [slot, operation, dimension, isShadow] = immediates;
    const key = `sample ${immediates.join(' ')} ${sources.length} ${channels}`;
    return this.#textureFunction(key, (textures) =>
      textures.emitSampleFunction(
        this.#module,
        slot!,
        TEXTURE_OPERATIONS[operation!]!,
        DIMENSIONS[dimension!]!,
        isShadow === 1,
        sources.length,
        channels,
      ),
    );
  }

  /** Returns the size function of a texture slot, generated on first use. */
  sizeFunction(slot: number): FunctionBuilder {
    return this.#textureFunction(`size ${slot}`, (textures) =>
      textures.emitSizeFunction(this.#module, slot),
    );
  }

  #textureFunction(key: string, emit: (textures: TextureKernels) => FunctionBuilder) {
    const known = this.#textureFunctions.get(key);
    if (known !== undefined) return known;
    if (this.#textures === null) {
      throw new Error('the program reads textures, but generateKernel received no texture kernels');
    }
    const fn = emit(this.#textures);
    this.#textureFunctions.set(key, fn);
    return fn;
  }

  #constant(word: number): Local {
    const local = this.#constants.get(word) ?? this.fn.local('v128');
    this.#constants.set(word, local);
    return local;
  }
}
