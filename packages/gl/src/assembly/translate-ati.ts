/**
 * Translates shaders of ATI_fragment_shader to texts of ARB_fragment_program, which have the same
 * operations.
 */
import type { UnitTarget } from '../fixed/program-key.ts';
import {
  ATI_REGISTER_COUNT,
  type AtiArgument,
  type AtiOperation,
  type AtiPass,
  type AtiSetup,
  type AtiShader,
  type AtiShaders,
  refuse,
} from './ati-shaders.ts';

const FIRST_REGISTER = 0x8921;
const FIRST_TEXTURE = 0x84c0;
const NAME_BY_REGISTER: ReadonlyMap<number, string> = new Map([
  [0, 'zero'],
  [1, 'one'],
  [0x8577, 'fragment.color.primary'],
  [0x896d, 'fragment.color.secondary'],
]);
const CHANNEL_BY_REPLICATED: ReadonlyMap<number, string> = new Map([
  [0, ''],
  [0x1903, '.x'],
  [0x1904, '.y'],
  [0x1905, '.z'],
  [0x1906, '.w'],
]);
/** Factors that modifiers of results multiply by, with the parameter that holds each. */
const SCALES: readonly { readonly bit: number; readonly name: string; readonly factor: number }[] =
  [
    { bit: 1, name: 'two', factor: 2 },
    { bit: 2, name: 'four', factor: 4 },
    { bit: 4, name: 'eight', factor: 8 },
    { bit: 8, name: 'half', factor: 0.5 },
    { bit: 16, name: 'quarter', factor: 0.25 },
    { bit: 32, name: 'eighth', factor: 0.125 },
  ];
const SATURATE_BIT = 0x40;
/** Names of texture targets in the text. */
const TARGET_NAMES: Readonly<Record<UnitTarget, string>> = {
  cube: 'CUBE',
  '3d': '3D',
  '2d-rect': 'RECT',
  '2d': '2D',
  '1d': '1D',
};

/** Instructions by operation. Arguments are `a`, `b` and `c`, the result `t`. */
const STATEMENTS_BY_OPERATION: ReadonlyMap<number, readonly string[]> = new Map([
  [0x8961, ['MOV t, a;']],
  [0x8963, ['ADD t, a, b;']],
  [0x8964, ['MUL t, a, b;']],
  [0x8965, ['SUB t, a, b;']],
  [0x8966, ['DP3 t, a, b;']],
  [0x8967, ['DP4 t, a, b;']],
  [0x8968, ['MAD t, a, b, c;']],
  [0x8969, ['LRP t, a, b, c;']],
  [0x896a, ['SUB t, half, c;', 'CMP t, t, a, b;']],
  [0x896b, ['CMP t, c, b, a;']],
  [0x896c, ['MAD t, a.x, b.x, c.z;', 'MAD t, a.y, b.y, t;']],
]);

/** Swizzles of coordinates. A projection divides by the third coordinate of the swizzle. */
const SWIZZLES: ReadonlyMap<number, { readonly order: string; readonly isProjected: boolean }> =
  new Map([
    [0x8976, { order: 'xyzw', isProjected: false }],
    [0x8977, { order: 'xyww', isProjected: false }],
    [0x8978, { order: 'xyzw', isProjected: true }],
    [0x8979, { order: 'xyww', isProjected: true }],
  ]);

/** State that the text depends on besides the shader. */
interface AtiState {
  readonly shaders: AtiShaders;
  /** Returns the target of a unit, or `null` for a unit that samples black. */
  readonly targetOf: (unit: number) => UnitTarget | null;
  /** Fog equation, or `null` without fog. */
  readonly fog: 'linear' | 'exp' | 'exp2' | null;
}

/**
 * Returns a shader as text of an ARB fragment program.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for registers and operations that the extension lacks.
 */
export function translateAtiShader(shader: AtiShader, state: AtiState): string {
  const translation = new AtiTranslation(shader, state);
  const body = shader.passes.flatMap((pass) => translation.statementsOf(pass));
  const registers = Array.from({ length: ATI_REGISTER_COUNT }, (_, i) => [`r${i}`, `s${i}`]);
  return [
    '!!ARBfp1.0',
    ...(state.fog === null ? [] : [`OPTION ARB_fog_${state.fog};`]),
    `TEMP ${registers.flat().join(', ')}, a, b, c, t, colors, alphas;`,
    'PARAM zero = { 0.0, 0.0, 0.0, 0.0 };',
    'PARAM black = { 0.0, 0.0, 0.0, 1.0 };',
    'PARAM one = { 1.0, 1.0, 1.0, 1.0 };',
    ...SCALES.map(({ name, factor }) => {
      const values = Array(4).fill(factor.toFixed(4)).join(', ');
      return `PARAM ${name} = { ${values} };`;
    }),
    ...translation.parameters(),
    ...body,
    'MOV result.color, r0;',
    'END',
  ].join('\n');
}

class AtiTranslation {
  readonly #shader: AtiShader;
  readonly #state: AtiState;
  readonly #parameters = new Map<string, string>();

  constructor(shader: AtiShader, state: AtiState) {
    this.#shader = shader;
    this.#state = state;
  }

  parameters(): Iterable<string> {
    return this.#parameters.values();
  }

  /** Returns the statements of a pass. All its setups read registers of the pass before it. */
  statementsOf({ setups, operations }: AtiPass): string[] {
    const filled = setups.flatMap((setup) => this.#fill(setup));
    const moves = setups.map(({ register }) => {
      const index = register - FIRST_REGISTER;
      return `MOV r${index}, s${index};`;
    });
    return [...filled, ...moves, ...pairOperations(operations).flatMap((pair) => this.#run(pair))];
  }

  #fill({ register, isSampled, source, swizzle }: AtiSetup): string[] {
    const unit = register - FIRST_REGISTER;
    const { order, isProjected } = SWIZZLES.get(swizzle) ?? refuse(`swizzle ${swizzle}`);
    const isRegister = source >= FIRST_REGISTER;
    const coordinates = isRegister
      ? this.#registerOf(source)
      : `fragment.texcoord[${source - FIRST_TEXTURE}]`;
    const divide = ['RCP b.x, a.z;', 'MUL a, a, b.x;', 'MOV a.z, b.x;'];
    return [
      `MOV a, ${coordinates}.${order};`,
      ...(isProjected ? divide : []),
      isSampled ? this.#sample(unit) : `MOV s${unit}, a;`,
    ];
  }

  #sample(unit: number): string {
    const target = this.#state.targetOf(unit);
    return target === null
      ? `MOV s${unit}, black;`
      : `TEX s${unit}, a, texture[${unit}], ${TARGET_NAMES[target]};`;
  }

  /** Runs operations in parallel: all of them read before the first one writes. */
  #run(operations: readonly AtiOperation[]): string[] {
    const results = { color: 'colors', alpha: 'alphas' } as const;
    return [
      ...operations.flatMap((operation) => this.#compute(operation, results[operation.channels])),
      ...operations.map(({ channels, destination, mask }) => {
        const letters = ['x', 'y', 'z'].filter((_, bit) => mask === 0 || (mask & (1 << bit)) !== 0);
        const written = channels === 'alpha' ? 'w' : letters.join('');
        return `MOV ${this.#registerOf(destination)}.${written}, ${results[channels]};`;
      }),
    ];
  }

  #compute({ code, modifiers, sources }: AtiOperation, result: string): string[] {
    const statements = STATEMENTS_BY_OPERATION.get(code) ?? refuse(`operation ${code}`);
    const scales = SCALES.filter(({ bit }) => (modifiers & bit) !== 0);
    const suffix = (modifiers & SATURATE_BIT) === 0 ? '' : '_SAT';
    return [
      ...sources.flatMap((source, i) => this.#prepare(source, 'abc'[i]!)),
      ...statements,
      ...scales.map(({ name }) => `MUL t, t, ${name};`),
      `MOV${suffix} ${result}, t;`,
    ];
  }

  #prepare({ register, replicated, modifiers }: AtiArgument, into: string): string[] {
    const channel = CHANNEL_BY_REPLICATED.get(replicated) ?? refuse(`channel ${replicated}`);
    return [
      `MOV ${into}, ${this.#registerOf(register)}${channel};`,
      ...((modifiers & 2) === 0 ? [] : [`SUB ${into}, one, ${into};`]),
      ...((modifiers & 8) === 0 ? [] : [`SUB ${into}, ${into}, half;`]),
      ...((modifiers & 1) === 0 ? [] : [`ADD ${into}, ${into}, ${into};`]),
      ...((modifiers & 4) === 0 ? [] : [`MOV ${into}, -${into};`]),
    ];
  }

  #registerOf(register: number): string {
    const index = register - FIRST_REGISTER;
    if (index >= 0 && index < ATI_REGISTER_COUNT) return `r${index}`;
    const constant = this.#state.shaders.constantOf(this.#shader, register);
    if (constant === null) return NAME_BY_REGISTER.get(register) ?? refuse(`register ${register}`);
    const name = `constant${register}`;
    const values = constant.map((value) => (Number.isInteger(value) ? value.toFixed(1) : value));
    this.#parameters.set(name, `PARAM ${name} = { ${values.join(', ')} };`);
    return name;
  }
}

/** Groups each color operation with an alpha operation that follows it. */
function pairOperations(operations: readonly AtiOperation[]): AtiOperation[][] {
  const groups: AtiOperation[][] = [];
  for (const operation of operations) {
    const last = groups.at(-1);
    const isPaired =
      operation.channels === 'alpha' && last?.length === 1 && last[0]!.channels === 'color';
    if (isPaired) last.push(operation);
    else groups.push([operation]);
  }
  return groups;
}
