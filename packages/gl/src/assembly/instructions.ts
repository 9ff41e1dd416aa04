/**
 * GLSL expressions of instructions (ARB_vertex_program, section 2.14.5; ARB_fragment_program,
 * section 3.11.5).
 */

/** Operands of an instruction: all components, or the first one of a scalar operand. */
export interface InstructionShape {
  /** Kinds of the source operands. */
  readonly sources: readonly ('vector' | 'scalar')[];
  /** Returns a `vec4` expression. */
  readonly make: (...sources: readonly string[]) => string;
}

const V = 'vector' as const;
const S = 'scalar' as const;

const shape = (
  sources: InstructionShape['sources'],
  make: InstructionShape['make'],
): InstructionShape => ({ sources, make });

/** Instructions of both stages and of one of them, by name without `_SAT`. */
export const INSTRUCTIONS: ReadonlyMap<string, InstructionShape> = new Map([
  ['ABS', shape([V], (a) => `abs(${a})`)],
  ['ADD', shape([V, V], (a, b) => `(${a} + ${b})`)],
  ['CMP', shape([V, V, V], (a, b, c) => `assembly_cmp(${a}, ${b}, ${c})`)],
  ['COS', shape([S], (a) => `vec4(cos(${a}))`)],
  ['DP3', shape([V, V], (a, b) => `vec4(dot((${a}).xyz, (${b}).xyz))`)],
  ['DP4', shape([V, V], (a, b) => `vec4(dot(${a}, ${b}))`)],
  ['DPH', shape([V, V], (a, b) => `vec4(dot(vec4((${a}).xyz, 1.0), ${b}))`)],
  ['DST', shape([V, V], (a, b) => `assembly_dst(${a}, ${b})`)],
  ['EX2', shape([S], (a) => `vec4(exp2(${a}))`)],
  ['EXP', shape([S], (a) => `assembly_exp(${a})`)],
  ['FLR', shape([V], (a) => `floor(${a})`)],
  ['FRC', shape([V], (a) => `fract(${a})`)],
  ['LG2', shape([S], (a) => `vec4(log2(abs(${a})))`)],
  ['LIT', shape([V], (a) => `assembly_lit(${a})`)],
  ['LOG', shape([S], (a) => `assembly_log(abs(${a}))`)],
  ['LRP', shape([V, V, V], (a, b, c) => `mix(${c}, ${b}, ${a})`)],
  ['MAD', shape([V, V, V], (a, b, c) => `(${a} * ${b} + ${c})`)],
  ['MAX', shape([V, V], (a, b) => `max(${a}, ${b})`)],
  ['MIN', shape([V, V], (a, b) => `min(${a}, ${b})`)],
  ['MOV', shape([V], (a) => a!)],
  ['MUL', shape([V, V], (a, b) => `(${a} * ${b})`)],
  ['POW', shape([S, S], (a, b) => `vec4(pow(${a}, ${b}))`)],
  ['RCP', shape([S], (a) => `vec4(1.0 / ${a})`)],
  ['RSQ', shape([S], (a) => `vec4(inversesqrt(abs(${a})))`)],
  ['SCS', shape([S], (a) => `vec4(cos(${a}), sin(${a}), 0.0, 1.0)`)],
  ['SGE', shape([V, V], (a, b) => `vec4(greaterThanEqual(${a}, ${b}))`)],
  ['SIN', shape([S], (a) => `vec4(sin(${a}))`)],
  ['SLT', shape([V, V], (a, b) => `vec4(lessThan(${a}, ${b}))`)],
  ['SUB', shape([V, V], (a, b) => `(${a} - ${b})`)],
  ['XPD', shape([V, V], (a, b) => `vec4(cross((${a}).xyz, (${b}).xyz), 1.0)`)],
]);

/** Instructions that only one stage has. */
export const INSTRUCTIONS_OF_STAGE = {
  vertex: ['EXP', 'LOG'],
  fragment: ['CMP', 'COS', 'LRP', 'SCS', 'SIN'],
} as const;

/** GLSL functions of instructions with several statements. */
export const HELPER_FUNCTIONS: readonly (readonly [name: string, source: string])[] = [
  [
    'assembly_cmp',
    `vec4 assembly_cmp(vec4 a, vec4 b, vec4 c) {
  return vec4(a.x < 0.0 ? b.x : c.x, a.y < 0.0 ? b.y : c.y, a.z < 0.0 ? b.z : c.z, a.w < 0.0 ? b.w : c.w);
}`,
  ],
  ['assembly_dst', 'vec4 assembly_dst(vec4 a, vec4 b) { return vec4(1.0, a.y * b.y, a.z, b.w); }'],
  [
    'assembly_exp',
    'vec4 assembly_exp(float a) { return vec4(exp2(floor(a)), fract(a), exp2(a), 1.0); }',
  ],
  [
    'assembly_lit',
    // 0 to the power of 0 is 1, which \`pow\` leaves undefined.
    `vec4 assembly_lit(vec4 a) {
  float base = max(a.y, 0.0);
  float exponent = clamp(a.w, -127.99999, 127.99999);
  float specular = exponent == 0.0 ? 1.0 : pow(base, exponent);
  return vec4(1.0, max(a.x, 0.0), a.x > 0.0 ? specular : 0.0, 1.0);
}`,
  ],
  [
    'assembly_log',
    'vec4 assembly_log(float a) { float e = floor(log2(a)); return vec4(e, a / exp2(e), log2(a), 1.0); }',
  ],
];
