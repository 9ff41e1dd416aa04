/**
 * Translates assembly programs (ARB_vertex_program, ARB_fragment_program) to GLSL 1.20, which the
 * GLSL front end compiles. Parameters become arrays of uniforms, and results are collected in
 * registers that the end of `main` writes to the outputs.
 */
import {
  type AssemblyStage,
  type AssemblyStatement,
  parseOperand,
  refuseAssembly,
  splitOperands,
  splitStatements,
} from './assembly-syntax.ts';
import { AssemblyVariables } from './assembly-variables.ts';
import { HELPER_FUNCTIONS, INSTRUCTIONS, INSTRUCTIONS_OF_STAGE } from './instructions.ts';
import { AssemblyTextures } from './texture-instructions.ts';

/** Fog of `OPTION ARB_fog_…`, as the factor of the color (OpenGL 2.1, section 3.10). */
const FOG_FACTORS: Readonly<Record<string, string>> = {
  ARB_fog_linear: '(gl_Fog.end - gl_FogFragCoord) * gl_Fog.scale',
  ARB_fog_exp: 'exp(-gl_Fog.density * gl_FogFragCoord)',
  ARB_fog_exp2: 'exp(-gl_Fog.density * gl_Fog.density * gl_FogFragCoord * gl_FogFragCoord)',
};
/** Options that do not change results here. */
const OPTIONS_WITHOUT_EFFECT: readonly string[] = [
  ...['ARB_precision_hint_fastest', 'ARB_precision_hint_nicest', 'ARB_fragment_program_shadow'],
];
/**
 * Options with which a program names its color results, and `result.color` is the first of them.
 */
const DRAW_BUFFER_OPTIONS: readonly string[] = ['ARB_draw_buffers', 'ATI_draw_buffers'];

/** Program as GLSL. */
export interface TranslatedAssembly {
  readonly source: string;
  /** Indices of the numbered attributes that the program reads. */
  readonly attributes: readonly number[];
  /** Units of the samplers, by uniform name. */
  readonly samplers: ReadonlyMap<string, number>;
}

/**
 * Translates a program.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for a program that is invalid or uses other extensions.
 */
export function translateAssembly(text: string, stage: AssemblyStage): TranslatedAssembly {
  const translation = new Translation(stage);
  for (const statement of splitStatements(text, stage)) translation.add(statement);
  return translation.finish();
}

class Translation {
  readonly #stage: AssemblyStage;
  readonly #variables: AssemblyVariables;
  readonly #textures = new AssemblyTextures();
  readonly #body: string[] = [];
  readonly #options = new Set<string>();

  constructor(stage: AssemblyStage) {
    this.#stage = stage;
    this.#variables = new AssemblyVariables(stage);
  }

  add({ word, rest }: AssemblyStatement): void {
    if (word === 'OPTION') this.#addOption(rest);
    else if (!this.#variables.declare(word, rest)) this.#addInstruction(word, splitOperands(rest));
  }

  #addOption(option: string): void {
    const isKnown =
      OPTIONS_WITHOUT_EFFECT.includes(option) ||
      (this.#stage === 'vertex'
        ? option === 'ARB_position_invariant'
        : option in FOG_FACTORS ||
          DRAW_BUFFER_OPTIONS.includes(option) ||
          option === 'ARB_fragment_coord_pixel_center_integer');
    if (!isKnown) refuseAssembly(`option ${option}`);
    if (option === 'ARB_fragment_coord_pixel_center_integer') {
      this.#variables.fragmentPosition = '(gl_FragCoord - vec4(0.5, 0.5, 0.0, 0.0))';
    }
    this.#options.add(option);
  }

  #addInstruction(word: string, operands: readonly string[]): void {
    const [name = '', suffix] = word.split(/_(?=SAT$)/);
    if (suffix !== undefined && this.#stage === 'vertex') refuseAssembly(`instruction ${word}`);
    const [destination = '', first = ''] = operands;
    if (name === 'ARL') {
      const address = this.#variables.address(destination);
      this.#body.push(`${address} = int(floor(${this.#variables.scalar(first)}));`);
    } else if (name === 'KIL' && this.#stage === 'fragment') {
      const value = this.#variables.vector(destination);
      this.#body.push(`if (any(lessThan(${value}, vec4(0.0)))) discard;`);
    } else {
      this.#write(destination, this.#valueOf(name, operands), suffix !== undefined);
    }
  }

  #valueOf(name: string, [, ...sources]: readonly string[]): string {
    if (name === 'SWZ') return this.#swizzle(sources);
    if (this.#stage === 'fragment' && this.#textures.isLookup(name)) {
      const [coordinates = '', image = '', target = ''] = sources;
      return this.#textures.lookup(name, this.#variables.vector(coordinates), image, target);
    }
    const shape = INSTRUCTIONS.get(name);
    const other = INSTRUCTIONS_OF_STAGE[this.#stage === 'vertex' ? 'fragment' : 'vertex'];
    if (shape === undefined || (other as readonly string[]).includes(name)) {
      return refuseAssembly(`instruction ${name}`);
    }
    if (sources.length !== shape.sources.length) {
      return refuseAssembly(`${name} with ${sources.length} operands`);
    }
    return shape.make(
      ...sources.map((source, i) =>
        shape.sources[i] === 'scalar'
          ? this.#variables.scalar(source)
          : this.#variables.vector(source),
      ),
    );
  }

  /** Returns the value of `SWZ`, whose components have signs and can be 0 or 1. */
  #swizzle([source = '', ...components]: readonly string[]): string {
    const value = this.#variables.vector(source);
    const parts = components.map((component) => {
      const [, sign, part] = /^([+-]?)\s*([01xyzwrgba])$/.exec(component) ?? [];
      if (part === undefined) return refuseAssembly(`SWZ with component ${component}`);
      const text = part === '0' || part === '1' ? `${part}.0` : `(${value}).${part}`;
      return sign === '-' ? `-${text}` : text;
    });
    return parts.length === 4
      ? `vec4(${parts.join(', ')})`
      : refuseAssembly(`SWZ with ${parts.length} components`);
  }

  #write(destination: string, value: string, isSaturated: boolean): void {
    const { path, swizzle } = parseOperand(destination);
    const register = this.#variables.register(path);
    const result = isSaturated ? `clamp(${value}, 0.0, 1.0)` : value;
    const mask = swizzle === '' ? '' : `.${swizzle}`;
    this.#body.push(`${register}${mask} = ${mask === '' ? result : `(${result})${mask}`};`);
  }

  finish(): TranslatedAssembly {
    const main = [
      ...this.#variables.declareLocals(),
      ...this.#body,
      ...this.#applyFog(),
      ...this.#writeResults(),
      ...(this.#options.has('ARB_position_invariant') ? ['gl_Position = ftransform();'] : []),
      // Clip planes are in eye space.
      ...(this.#stage === 'vertex'
        ? ['gl_ClipVertex = gl_ProjectionMatrixInverse * gl_Position;']
        : []),
    ];
    const text = main.join('\n  ');
    const helpers = HELPER_FUNCTIONS.filter(([name]) => text.includes(`${name}(`));
    const source = [
      '#version 120',
      ...this.#textures.directives(),
      ...this.#variables.declareGlobals(),
      ...this.#textures.declarations(),
      ...helpers.map(([, definition]) => definition),
      `void main() {\n  ${text}\n}`,
      '',
    ].join('\n');
    const { attributes } = this.#variables;
    return { source, attributes: [...attributes], samplers: this.#textures.unitByName() };
  }

  #writeResults(): string[] {
    const statements = this.#variables.writeResults();
    const isNumbered = DRAW_BUFFER_OPTIONS.some((option) => this.#options.has(option));
    return isNumbered
      ? statements.map((statement) => statement.replace('gl_FragColor', 'gl_FragData[0]'))
      : statements;
  }

  #applyFog(): string[] {
    const option = Object.keys(FOG_FACTORS).find((name) => this.#options.has(name));
    if (option === undefined) return [];
    const color = this.#variables.register('result.color');
    const factor = `clamp(${FOG_FACTORS[option]}, 0.0, 1.0)`;
    return [`${color}.xyz = mix(gl_Fog.color.rgb, clamp(${color}.xyz, 0.0, 1.0), ${factor});`];
  }
}
