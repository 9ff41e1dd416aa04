/**
 * Interface of a stage by name: uniforms, samplers, inputs and outputs. Numbers are those of the
 * unlinked stage; `link/` assigns the final ones.
 */
import {
  FRAGMENT_DEPTH_SLOT,
  POINT_SIZE_SLOT,
  POSITION_SLOT,
  SAMPLE_MASK_SLOT,
  SECOND_COLOR_SLOT,
  VARYING_SLOT,
} from '@tessera/frame';
import type { BuiltinInput } from '../ir/ir.ts';
import { componentCount, elementsOf, samplerCount } from '../operations/type-layout.ts';
import type { CheckedShader, ConstantValue, VariableSymbol } from '../tree/checked-tree.ts';
import type { GlslType } from '../tree/types.ts';

/** Variable of the interface of a stage. */
export interface InterfaceVariable {
  readonly name: string;
  readonly type: GlslType;
  /** First word, texture slot, input slot or output slot. */
  readonly first: number;
  readonly isFlat: boolean;
  /** Location from `layout(location = …)`, else null. */
  readonly location: number | null;
  /** Initial value of a uniform of GLSL 1.20, else null. */
  readonly initialValue: ConstantValue | null;
}

/** Interface variables of a stage, by kind. */
export interface StageInterface {
  readonly uniforms: readonly InterfaceVariable[];
  readonly samplers: readonly InterfaceVariable[];
  /**
   * Vertex stage: attributes by location, four slots each. Fragment stage: varyings, densely
   * packed.
   */
  readonly inputs: readonly InterfaceVariable[];
  /**
   * Vertex stage: varyings, densely packed from `VARYING_SLOT`. Fragment stage: empty, because its
   * output slots are final.
   */
  readonly varyingOutputs: readonly InterfaceVariable[];
}

/** Storage of a symbol of the interface. */
export type SymbolBinding =
  | { readonly kind: 'uniform'; readonly firstWord: number; readonly firstSampler: number }
  | {
      readonly kind: 'input';
      readonly slots: readonly number[];
      readonly isFlat: boolean;
      /** Whether the value is that of a sample. */
      readonly isSample: boolean;
      /** Whether the value has to be multiplied by `gl_FragCoord.w`. */
      readonly isNoPerspective: boolean;
    }
  | { readonly kind: 'builtinInput'; readonly names: readonly BuiltinInput[] }
  /**
   * Output: kept in variables and written to `slots` at the end; `slots` is null if nothing reads
   * it.
   */
  | { readonly kind: 'output'; readonly slots: readonly number[] | null };

const BUILTIN_INPUT_NAMES: Readonly<Record<string, readonly BuiltinInput[]>> = {
  gl_FragCoord: ['fragCoord.x', 'fragCoord.y', 'fragCoord.z', 'fragCoord.w'],
  gl_FrontFacing: ['frontFacing'],
  gl_PointCoord: ['pointCoord.x', 'pointCoord.y'],
  gl_ShapeTESSERA: ['pointCoord.x', 'pointCoord.y', 'shape.x', 'shape.y'],
  gl_VertexID: ['vertexId'],
  gl_InstanceID: ['instanceId'],
  gl_InstanceIDARB: ['instanceId'],
  gl_SampleID: ['sampleId'],
  gl_SamplePosition: ['samplePosition.x', 'samplePosition.y'],
  gl_SampleMaskIn: ['sampleMask'],
};

/** Outputs that no later unit reads. */
const DROPPED_OUTPUTS: ReadonlySet<string> = new Set([
  'gl_ClipVertex',
  'gl_BackColor',
  'gl_BackSecondaryColor',
]);

/** Desktop varyings with another name in the fragment stage. Two-sided colors are off. */
const VERTEX_VARYING_NAMES: Readonly<Record<string, string>> = {
  gl_FrontColor: 'gl_Color',
  gl_FrontSecondaryColor: 'gl_SecondaryColor',
  gl_TexCoord: 'gl_TexCoord',
  gl_FogFragCoord: 'gl_FogFragCoord',
  gl_ClipDistance: 'gl_ClipDistance',
  gl_CullDistance: 'gl_CullDistance',
};
const FRAGMENT_VARYINGS: ReadonlySet<string> = new Set(Object.values(VERTEX_VARYING_NAMES));
const VERTEX_ATTRIBUTE = /^gl_(Vertex|Normal|Color|SecondaryColor|FogCoord|MultiTexCoord\d)$/;

/** Builds the interface of a stage and the binding of each of its symbols. */
export class InterfaceCollector {
  readonly #stage: CheckedShader['stage'];
  readonly #uniforms: InterfaceVariable[] = [];
  readonly #samplers: InterfaceVariable[] = [];
  readonly #inputs: InterfaceVariable[] = [];
  readonly #varyingOutputs: InterfaceVariable[] = [];
  #wordCount = 0;
  #samplerCount = 0;
  #inputCount = 0;
  #varyingCount = VARYING_SLOT;
  #nextTarget = 0;

  constructor(stage: CheckedShader['stage']) {
    this.#stage = stage;
  }

  /** Interface of all symbols bound so far. */
  get result(): StageInterface {
    return {
      uniforms: this.#uniforms,
      samplers: this.#samplers,
      inputs: this.#inputs,
      varyingOutputs: this.#varyingOutputs,
    };
  }

  /**
   * Returns the binding of a global or built-in symbol; null for one that is private to the shader.
   *
   * @param initialValue Initializer of a uniform in the source.
   */
  bind(symbol: VariableSymbol, initialValue: ConstantValue | null = null): SymbolBinding | null {
    switch (symbol.storage) {
      case 'uniform':
        return this.#bindUniform(symbol, initialValue);
      case 'input':
        return this.#stage === 'vertex'
          ? this.#bindAttribute(symbol)
          : this.#bindFragmentInput(symbol, symbol.name);
      case 'output':
        return this.#stage === 'vertex'
          ? this.#bindVertexOutput(symbol, symbol.name)
          : this.#bindTarget(symbol);
      case 'builtin':
        return this.#bindBuiltin(symbol);
      default:
        return null;
    }
  }

  #bindUniform(symbol: VariableSymbol, initialValue: ConstantValue | null): SymbolBinding {
    const { type, block } = symbol;
    // A block instance is a struct named after its block; members of a block without an instance
    // are separate variables.
    const isInstance = block !== null && block.instanceName === symbol.name;
    const name =
      block === null ? symbol.name : isInstance ? block.name : `${block.name}.${symbol.name}`;
    const binding = {
      kind: 'uniform',
      firstWord: this.#wordCount,
      firstSampler: this.#samplerCount,
    } as const;
    const shared = { name, type, isFlat: false, location: symbol.location, initialValue };
    if (componentCount(type) > 0) this.#uniforms.push({ ...shared, first: binding.firstWord });
    if (samplerCount(type) > 0) this.#samplers.push({ ...shared, first: binding.firstSampler });
    this.#wordCount += componentCount(type);
    this.#samplerCount += samplerCount(type);
    return binding;
  }

  #bindAttribute(symbol: VariableSymbol): SymbolBinding {
    const { name, type, location } = symbol;
    const slots: number[] = [];
    for (const size of locationSizes(type)) {
      for (let c = 0; c < size; c++) slots.push(this.#inputCount + c);
      this.#inputCount += 4;
    }
    this.#inputs.push({
      name,
      type,
      first: slots[0]!,
      isFlat: false,
      location,
      initialValue: null,
    });
    return { kind: 'input', slots, isFlat: false, isSample: false, isNoPerspective: false };
  }

  #bindFragmentInput(symbol: VariableSymbol, name: string): SymbolBinding {
    const { type, isFlat } = symbol;
    const first = this.#inputCount;
    const count = componentCount(type);
    this.#inputCount += count;
    this.#inputs.push({ name, type, first, isFlat, location: null, initialValue: null });
    const { isNoPerspective, isSample } = symbol;
    return { kind: 'input', slots: consecutive(first, count), isFlat, isSample, isNoPerspective };
  }

  #bindVertexOutput(symbol: VariableSymbol, name: string): SymbolBinding {
    const { type, isFlat } = symbol;
    const first = this.#varyingCount;
    const count = componentCount(type);
    this.#varyingCount += count;
    this.#varyingOutputs.push({ name, type, first, isFlat, location: null, initialValue: null });
    return { kind: 'output', slots: consecutive(first, count) };
  }

  /** Binds a color output of the fragment stage: target = location, four slots each. */
  #bindTarget(symbol: VariableSymbol): SymbolBinding {
    const firstTarget = symbol.location ?? this.#nextTarget;
    const sizes = locationSizes(symbol.type);
    if (symbol.location === null) this.#nextTarget += sizes.length;
    const firstSlot = symbol.index === 1 ? SECOND_COLOR_SLOT : 0;
    const slotsOf = (size: number, k: number) =>
      consecutive(firstSlot + 4 * (firstTarget + k), size);
    return { kind: 'output', slots: sizes.flatMap(slotsOf) };
  }

  #bindBuiltin(symbol: VariableSymbol): SymbolBinding | null {
    const { name, type } = symbol;
    if (symbol.constant !== null) return null;
    const inputs = BUILTIN_INPUT_NAMES[name];
    if (inputs !== undefined) return { kind: 'builtinInput', names: inputs };
    if (this.#stage === 'vertex') {
      if (name === 'gl_Position') return { kind: 'output', slots: consecutive(POSITION_SLOT, 4) };
      if (name === 'gl_PointSize') return { kind: 'output', slots: [POINT_SIZE_SLOT] };
      if (DROPPED_OUTPUTS.has(name)) return { kind: 'output', slots: null };
      if (VERTEX_ATTRIBUTE.test(name)) return this.#bindAttribute(symbol);
      const varying = VERTEX_VARYING_NAMES[name];
      if (varying !== undefined) return this.#bindVertexOutput(symbol, varying);
    } else {
      if (name === 'gl_FragColor') return { kind: 'output', slots: consecutive(0, 4) };
      if (name === 'gl_FragData') {
        const { count } = elementsOf(type);
        return { kind: 'output', slots: consecutive(0, 4 * count) };
      }
      if (name === 'gl_SecondaryFragColorEXT' || name === 'gl_SecondaryFragDataEXT') {
        return { kind: 'output', slots: consecutive(SECOND_COLOR_SLOT, 4) };
      }
      if (name === 'gl_SampleMask') return { kind: 'output', slots: [SAMPLE_MASK_SLOT] };
      if (name === 'gl_FragDepth' || name === 'gl_FragDepthEXT') {
        return { kind: 'output', slots: [FRAGMENT_DEPTH_SLOT] };
      }
      if (FRAGMENT_VARYINGS.has(name)) return this.#bindFragmentInput(symbol, name);
    }
    return this.#bindUniform(symbol, null);
  }
}

/**
 * Returns the number of components of each location that `type` occupies: columns of matrices,
 * elements of arrays.
 */
export function locationSizes(type: GlslType): number[] {
  switch (type.kind) {
    case 'matrix':
      return new Array<number>(type.columns).fill(type.rows);
    case 'array':
      return new Array(type.length).fill(locationSizes(type.element)).flat();
    default:
      return [componentCount(type)];
  }
}

function consecutive(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => first + k);
}
