/**
 * The compiler as one flow: GLSL → checked syntax tree → IR → linked and optimized IR → ISA.
 *
 * The flow ends at ISA. The kernel library of `packages/gpu` (`command/kernel-library.ts`)
 * generates WebAssembly from it, because that step depends on texture formats and memory.
 */
import { type ProgramSource, RenderError, type ShaderProgram, sha256Hex } from '@tessera/frame';
import { type CheckShaderOptions, checkShader } from './glsl/check-shader.ts';
import { checkLink } from './glsl/link/check-link.ts';
import { selectInstructions } from './isa/select-instructions.ts';
import { linkProgram } from './link/link-program.ts';
import type { CheckedShader, Diagnostic } from './tree/checked-tree.ts';
import { formatDiagnostics } from './tree/diagnostics.ts';

/** Options of {@link compileProgram}. */
export interface CompileOptions extends Omit<CheckShaderOptions, 'stage'> {
  /**
   * Locations that the program requests by attribute name. They are only checked; slots are found
   * by name.
   */
  readonly attributeLocations?: Readonly<Record<string, number>>;
}

/**
 * Compiles and links `source`.
 *
 * @throws {RenderError} SHADER_COMPILE_FAILED with the log of both stages, in lines such as
 *   `vertex shader: ERROR: 0:12: 'foo' : undeclared identifier`, or with the lines of the linker,
 *   `link: ERROR: …`.
 */
export function compileProgram(source: ProgramSource, options: CompileOptions = {}): ShaderProgram {
  const vertex = checkShader(source.vertexSource, { ...options, stage: 'vertex' });
  const fragment = checkShader(source.fragmentSource, { ...options, stage: 'fragment' });
  failOnErrors([
    ...logLines('vertex shader', vertex.diagnostics),
    ...logLines('fragment shader', fragment.diagnostics),
  ]);
  failOnErrors(logLines('link', checkLink(vertex, fragment, options)));
  return compileChecked({ vertex, fragment });
}

/** Two shaders that passed their own checks and those of the pair. */
export interface CheckedProgram {
  readonly vertex: CheckedShader;
  readonly fragment: CheckedShader;
}

/** Compiles two checked shaders into a program, without changing them. */
export function compileChecked({ vertex, fragment }: CheckedProgram): ShaderProgram {
  const {
    vertex: vertexIr,
    positionOnly,
    fragment: fragmentIr,
    ...reflection
  } = linkProgram(vertex, fragment);
  const program = {
    vertex: selectInstructions(vertexIr),
    positionOnly: selectInstructions(positionOnly),
    fragment: selectInstructions(fragmentIr),
    ...reflection,
  };
  return { sha256: hashProgram(program), ...program };
}

function failOnErrors(log: readonly string[]): void {
  if (log.length > 0) throw new RenderError('SHADER_COMPILE_FAILED', log.join('\n'));
}

/** Returns the errors among `diagnostics`, one line each, prefixed with `source`. */
function logLines(source: string, diagnostics: readonly Diagnostic[]): string[] {
  return formatDiagnostics(diagnostics.filter(({ severity }) => severity === 'error'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${source}: ${line}`);
}

/**
 * Hashes the program as JSON with lengths in place of arrays, followed by the words of the arrays,
 * little-endian.
 */
function hashProgram(program: Omit<ShaderProgram, 'sha256'>): string {
  const arrays: Uint32Array[] = [];
  const text = JSON.stringify(program, (_key, value: unknown) => {
    if (!(value instanceof Uint32Array)) return value;
    arrays.push(value);
    return value.length;
  });
  const head = new TextEncoder().encode(text);
  const wordCount = arrays.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(head.length + wordCount * Uint32Array.BYTES_PER_ELEMENT);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  let at = head.length;
  for (const array of arrays) {
    for (const word of array) {
      view.setUint32(at, word, true);
      at += Uint32Array.BYTES_PER_ELEMENT;
    }
  }
  return sha256Hex(bytes);
}
