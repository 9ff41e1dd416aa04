/**
 * Built-in functions (chapter 8 of GLSL ES 1.00, GLSL ES 3.00 and GLSL 1.10 to 3.30) by version and
 * stage, from tables of signatures in the notation of the specifications.
 *
 * A name such as `genType` stands for several types. All such names of one signature take their
 * n-th member together.
 */
import type { ShaderStage } from '../../tree/checked-tree.ts';
import { TYPES_BY_NAME } from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import type { BuiltInSignature } from './built-in-signature.ts';
import type { FunctionGroup } from './function-group.ts';
import { GPU_SHADER4_GROUPS } from './gpu-shader4-groups.ts';
import { MATH_FUNCTION_GROUPS } from './math-function-groups.ts';
import { NAMED_TEXTURE_GROUPS } from './named-texture-groups.ts';
import { OVERLOADED_TEXTURE_GROUPS } from './overloaded-texture-groups.ts';
import type { GlslVersion } from './versions.ts';

const GENERICS: Readonly<Record<string, readonly string[]>> = {
  genType: ['float', 'vec2', 'vec3', 'vec4'],
  genIType: ['int', 'ivec2', 'ivec3', 'ivec4'],
  genUType: ['uint', 'uvec2', 'uvec3', 'uvec4'],
  genBType: ['bool', 'bvec2', 'bvec3', 'bvec4'],
  vec: ['vec2', 'vec3', 'vec4'],
  ivec: ['ivec2', 'ivec3', 'ivec4'],
  uvec: ['uvec2', 'uvec3', 'uvec4'],
  bvec: ['bvec2', 'bvec3', 'bvec4'],
  mat: ['mat2', 'mat3', 'mat4'],
  matrix: ['mat2x3', 'mat2x4', 'mat3x2', 'mat3x4', 'mat4x2', 'mat4x3'],
  transposed: ['mat3x2', 'mat4x2', 'mat2x3', 'mat4x3', 'mat2x4', 'mat3x4'],
  columnVector: ['vec3', 'vec4', 'vec2', 'vec4', 'vec2', 'vec3'],
  rowVector: ['vec2', 'vec2', 'vec3', 'vec3', 'vec4', 'vec4'],
  gvec4: ['vec4', 'ivec4', 'uvec4'],
  ig4: ['ivec4', 'uvec4'],
  gsampler2D: ['sampler2D', 'isampler2D', 'usampler2D'],
  gsampler3D: ['sampler3D', 'isampler3D', 'usampler3D'],
  gsamplerCube: ['samplerCube', 'isamplerCube', 'usamplerCube'],
  gsampler2DArray: ['sampler2DArray', 'isampler2DArray', 'usampler2DArray'],
  gsampler1D: ['sampler1D', 'isampler1D', 'usampler1D'],
  gsampler1DArray: ['sampler1DArray', 'isampler1DArray', 'usampler1DArray'],
  gsampler2DRect: ['sampler2DRect', 'isampler2DRect', 'usampler2DRect'],
  gsamplerBuffer: ['samplerBuffer', 'isamplerBuffer', 'usamplerBuffer'],
  intsampler1D: ['isampler1D', 'usampler1D'],
  intsampler2D: ['isampler2D', 'usampler2D'],
  intsampler3D: ['isampler3D', 'usampler3D'],
  intsamplerCube: ['isamplerCube', 'usamplerCube'],
  intsampler1DArray: ['isampler1DArray', 'usampler1DArray'],
  intsampler2DArray: ['isampler2DArray', 'usampler2DArray'],
  intsampler2DRect: ['isampler2DRect', 'usampler2DRect'],
};

const GROUPS: readonly FunctionGroup[] = [
  ...MATH_FUNCTION_GROUPS,
  ...NAMED_TEXTURE_GROUPS,
  ...OVERLOADED_TEXTURE_GROUPS,
  ...GPU_SHADER4_GROUPS,
];

interface ParsedSignature {
  readonly name: string;
  readonly returnType: string;
  readonly parameters: readonly string[];
  readonly outParameters: readonly number[];
}

function parseSignature(line: string): ParsedSignature {
  const match = /^(\w+) (\w+)\((.*)\)$/.exec(line);
  if (match === null) throw new Error(`built-in function: cannot parse '${line}'`);
  const parts = match[3] === '' ? [] : match[3]!.split(', ');
  const outParameters = parts.flatMap((part, index) => (part.startsWith('out ') ? [index] : []));
  return {
    name: match[2]!,
    returnType: match[1]!,
    parameters: parts.map((part) => part.replace('out ', '')),
    outParameters,
  };
}

/** Returns one signature for each member of the generic names in `signature`. */
function expandSignature(signature: ParsedSignature, group: FunctionGroup): BuiltInSignature[] {
  const names = [signature.returnType, ...signature.parameters];
  const memberCount = Math.max(1, ...names.map((name) => GENERICS[name]?.length ?? 1));
  const result: BuiltInSignature[] = [];
  for (let member = 0; member < memberCount; member++) {
    const types = names.map((name): GlslType => {
      const type = TYPES_BY_NAME.get(GENERICS[name]?.[member] ?? name);
      if (type === undefined)
        throw new Error(`built-in ${signature.name}: type ${name} does not exist`);
      return type;
    });
    const [returnType, ...parameterTypes] = types;
    result.push({
      name: signature.name,
      returnType: returnType!,
      parameterTypes,
      outParameters: signature.outParameters,
      isConstant: group.isConstant && signature.outParameters.length === 0,
      extensions: group.extensions ?? [],
    });
  }
  return result;
}

function buildTable(
  version: GlslVersion,
  stage: ShaderStage,
): ReadonlyMap<string, readonly BuiltInSignature[]> {
  const table = new Map<string, BuiltInSignature[]>();
  const add = (signature: ParsedSignature, group: FunctionGroup): void => {
    const list = table.get(signature.name) ?? [];
    list.push(...expandSignature(signature, group));
    table.set(signature.name, list);
  };
  for (const group of GROUPS) {
    if (!group.versions.includes(version) || !group.stages.includes(stage)) continue;
    for (const line of group.signatures.trim().split(/\s*\n\s*/)) {
      const signature = parseSignature(line);
      const last = signature.parameters.at(-1);
      if (last === undefined || !last.startsWith('[')) {
        add(signature, group);
        continue;
      }
      const withoutBias = signature.parameters.slice(0, -1);
      add({ ...signature, parameters: withoutBias }, group);
      if (stage === 'fragment') {
        add({ ...signature, parameters: [...withoutBias, last.slice(1, -1)] }, group);
      }
    }
  }
  return table;
}

const tables = new Map<string, ReadonlyMap<string, readonly BuiltInSignature[]>>();

/** Returns the built-in functions of a version and stage by name, including those of extensions. */
export function builtInFunctions(
  version: GlslVersion,
  stage: ShaderStage,
): ReadonlyMap<string, readonly BuiltInSignature[]> {
  const key = `${version} ${stage}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = buildTable(version, stage);
    tables.set(key, table);
  }
  return table;
}
