/**
 * Chooses the program of a draw: the current program, or a variant that adds the enabled fixed
 * functions. Variants are cached by the state that their source depends on.
 */
import { type ProgramSource, RenderError, type UniformValue } from '@tessera/frame';
import type {
  ActiveAttribute,
  LinkedProgram,
  ProgramObject,
} from '../objects/programs/program-objects.ts';
import type {
  ProgramReflection,
  ReflectedProgram,
} from '../objects/programs/program-reflection.ts';
import { isFilledByContext, placeAttributes } from '../objects/programs/reflected-inputs.ts';
import type { UniformBlocks } from '../objects/programs/uniform-blocks.ts';
import type { SamplerUnits } from '../objects/programs/uniform-values.ts';
import { FIXED_UNIT_COUNT } from '../state/fixed/texture-environment.ts';
import { collectKeys, type DrawKeys, type DrawnKind, type KeyState } from './collect-key.ts';
import { findColorInterpolation } from './declared-interpolation.ts';
import { makeFragmentSource, unitSampler } from './fragment-source.ts';
import { STIPPLE_SAMPLER } from './stage-interface.ts';
import { makeVertexSource } from './vertex-source.ts';
import { wrapFragmentSource, wrapVertexSource } from './wrap-source.ts';

/** Program of a draw with its inputs and uniforms. */
export interface DrawProgram {
  readonly source: ProgramSource;
  readonly attributes: readonly ActiveAttribute[];
  readonly uniforms: {
    /** Names of the uniforms that the context sets. */
    readonly builtInNames: readonly string[];
    snapshot(): Readonly<Record<string, UniformValue>>;
    samplers(): readonly SamplerUnits[];
  };
  /** Uniform blocks; none if missing. */
  readonly blocks?: UniformBlocks;
}

/** Sources of a linked program's stages; `null` for a missing stage. */
interface GivenStages {
  readonly vertexSource: string | null;
  readonly fragmentSource: string | null;
}

const NO_STAGES: GivenStages = { vertexSource: null, fragmentSource: null };
/** Uniforms that depend on the material. */
const MATERIAL_UNIFORM = /^gl_(?:Front|Back)(?:Material|LightProduct|LightModelProduct)/;
/** Maximum number of variants cached per linked program. A full cache is cleared. */
const MAX_KEPT = 1024;

/** Cache of the programs that draws run, including their fixed-function variants. */
export class DrawPrograms {
  readonly #state: KeyState;
  readonly #reflection: ProgramReflection;
  readonly #fixedByKey = new Map<string, DrawProgram>();
  readonly #madeByProgram = new WeakMap<LinkedProgram, Map<string, DrawProgram>>();

  constructor(state: KeyState, reflection: ProgramReflection) {
    this.#state = state;
    this.#reflection = reflection;
  }

  /**
   * Returns the program for a draw with `current` in use, or `null` if `current` was never linked.
   *
   * @throws {RenderError} SHADER_COMPILE_FAILED if the current program does not link under this
   *   state.
   */
  choose(current: ProgramObject | null, drawn: DrawnKind): DrawProgram | null {
    if (current !== null && current.linked === null && !current.isLinked) return null;
    const linked = current?.linked ?? null;
    const given = linked?.given ?? NO_STAGES;
    const hasVertex = given.vertexSource !== null;
    const hasFragment = given.fragmentSource !== null;
    const readsCoordinates = () => /\bgl_TexCoord\b/.test(given.fragmentSource ?? '');
    const keys = collectKeys(this.#state, { hasVertex, hasFragment, readsCoordinates }, drawn);
    if (linked !== null && hasVertex && hasFragment && isPlain(keys)) {
      if (drawn.materials.length > 0) refuseMaterials(linked);
      return linked;
    }
    const kept = linked === null ? this.#fixedByKey : this.#madeOf(linked);
    const key = JSON.stringify(keys);
    const isRead = drawn.materials.length > 0 && (hasVertex || hasFragment);
    let program = kept.get(key);
    if (program === undefined) {
      program = this.#make(linked, given, keys);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, program);
    }
    if (isRead) refuseMaterials(program);
    return program;
  }

  #madeOf(linked: LinkedProgram): Map<string, DrawProgram> {
    let made = this.#madeByProgram.get(linked);
    if (made === undefined) {
      made = new Map();
      this.#madeByProgram.set(linked, made);
    }
    return made;
  }

  #make(linked: LinkedProgram | null, given: GivenStages, keys: DrawKeys): DrawProgram {
    const { alphaTest, isStippled, pointCoordinates } = keys;
    const colors = findColorInterpolation(given.vertexSource, given.fragmentSource);
    const isDeclared = colors.primary !== null || colors.secondary !== null;
    const shared = isDeclared ? { ...keys.shared, colors } : keys.shared;
    const vertexSource =
      keys.vertex === null
        ? wrapVertexSource(given.vertexSource!, shared)
        : makeVertexSource({ ...keys.vertex, interface: shared });
    const fragmentSource =
      keys.fragment === null
        ? wrapFragmentSource(given.fragmentSource!, {
            interface: shared,
            alphaTest,
            isStippled,
            pointCoordinates,
          })
        : makeFragmentSource({ ...keys.fragment, interface: shared });
    const reflected = this.#reflection.reflect(vertexSource, fragmentSource, 110);
    if (!reflected.isLinked) {
      throw new RenderError(
        'SHADER_COMPILE_FAILED',
        `the program cannot be combined with fixed functions: ${reflected.log}`,
      );
    }
    return {
      source: { vertexSource, fragmentSource },
      attributes: placeAttributes(reflected.attributes, linked?.attributes ?? []),
      uniforms: new MadeUniforms(reflected, linked),
      ...(linked === null ? {} : { blocks: linked.blocks }),
    };
  }
}

/**
 * Rejects materials that change between the vertices of a program that reads them as uniforms.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for such a program.
 */
function refuseMaterials({ uniforms }: DrawProgram): void {
  if (!uniforms.builtInNames.some((name) => MATERIAL_UNIFORM.test(name))) return;
  throw new RenderError(
    'FRAME_UNSUPPORTED',
    'material: a change between vertices is not supported with a shader that reads the material',
  );
}

/** Returns whether a complete program needs no fixed functions around it. */
function isPlain({ shared, alphaTest, isStippled, pointCoordinates }: DrawKeys): boolean {
  const { isFlat, isTwoSided, clipPlanes, pointSize, smooth, isLineStippled } = shared;
  const isBare = !isFlat && !isTwoSided && clipPlanes.length === 0 && pointSize === null;
  const isWhole = smooth === null && !isLineStippled;
  return isBare && isWhole && alphaTest === null && !isStippled && pointCoordinates === null;
}

/**
 * Uniforms of a program variant: user values from the linked program, the rest from the context.
 */
export class MadeUniforms {
  readonly builtInNames: readonly string[];
  readonly #linked: LinkedProgram | null;
  readonly #ownNames: readonly string[];
  readonly #fixedSamplers: readonly SamplerUnits[];
  readonly #ownSamplers: ReadonlySet<string>;
  #from: Readonly<Record<string, UniformValue>> | null = null;
  #snapshot: Readonly<Record<string, UniformValue>> = {};

  constructor(reflected: ReflectedProgram, linked: LinkedProgram | null) {
    this.#linked = linked;
    const names = reflected.uniforms.map(({ name }) => name);
    this.builtInNames = names.filter(isFilledByContext);
    this.#ownNames = names.filter((name) => !isFilledByContext(name));
    this.#fixedSamplers = reflected.samplers.flatMap((sampler) => {
      const named = { reflected: sampler, baseName: sampler.name };
      if (sampler.name === STIPPLE_SAMPLER) return [{ ...named, units: [] }];
      for (let unit = 0; unit < FIXED_UNIT_COUNT; unit++) {
        if (sampler.name === unitSampler(unit)) return [{ ...named, units: [unit] }];
      }
      return [];
    });
    this.#ownSamplers = new Set(
      reflected.samplers.map(({ name }) => name).filter((name) => !isFilledByContext(name)),
    );
  }

  snapshot(): Readonly<Record<string, UniformValue>> {
    const from = this.#linked?.uniforms.snapshot() ?? this.#snapshot;
    if (from !== this.#from && this.#linked !== null) {
      this.#snapshot = Object.fromEntries(
        this.#ownNames.map((name) => [name, requireValue(name, from)]),
      );
    }
    this.#from = from;
    return this.#snapshot;
  }

  samplers(): readonly SamplerUnits[] {
    const own = this.#linked?.uniforms.samplers() ?? [];
    return [
      ...own.filter(({ reflected }) => this.#ownSamplers.has(reflected.name)),
      ...this.#fixedSamplers,
    ];
  }
}

/**
 * Returns the value of a uniform.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED if the program did not have the uniform when it was
 *   linked.
 */
function requireValue(name: string, values: Readonly<Record<string, UniformValue>>): UniformValue {
  const value = values[name];
  if (value !== undefined) return value;
  const message = `uniform ${name} is read only with the fixed functions that are on`;
  throw new RenderError('FRAME_UNSUPPORTED', message);
}
