/** Shader objects (OpenGL ES 2.0, section 2.10.1). */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import type { ObjectTable } from '../object-table.ts';
import type { ProgramReflection } from './program-reflection.ts';

/** Stage of a shader object. No program with a geometry shader links. */
type ShaderObjectStage = 'vertex' | 'fragment' | 'geometry';

const STAGES: ReadonlyMap<number, ShaderObjectStage> = new Map<number, ShaderObjectStage>([
  [GL.VERTEX_SHADER, 'vertex'],
  [GL.FRAGMENT_SHADER, 'fragment'],
  [GL.GEOMETRY_SHADER, 'geometry'],
]);

/** Shader object. */
export class ShaderObject {
  readonly name: number;
  readonly stage: ShaderObjectStage;
  source = '';
  /** Source compiled by the last `compileShader`; `null` if it failed. */
  compiledSource: string | null = null;
  log = '';
  isDeleted = false;
  attachmentCount = 0;

  constructor(name: number, stage: ShaderObject['stage']) {
    this.name = name;
    this.stage = stage;
  }
}

/** Shaders. They share the name space of programs. */
export class ShaderState<Other> {
  readonly #errors: GlErrors;
  readonly #rules: Pick<ApiRules, 'hasGeometryShaders'>;
  readonly #table: ObjectTable<ShaderObject | Other>;
  readonly #reflection: ProgramReflection;

  constructor(
    errors: GlErrors,
    rules: Pick<ApiRules, 'hasGeometryShaders'>,
    table: ObjectTable<ShaderObject | Other>,
    reflection: ProgramReflection,
  ) {
    this.#errors = errors;
    this.#rules = rules;
    this.#table = table;
    this.#reflection = reflection;
  }

  /** Creates a shader. Returns its name, or 0 after an error. */
  create(type: number): number {
    const stage = STAGES.get(type);
    if (stage === undefined || (stage === 'geometry' && !this.#rules.hasGeometryShaders)) {
      this.#errors.raise(GL.INVALID_ENUM, `createShader: ${nameOfEnum(type)} is not a shader type`);
      return 0;
    }
    const name = this.#table.reserve(1)[0]!;
    this.#table.obtain(name, (made) => new ShaderObject(made, stage));
    return name;
  }

  find(caller: string, name: number): ShaderObject | null {
    const found = this.#table.get(name);
    if (found instanceof ShaderObject) return found;
    if (found === null)
      this.#errors.raise(GL.INVALID_VALUE, `${caller}: shader ${name} does not exist`);
    else
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: object ${name} is a program, not a shader`,
      );
    return null;
  }

  setSource(name: number, source: string): void {
    const shader = this.find('shaderSource', name);
    if (shader !== null) shader.source = source;
  }

  compile(name: number): void {
    const shader = this.find('compileShader', name);
    if (shader === null) return;
    const compiled =
      shader.stage === 'geometry'
        ? undefined
        : this.#reflection.compile?.(shader.stage, shader.source);
    const { isCompiled, log, source } = compiled ?? {
      isCompiled: true,
      log: '',
      source: shader.source,
    };
    shader.compiledSource = isCompiled ? source : null;
    shader.log = log;
  }

  remove(name: number): void {
    if (name === 0) return;
    const shader = this.find('deleteShader', name);
    if (shader === null) return;
    shader.isDeleted = true;
    this.release(shader);
  }

  /** Frees the name of a deleted shader when no program holds it. */
  release(shader: ShaderObject): void {
    if (shader.isDeleted && shader.attachmentCount === 0) this.#table.remove(shader.name);
  }
}
