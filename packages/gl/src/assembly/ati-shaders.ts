/**
 * Fragment shaders of ATI_fragment_shader: objects, whose instructions calls append, and constants
 * of a desktop context.
 */
import { RenderError } from '@tessera/frame';

/** Number of registers, and of texture units that a shader samples. */
export const ATI_REGISTER_COUNT = 6;
const FIRST_CONSTANT = 0x8941;
const CONSTANT_COUNT = 8;
const MAX_OPERATIONS_PER_PASS = 8;

type Constant = readonly [number, number, number, number];

/** Argument of an operation, as recorded. */
export interface AtiArgument {
  readonly register: number;
  /** Channel that is read as all four, `GL_RED` to `GL_ALPHA`; 0 for the own one of each. */
  readonly replicated: number;
  /** Bits of doubling 1, complement 2, negation 4, bias 8. */
  readonly modifiers: number;
}

/** Operation on the color or alpha of registers. */
export interface AtiOperation {
  readonly channels: 'color' | 'alpha';
  readonly code: number;
  readonly destination: number;
  /** Bits of red 1, green 2, blue 4; 0 for all. */
  readonly mask: number;
  /** Bits of the scales 2, 4, 8, ½, ¼, ⅛ and of saturation 0x40. */
  readonly modifiers: number;
  readonly sources: readonly AtiArgument[];
}

/** Instruction that fills a register at the start of a pass. */
export interface AtiSetup {
  readonly register: number;
  readonly isSampled: boolean;
  /** Texture coordinates (`GL_TEXTURE0` + n), or a register of the first pass. */
  readonly source: number;
  readonly swizzle: number;
}

/** Pass of a shader. */
export interface AtiPass {
  readonly setups: AtiSetup[];
  readonly operations: AtiOperation[];
}

/** Fragment shader object. */
export interface AtiShader {
  readonly passes: AtiPass[];
  readonly constants: Map<number, Constant>;
}

/** Fragment shaders and constants of one context. */
export class AtiShaders {
  readonly #shaders = new Map<number, AtiShader>();
  readonly #constants = new Map<number, Constant>();
  #bound = 0;
  #open: AtiShader | null = null;

  /** Shader that draws run, or `null` if the bound one has no instructions. */
  get current(): AtiShader | null {
    return this.#shaders.get(this.#bound) ?? null;
  }

  bind(name: number): void {
    this.#bound = name;
  }

  remove(name: number): void {
    if (name !== 0) this.#shaders.delete(name);
    if (name === this.#bound) this.#bound = 0;
  }

  begin(): void {
    this.#open = { passes: [], constants: new Map() };
  }

  end(): void {
    if (this.#open !== null) this.#shaders.set(this.#bound, this.#open);
    this.#open = null;
  }

  addSetup(setup: AtiSetup): void {
    const { passes } = this.#requireOpen();
    const last = passes.at(-1);
    if (last === undefined || last.operations.length > 0) {
      if (passes.length === 2) refuse('more than two passes');
      passes.push({ setups: [setup], operations: [] });
    } else {
      last.setups.push(setup);
    }
  }

  addOperation(operation: AtiOperation): void {
    const { passes } = this.#requireOpen();
    if (passes.length === 0) passes.push({ setups: [], operations: [] });
    const { operations } = passes.at(-1)!;
    const own = operations.filter(({ channels }) => channels === operation.channels);
    if (own.length >= MAX_OPERATIONS_PER_PASS) refuse('more than eight operations in a pass');
    operations.push(operation);
  }

  /** Sets a constant: of the open shader, or else of the context. */
  setConstant(register: number, [x = 0, y = 0, z = 0, w = 0]: readonly number[]): void {
    const index = register - FIRST_CONSTANT;
    if (index < 0 || index >= CONSTANT_COUNT) refuse(`constant ${register}`);
    (this.#open?.constants ?? this.#constants).set(index, [x, y, z, w]);
  }

  /** Returns a constant as a shader reads it, by its register; `null` for another register. */
  constantOf(shader: AtiShader, register: number): Constant | null {
    const index = register - FIRST_CONSTANT;
    if (index < 0 || index >= CONSTANT_COUNT) return null;
    return shader.constants.get(index) ?? this.#constants.get(index) ?? [0, 0, 0, 0];
  }

  #requireOpen(): AtiShader {
    return this.#open ?? refuse('an instruction outside of a shader');
  }
}

/** @throws {RenderError} FRAME_UNSUPPORTED. */
export function refuse(what: string): never {
  throw new RenderError('FRAME_UNSUPPORTED', `ATI_fragment_shader: ${what}`);
}
