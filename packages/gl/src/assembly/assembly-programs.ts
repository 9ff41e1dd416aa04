/**
 * Assembly program objects of a desktop context (ARB_vertex_program, section 2.14.1;
 * ARB_fragment_program, section 3.11.1): names, texts, parameters. Draws use a linked GLSL program
 * for each pair of texts.
 */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import { enabledTarget } from '../fixed/enabled-target.ts';
import type { ProgramObject, ProgramState } from '../objects/programs/program-objects.ts';
import type { ShaderState } from '../objects/programs/shader-objects.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { AssemblyStage } from './assembly-syntax.ts';
import { parameterArray } from './assembly-variables.ts';
import { AtiShaders } from './ati-shaders.ts';
import { type TranslatedAssembly, translateAssembly } from './translate-assembly.ts';
import { translateAtiShader } from './translate-ati.ts';

const STAGE_BY_TARGET: ReadonlyMap<number, AssemblyStage> = new Map<number, AssemblyStage>([
  [GL.VERTEX_PROGRAM_ARB, 'vertex'],
  [GL.FRAGMENT_PROGRAM_ARB, 'fragment'],
]);
const TARGET_BY_STAGE = {
  vertex: GL.VERTEX_PROGRAM_ARB,
  fragment: GL.FRAGMENT_PROGRAM_ARB,
} as const;
const SHADER_TYPES = { vertex: GL.VERTEX_SHADER, fragment: GL.FRAGMENT_SHADER } as const;
/** Upper bound on the index of a parameter. */
const MAX_PARAMETERS = 4096;

type Parameter = readonly [number, number, number, number];

/** Assembly program object. */
interface AssemblyObject {
  text: string | null;
  readonly locals: Map<number, Parameter>;
}

/** Parts of a context that assembly programs use. */
interface AssemblyParts {
  readonly errors: GlErrors;
  readonly capabilities: Capabilities;
  readonly shaders: ShaderState<ProgramObject>;
  readonly programs: ProgramState;
  readonly fixed: FixedState;
}

type StageText = readonly [AssemblyStage, string];

interface MadeProgram {
  readonly program: ProgramObject;
  readonly stages: readonly (readonly [AssemblyStage, TranslatedAssembly])[];
}

/** Assembly programs of one context. */
export class AssemblyPrograms {
  /** Shaders of ATI_fragment_shader, which become fragment programs. */
  readonly ati = new AtiShaders();
  readonly #parts: AssemblyParts;
  readonly #objects = new Map<number, AssemblyObject>();
  readonly #bound = { vertex: makeObject(), fragment: makeObject() };
  readonly #environment = {
    vertex: new Map<number, Parameter>(),
    fragment: new Map<number, Parameter>(),
  };
  readonly #madeByTexts = new Map<string, MadeProgram>();
  readonly #nameless = { ...this.#bound };

  constructor(parts: AssemblyParts) {
    this.#parts = parts;
  }

  bind(target: number, name: number): void {
    const stage = this.#stageOf('bindProgram', target);
    if (stage === null) return;
    const object = this.#objects.get(name) ?? makeObject();
    if (name !== 0) this.#objects.set(name, object);
    this.#bound[stage] = name === 0 ? this.#nameless[stage] : object;
  }

  remove(names: readonly number[]): void {
    for (const name of names) {
      const object = this.#objects.get(name);
      this.#objects.delete(name);
      for (const stage of ['vertex', 'fragment'] as const) {
        if (this.#bound[stage] === object) this.#bound[stage] = this.#nameless[stage];
      }
    }
  }

  /** Sets the text of the bound program. */
  setText(target: number, text: string): void {
    const stage = this.#stageOf('programString', target);
    if (stage !== null) this.#bound[stage].text = text;
  }

  /** Sets consecutive parameters of a target (`env`) or of its bound program (`local`). */
  setParameters(
    target: number,
    kind: 'env' | 'local',
    first: number,
    values: readonly number[],
  ): void {
    const caller = kind === 'env' ? 'programEnvParameter' : 'programLocalParameter';
    const stage = this.#stageOf(caller, target);
    if (stage === null) return;
    const last = first + values.length / 4 - 1;
    if (first < 0 || last >= MAX_PARAMETERS) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `${caller}: index ${last} is not in 0..${MAX_PARAMETERS - 1}`,
      );
      return;
    }
    const parameters = kind === 'env' ? this.#environment[stage] : this.#bound[stage].locals;
    for (let i = 0; i < values.length; i += 4) {
      const [x = 0, y = 0, z = 0, w = 1] = values.slice(i, i + 4);
      parameters.set(first + i / 4, [x, y, z, w]);
    }
  }

  /**
   * Returns the program of a draw, or `null` if no assembly program is enabled.
   *
   * @param current GLSL program in use. Its stages replace assembly programs.
   * @throws {RenderError} FRAME_UNSUPPORTED for a program that cannot be translated.
   */
  choose(current: ProgramObject | null): ProgramObject | null {
    const texts = this.#listTexts();
    if (texts.length === 0) return null;
    if (current !== null) {
      if (current.linked === null) return null;
      const { vertexSource, fragmentSource } = current.linked.given;
      const given = { vertex: vertexSource, fragment: fragmentSource };
      if (texts.every(([stage]) => given[stage] !== null)) return null;
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        'an assembly program is enabled with a GLSL program of one stage',
      );
    }
    const made = this.#make(texts);
    this.#setParameters(made);
    return made.program;
  }

  /** Returns the texts of the stages that are enabled. */
  #listTexts(): StageText[] {
    const { capabilities, fixed } = this.#parts;
    const texts = (['vertex', 'fragment'] as const)
      .filter((stage) => capabilities.has(TARGET_BY_STAGE[stage]))
      .map((stage): StageText => [stage, this.#bound[stage].text ?? '']);
    const shader = capabilities.has(GL.FRAGMENT_SHADER_ATI) ? this.ati.current : null;
    if (shader === null || texts.some(([stage]) => stage === 'fragment')) return texts;
    const text = translateAtiShader(shader, {
      shaders: this.ati,
      targetOf: (unit) => enabledTarget(capabilities, unit)?.[1] ?? null,
      fog: capabilities.has(FIXED.FOG) ? fixed.fog.mode : null,
    });
    return [...texts, ['fragment', text]];
  }

  #make(texts: readonly StageText[]): MadeProgram {
    const key = JSON.stringify(texts);
    const known = this.#madeByTexts.get(key);
    if (known !== undefined) return known;
    const stages = texts.map(([stage, text]) => [stage, translateAssembly(text, stage)] as const);
    const { shaders, programs } = this.#parts;
    const name = programs.create();
    for (const [stage, { source, attributes }] of stages) {
      const shader = shaders.create(SHADER_TYPES[stage]);
      shaders.setSource(shader, source);
      shaders.compile(shader);
      programs.attach(name, shader);
      for (const index of attributes) {
        programs.bindLocation(name, index, `assembly_Attribute${index}`);
      }
    }
    programs.link(name);
    const program = programs.find('programString', name)!;
    if (program.linked === null) {
      throw new RenderError('FRAME_UNSUPPORTED', `assembly program: ${program.log}`);
    }
    const made = { program, stages };
    this.#madeByTexts.set(key, made);
    return made;
  }

  #setParameters({ program, stages }: MadeProgram): void {
    const { uniforms } = program.linked!;
    const { errors } = this.#parts;
    for (const [stage, { samplers }] of stages) {
      for (const [name, unit] of samplers) {
        const upload = { scalarType: 'int', rows: 1, columns: 1, values: [unit] } as const;
        uniforms.set(uniforms.location(name), upload, errors);
      }
      for (const kind of ['env', 'local'] as const) {
        const parameters = kind === 'env' ? this.#environment[stage] : this.#bound[stage].locals;
        for (const [index, values] of parameters) {
          const location = uniforms.location(`${parameterArray(stage, kind)}[${index}]`);
          uniforms.set(location, { scalarType: 'float', rows: 4, columns: 1, values }, errors);
        }
      }
    }
  }

  #stageOf(caller: string, target: number): AssemblyStage | null {
    const stage = STAGE_BY_TARGET.get(target);
    if (stage !== undefined) return stage;
    this.#parts.errors.raise(
      GL.INVALID_ENUM,
      `${caller}: ${nameOfEnum(target)} is not a program target`,
    );
    return null;
  }
}

function makeObject(): AssemblyObject {
  return { text: null, locals: new Map() };
}
