/**
 * Variables of an assembly program and their GLSL expressions (ARB_vertex_program, section 2.14.3;
 * ARB_fragment_program, section 3.11.3).
 */
import {
  type AssemblyStage,
  constantVector,
  parseOperand,
  refuseAssembly,
  splitOperands,
} from './assembly-syntax.ts';
import { attributeVector, resultStatement, stateVectors } from './state-bindings.ts';

/** Upper bound on the elements of a range, as on parameters of a program. */
const MAX_RANGE = 4096;

/** Returns the name of the uniform array of environment or local parameters. */
export function parameterArray(stage: AssemblyStage, kind: 'env' | 'local'): string {
  return `assembly_${stage === 'vertex' ? 'Vertex' : 'Fragment'}${kind === 'env' ? 'Env' : 'Local'}`;
}

/** Variables of one program. */
export class AssemblyVariables {
  readonly #stage: AssemblyStage;
  readonly #temporaries = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  /** Attributes and parameters by name. A single one is an array of one element. */
  readonly #values = new Map<string, readonly string[]>();
  readonly #outputs = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  /** Registers by result binding. */
  readonly #results = new Map<string, string>();
  /** Local arrays of parameters that are read by an address, by name of the parameter. */
  readonly #localArrays = new Map<string, { name: string; elements: readonly string[] }>();
  /** Number of elements of each uniform array. */
  readonly #arrayLengths = new Map<string, number>();
  /** Numbered attributes that are read. */
  readonly attributes = new Set<number>();
  /** Expression of `fragment.position`. */
  fragmentPosition = 'gl_FragCoord';

  constructor(stage: AssemblyStage) {
    this.#stage = stage;
  }

  /** Adds the variables of a declaration. Returns `false` if the statement is none. */
  declare(word: string, rest: string): boolean {
    switch (word) {
      case 'TEMP':
        for (const name of splitOperands(rest)) {
          this.#temporaries.set(name, `r${this.#temporaries.size}`);
        }
        return true;
      case 'ADDRESS':
        for (const name of splitOperands(rest)) {
          this.#addresses.set(name, `a${this.#addresses.size}`);
        }
        return true;
      case 'ALIAS':
      case 'ATTRIB':
      case 'OUTPUT':
      case 'PARAM':
        this.#bind(word, rest);
        return true;
      default:
        return false;
    }
  }

  #bind(word: string, rest: string): void {
    const [, name, size, value] = /^([\w$]+)\s*(\[\s*\d*\s*\])?\s*=\s*(.+)$/.exec(rest) ?? [];
    if (name === undefined || value === undefined) refuseAssembly(`${word} ${rest}`);
    if (word === 'ALIAS') this.#aliases.set(name, value);
    else if (word === 'OUTPUT') this.#outputs.set(name, value.replaceAll(' ', ''));
    else if (word === 'ATTRIB') this.#values.set(name, [this.vector(value)]);
    else if (size === undefined) this.#values.set(name, this.#elementsOf(value).slice(0, 1));
    else {
      const inside = /^\{(.*)\}$/.exec(value)?.[1] ?? refuseAssembly(`${word} ${rest}`);
      const elements = splitOperands(inside).flatMap((element) => this.#elementsOf(element));
      this.#values.set(name, elements);
    }
  }

  /** Returns the vectors of a constant, a binding, or a range of bindings. */
  #elementsOf(text: string): readonly string[] {
    const constant = constantVector(text);
    if (constant !== null) return [constant];
    const path = text.replaceAll(' ', '');
    const [, kind, first, last = first] =
      /^program\.(env|local)\[(\d+)(?:\.\.(\d+))?\]$/.exec(path) ?? [];
    if (kind !== undefined) {
      const count = Number(last) - Number(first) + 1;
      if (!(count >= 1 && count <= MAX_RANGE)) return refuseAssembly(path);
      return Array.from({ length: count }, (_, i) =>
        this.#parameter(kind === 'env' ? 'env' : 'local', Number(first) + i),
      );
    }
    if (!path.startsWith('state.')) return refuseAssembly(path);
    return stateVectors(path.slice('state.'.length)) ?? refuseAssembly(path);
  }

  #parameter(kind: 'env' | 'local', index: number): string {
    return `${parameterArray(this.#stage, kind)}[${index}]`;
  }

  /** Returns a source operand as a `vec4` expression. */
  vector(text: string): string {
    const constant = constantVector(text);
    if (constant !== null) return constant;
    const { sign, path, swizzle } = parseOperand(text);
    const value = constantVector(path) ?? this.#valueOf(path);
    const four = swizzle.length === 1 ? swizzle.repeat(4) : swizzle;
    const swizzled = four === '' ? value : `(${value}).${four}`;
    return sign === '-' ? `(-${swizzled})` : swizzled;
  }

  /** Returns a source operand of one component as a `float` expression. */
  scalar(text: string): string {
    return `(${this.vector(text)}).x`;
  }

  #valueOf(given: string): string {
    const path = this.#resolve(given);
    const temporary = this.#temporaries.get(path);
    if (temporary !== undefined) return temporary;
    const single = this.#values.get(path);
    if (single !== undefined) return this.#use(single[0]!);
    const [, name, index] = /^([A-Za-z_$][\w$]*)\[(.+)\]$/.exec(path) ?? [];
    const array = name === undefined ? undefined : this.#values.get(this.#resolve(name));
    if (array !== undefined && index !== undefined) return this.#element(name!, array, index);
    if (path.startsWith('fragment.') || path.startsWith('vertex.')) return this.#attribute(path);
    return this.#use(this.#elementsOf(path)[0]!);
  }

  #resolve(name: string): string {
    return this.#aliases.get(name) ?? name;
  }

  #attribute(path: string): string {
    const prefix = `${this.#stage}.`;
    if (!path.startsWith(prefix)) return refuseAssembly(path);
    if (path === 'fragment.position') return this.fragmentPosition;
    const expression =
      attributeVector(this.#stage, path.slice(prefix.length)) ?? refuseAssembly(path);
    const index = /^assembly_Attribute(\d+)$/.exec(expression)?.[1];
    if (index !== undefined) this.attributes.add(Number(index));
    return expression;
  }

  #element(name: string, elements: readonly string[], index: string): string {
    if (/^\d+$/.test(index)) {
      return this.#use(elements[Number(index)] ?? refuseAssembly(`${name}[${index}]`));
    }
    const [, address, sign = '+', offset = '0'] =
      /^([\w$]+)\.x(?:([+-])(\d+))?$/.exec(index) ?? refuseAssembly(`${name}[${index}]`);
    const register = this.#addresses.get(this.#resolve(address!)) ?? refuseAssembly(address!);
    const at = `${register} ${sign} ${offset}`;
    const range = elements.map((element) => /^(assembly_\w+)\[(\d+)\]$/.exec(element));
    const first = range[0];
    const isUniform =
      first !== null &&
      first !== undefined &&
      range.every(
        (each, i) => each?.[1] === first[1] && Number(each?.[2]) === Number(first[2]) + i,
      );
    if (isUniform) {
      this.#use(elements.at(-1)!);
      return `${first[1]}[${at} + ${first[2]}]`;
    }
    for (const element of elements) this.#use(element);
    const known = this.#localArrays.get(name);
    const local = known ?? { name: `p${this.#localArrays.size}`, elements };
    this.#localArrays.set(name, local);
    return `${local.name}[${at}]`;
  }

  /** Counts the element of a uniform array that an expression reads. Returns the expression. */
  #use(expression: string): string {
    const [, array, index] = /^(assembly_\w+)\[(\d+)\]$/.exec(expression) ?? [];
    if (array !== undefined) {
      const length = Math.max(this.#arrayLengths.get(array) ?? 0, Number(index) + 1);
      this.#arrayLengths.set(array, length);
    }
    return expression;
  }

  /** Returns the register of `A0.x`. */
  address(text: string): string {
    const name = this.#resolve(text.replace(/\.x$/, ''));
    return this.#addresses.get(name) ?? refuseAssembly(`address register ${text}`);
  }

  /** Returns the register that a destination writes. */
  register(path: string): string {
    const name = this.#resolve(path);
    const temporary = this.#temporaries.get(name);
    if (temporary !== undefined) return temporary;
    const result = this.#outputs.get(name) ?? name;
    if (!result.startsWith('result.')) return refuseAssembly(`destination ${path}`);
    const binding = result.slice('result.'.length);
    if (resultStatement(this.#stage, binding) === null) refuseAssembly(`destination ${path}`);
    const register = this.#results.get(binding) ?? `o${this.#results.size}`;
    this.#results.set(binding, register);
    return register;
  }

  declareGlobals(): string[] {
    return [
      ...[...this.attributes].map((index) => `attribute vec4 assembly_Attribute${index};`),
      ...[...this.#arrayLengths].map(([name, length]) => `uniform vec4 ${name}[${length}];`),
    ];
  }

  /** Returns statements that declare the registers. Results start as (0, 0, 0, 1). */
  declareLocals(): string[] {
    const zero = 'vec4(0.0, 0.0, 0.0, 1.0)';
    return [
      ...[...this.#temporaries.values(), ...this.#results.values()].map(
        (register) => `vec4 ${register} = ${zero};`,
      ),
      ...[...this.#addresses.values()].map((register) => `int ${register} = 0;`),
      ...[...this.#localArrays.values()].flatMap(({ name, elements }) => [
        `vec4 ${name}[${elements.length}];`,
        ...elements.map((element, i) => `${name}[${i}] = ${element};`),
      ]),
    ];
  }

  writeResults(): string[] {
    return [...this.#results].map(([binding, register]) =>
      resultStatement(this.#stage, binding)!.replace('$v', register),
    );
  }
}
