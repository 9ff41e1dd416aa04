/**
 * Built-in functions (chapter 8 of GLSL ES 1.00, GLSL ES 3.00, GLSL 1.10 and 1.20) as a table of
 * signatures in the notation of the specifications.
 *
 * A name such as `genType` stands for several types. All such names of one signature take their
 * n-th member together. `[float]` at the end is the bias, which only fragment shaders may pass.
 */
import type { ShaderStage } from '../../tree/checked-tree.ts';
import { TYPES_BY_NAME } from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import type { BuiltInSignature } from './built-in-signature.ts';
import type { ExtensionName, GlslVersion } from './extensions.ts';

interface FunctionGroup {
  readonly versions: readonly GlslVersion[];
  readonly stages: readonly ShaderStage[];
  readonly extension?: ExtensionName;
  /** Whether calls with constant arguments are constant expressions. */
  readonly isConstant: boolean;
  /** Signatures, one per line. */
  readonly signatures: string;
}

const ALL: readonly GlslVersion[] = [100, 110, 120, 300];
const BEFORE_300: readonly GlslVersion[] = [100, 110, 120];
const DESKTOP: readonly GlslVersion[] = [110, 120];
const SINCE_120: readonly GlslVersion[] = [120, 300];
const ES3: readonly GlslVersion[] = [300];
const BOTH: readonly ShaderStage[] = ['vertex', 'fragment'];
const VERTEX: readonly ShaderStage[] = ['vertex'];
const FRAGMENT: readonly ShaderStage[] = ['fragment'];

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
  gsampler2D: ['sampler2D', 'isampler2D', 'usampler2D'],
  gsampler3D: ['sampler3D', 'isampler3D', 'usampler3D'],
  gsamplerCube: ['samplerCube', 'isamplerCube', 'usamplerCube'],
  gsampler2DArray: ['sampler2DArray', 'isampler2DArray', 'usampler2DArray'],
};

const GROUPS: readonly FunctionGroup[] = [
  {
    versions: ALL,
    stages: BOTH,
    isConstant: true,
    signatures: `
      genType radians(genType)
      genType degrees(genType)
      genType sin(genType)
      genType cos(genType)
      genType tan(genType)
      genType asin(genType)
      genType acos(genType)
      genType atan(genType, genType)
      genType atan(genType)
      genType pow(genType, genType)
      genType exp(genType)
      genType log(genType)
      genType exp2(genType)
      genType log2(genType)
      genType sqrt(genType)
      genType inversesqrt(genType)
      genType abs(genType)
      genType sign(genType)
      genType floor(genType)
      genType ceil(genType)
      genType fract(genType)
      genType mod(genType, genType)
      vec mod(vec, float)
      genType min(genType, genType)
      vec min(vec, float)
      genType max(genType, genType)
      vec max(vec, float)
      genType clamp(genType, genType, genType)
      vec clamp(vec, float, float)
      genType mix(genType, genType, genType)
      vec mix(vec, vec, float)
      genType step(genType, genType)
      vec step(float, vec)
      genType smoothstep(genType, genType, genType)
      vec smoothstep(float, float, vec)
      float length(genType)
      float distance(genType, genType)
      float dot(genType, genType)
      vec3 cross(vec3, vec3)
      genType normalize(genType)
      genType faceforward(genType, genType, genType)
      genType reflect(genType, genType)
      genType refract(genType, genType, float)
      mat matrixCompMult(mat, mat)
      bvec lessThan(vec, vec)
      bvec lessThan(ivec, ivec)
      bvec lessThanEqual(vec, vec)
      bvec lessThanEqual(ivec, ivec)
      bvec greaterThan(vec, vec)
      bvec greaterThan(ivec, ivec)
      bvec greaterThanEqual(vec, vec)
      bvec greaterThanEqual(ivec, ivec)
      bvec equal(vec, vec)
      bvec equal(ivec, ivec)
      bvec equal(bvec, bvec)
      bvec notEqual(vec, vec)
      bvec notEqual(ivec, ivec)
      bvec notEqual(bvec, bvec)
      bool any(bvec)
      bool all(bvec)
      bvec not(bvec)`,
  },
  {
    versions: SINCE_120,
    stages: BOTH,
    isConstant: true,
    signatures: `
      matrix matrixCompMult(matrix, matrix)
      mat transpose(mat)
      transposed transpose(matrix)
      mat2 outerProduct(vec2, vec2)
      mat3 outerProduct(vec3, vec3)
      mat4 outerProduct(vec4, vec4)
      matrix outerProduct(columnVector, rowVector)`,
  },
  {
    versions: ES3,
    stages: BOTH,
    isConstant: true,
    signatures: `
      genType sinh(genType)
      genType cosh(genType)
      genType tanh(genType)
      genType asinh(genType)
      genType acosh(genType)
      genType atanh(genType)
      genIType abs(genIType)
      genIType sign(genIType)
      genType trunc(genType)
      genType round(genType)
      genType roundEven(genType)
      genType modf(genType, out genType)
      genIType min(genIType, genIType)
      ivec min(ivec, int)
      genUType min(genUType, genUType)
      uvec min(uvec, uint)
      genIType max(genIType, genIType)
      ivec max(ivec, int)
      genUType max(genUType, genUType)
      uvec max(uvec, uint)
      genIType clamp(genIType, genIType, genIType)
      ivec clamp(ivec, int, int)
      genUType clamp(genUType, genUType, genUType)
      uvec clamp(uvec, uint, uint)
      genType mix(genType, genType, genBType)
      genBType isnan(genType)
      genBType isinf(genType)
      genIType floatBitsToInt(genType)
      genUType floatBitsToUint(genType)
      genType intBitsToFloat(genIType)
      genType uintBitsToFloat(genUType)
      uint packSnorm2x16(vec2)
      vec2 unpackSnorm2x16(uint)
      uint packUnorm2x16(vec2)
      vec2 unpackUnorm2x16(uint)
      uint packHalf2x16(vec2)
      vec2 unpackHalf2x16(uint)
      float determinant(mat)
      mat inverse(mat)
      bvec lessThan(uvec, uvec)
      bvec lessThanEqual(uvec, uvec)
      bvec greaterThan(uvec, uvec)
      bvec greaterThanEqual(uvec, uvec)
      bvec equal(uvec, uvec)
      bvec notEqual(uvec, uvec)`,
  },
  {
    versions: BEFORE_300,
    stages: BOTH,
    isConstant: false,
    signatures: `
      vec4 texture2D(sampler2D, vec2, [float])
      vec4 texture2DProj(sampler2D, vec3, [float])
      vec4 texture2DProj(sampler2D, vec4, [float])
      vec4 textureCube(samplerCube, vec3, [float])`,
  },
  {
    versions: BEFORE_300,
    stages: VERTEX,
    isConstant: false,
    signatures: `
      vec4 texture2DLod(sampler2D, vec2, float)
      vec4 texture2DProjLod(sampler2D, vec3, float)
      vec4 texture2DProjLod(sampler2D, vec4, float)
      vec4 textureCubeLod(samplerCube, vec3, float)`,
  },
  {
    versions: [100],
    stages: FRAGMENT,
    extension: 'GL_EXT_shader_texture_lod',
    isConstant: false,
    signatures: `
      vec4 texture2DLodEXT(sampler2D, vec2, float)
      vec4 texture2DProjLodEXT(sampler2D, vec3, float)
      vec4 texture2DProjLodEXT(sampler2D, vec4, float)
      vec4 textureCubeLodEXT(samplerCube, vec3, float)`,
  },
  {
    versions: [100],
    stages: BOTH,
    extension: 'GL_EXT_shader_texture_lod',
    isConstant: false,
    signatures: `
      vec4 texture2DGradEXT(sampler2D, vec2, vec2, vec2)
      vec4 texture2DProjGradEXT(sampler2D, vec3, vec2, vec2)
      vec4 texture2DProjGradEXT(sampler2D, vec4, vec2, vec2)
      vec4 textureCubeGradEXT(samplerCube, vec3, vec3, vec3)`,
  },
  {
    versions: [100],
    stages: FRAGMENT,
    extension: 'GL_OES_standard_derivatives',
    isConstant: false,
    signatures: `
      genType dFdx(genType)
      genType dFdy(genType)
      genType fwidth(genType)`,
  },
  {
    versions: [110, 120, 300],
    stages: FRAGMENT,
    isConstant: false,
    signatures: `
      genType dFdx(genType)
      genType dFdy(genType)
      genType fwidth(genType)`,
  },
  {
    versions: DESKTOP,
    stages: VERTEX,
    isConstant: false,
    signatures: `
      vec4 ftransform()
      vec4 texture1DLod(sampler1D, float, float)
      vec4 texture1DProjLod(sampler1D, vec2, float)
      vec4 texture1DProjLod(sampler1D, vec4, float)
      vec4 texture3DLod(sampler3D, vec3, float)
      vec4 texture3DProjLod(sampler3D, vec4, float)
      vec4 shadow1DLod(sampler1DShadow, vec3, float)
      vec4 shadow2DLod(sampler2DShadow, vec3, float)
      vec4 shadow1DProjLod(sampler1DShadow, vec4, float)
      vec4 shadow2DProjLod(sampler2DShadow, vec4, float)`,
  },
  {
    versions: DESKTOP,
    stages: BOTH,
    isConstant: false,
    signatures: `
      vec4 texture1D(sampler1D, float, [float])
      vec4 texture1DProj(sampler1D, vec2, [float])
      vec4 texture1DProj(sampler1D, vec4, [float])
      vec4 texture3D(sampler3D, vec3, [float])
      vec4 texture3DProj(sampler3D, vec4, [float])
      vec4 shadow1D(sampler1DShadow, vec3, [float])
      vec4 shadow2D(sampler2DShadow, vec3, [float])
      vec4 shadow1DProj(sampler1DShadow, vec4, [float])
      vec4 shadow2DProj(sampler2DShadow, vec4, [float])
      float noise1(genType)
      vec2 noise2(genType)
      vec3 noise3(genType)
      vec4 noise4(genType)`,
  },
  {
    versions: DESKTOP,
    stages: BOTH,
    extension: 'GL_ARB_texture_rectangle',
    isConstant: false,
    signatures: `
      vec4 texture2DRect(sampler2DRect, vec2)
      vec4 texture2DRectProj(sampler2DRect, vec3)
      vec4 texture2DRectProj(sampler2DRect, vec4)
      vec4 shadow2DRect(sampler2DRectShadow, vec3)
      vec4 shadow2DRectProj(sampler2DRectShadow, vec4)`,
  },
  {
    versions: DESKTOP,
    stages: FRAGMENT,
    extension: 'GL_ARB_shader_texture_lod',
    isConstant: false,
    signatures: `
      vec4 texture1DLod(sampler1D, float, float)
      vec4 texture1DProjLod(sampler1D, vec2, float)
      vec4 texture1DProjLod(sampler1D, vec4, float)
      vec4 texture2DLod(sampler2D, vec2, float)
      vec4 texture2DProjLod(sampler2D, vec3, float)
      vec4 texture2DProjLod(sampler2D, vec4, float)
      vec4 texture3DLod(sampler3D, vec3, float)
      vec4 texture3DProjLod(sampler3D, vec4, float)
      vec4 textureCubeLod(samplerCube, vec3, float)
      vec4 shadow1DLod(sampler1DShadow, vec3, float)
      vec4 shadow2DLod(sampler2DShadow, vec3, float)
      vec4 shadow1DProjLod(sampler1DShadow, vec4, float)
      vec4 shadow2DProjLod(sampler2DShadow, vec4, float)`,
  },
  {
    versions: DESKTOP,
    stages: BOTH,
    extension: 'GL_ARB_shader_texture_lod',
    isConstant: false,
    signatures: `
      vec4 texture1DGradARB(sampler1D, float, float, float)
      vec4 texture2DGradARB(sampler2D, vec2, vec2, vec2)
      vec4 texture2DProjGradARB(sampler2D, vec3, vec2, vec2)
      vec4 texture2DProjGradARB(sampler2D, vec4, vec2, vec2)
      vec4 texture3DGradARB(sampler3D, vec3, vec3, vec3)
      vec4 textureCubeGradARB(samplerCube, vec3, vec3, vec3)`,
  },
  {
    versions: ES3,
    stages: BOTH,
    isConstant: false,
    signatures: `
      ivec2 textureSize(gsampler2D, int)
      ivec3 textureSize(gsampler3D, int)
      ivec2 textureSize(gsamplerCube, int)
      ivec3 textureSize(gsampler2DArray, int)
      ivec2 textureSize(sampler2DShadow, int)
      ivec2 textureSize(samplerCubeShadow, int)
      ivec3 textureSize(sampler2DArrayShadow, int)
      gvec4 texture(gsampler2D, vec2, [float])
      gvec4 texture(gsampler3D, vec3, [float])
      gvec4 texture(gsamplerCube, vec3, [float])
      gvec4 texture(gsampler2DArray, vec3, [float])
      float texture(sampler2DShadow, vec3, [float])
      float texture(samplerCubeShadow, vec4, [float])
      float texture(sampler2DArrayShadow, vec4)
      gvec4 textureProj(gsampler2D, vec3, [float])
      gvec4 textureProj(gsampler2D, vec4, [float])
      gvec4 textureProj(gsampler3D, vec4, [float])
      float textureProj(sampler2DShadow, vec4, [float])
      gvec4 textureLod(gsampler2D, vec2, float)
      gvec4 textureLod(gsampler3D, vec3, float)
      gvec4 textureLod(gsamplerCube, vec3, float)
      gvec4 textureLod(gsampler2DArray, vec3, float)
      float textureLod(sampler2DShadow, vec3, float)
      gvec4 textureOffset(gsampler2D, vec2, ivec2, [float])
      gvec4 textureOffset(gsampler3D, vec3, ivec3, [float])
      gvec4 textureOffset(gsampler2DArray, vec3, ivec2, [float])
      float textureOffset(sampler2DShadow, vec3, ivec2, [float])
      gvec4 texelFetch(gsampler2D, ivec2, int)
      gvec4 texelFetch(gsampler3D, ivec3, int)
      gvec4 texelFetch(gsampler2DArray, ivec3, int)
      gvec4 texelFetchOffset(gsampler2D, ivec2, int, ivec2)
      gvec4 texelFetchOffset(gsampler3D, ivec3, int, ivec3)
      gvec4 texelFetchOffset(gsampler2DArray, ivec3, int, ivec2)
      gvec4 textureProjOffset(gsampler2D, vec3, ivec2, [float])
      gvec4 textureProjOffset(gsampler2D, vec4, ivec2, [float])
      gvec4 textureProjOffset(gsampler3D, vec4, ivec3, [float])
      float textureProjOffset(sampler2DShadow, vec4, ivec2, [float])
      gvec4 textureLodOffset(gsampler2D, vec2, float, ivec2)
      gvec4 textureLodOffset(gsampler3D, vec3, float, ivec3)
      gvec4 textureLodOffset(gsampler2DArray, vec3, float, ivec2)
      float textureLodOffset(sampler2DShadow, vec3, float, ivec2)
      gvec4 textureProjLod(gsampler2D, vec3, float)
      gvec4 textureProjLod(gsampler2D, vec4, float)
      gvec4 textureProjLod(gsampler3D, vec4, float)
      float textureProjLod(sampler2DShadow, vec4, float)
      gvec4 textureProjLodOffset(gsampler2D, vec3, float, ivec2)
      gvec4 textureProjLodOffset(gsampler2D, vec4, float, ivec2)
      gvec4 textureProjLodOffset(gsampler3D, vec4, float, ivec3)
      float textureProjLodOffset(sampler2DShadow, vec4, float, ivec2)
      gvec4 textureGrad(gsampler2D, vec2, vec2, vec2)
      gvec4 textureGrad(gsampler3D, vec3, vec3, vec3)
      gvec4 textureGrad(gsamplerCube, vec3, vec3, vec3)
      gvec4 textureGrad(gsampler2DArray, vec3, vec2, vec2)
      float textureGrad(sampler2DShadow, vec3, vec2, vec2)
      float textureGrad(samplerCubeShadow, vec4, vec3, vec3)
      float textureGrad(sampler2DArrayShadow, vec4, vec2, vec2)
      gvec4 textureGradOffset(gsampler2D, vec2, vec2, vec2, ivec2)
      gvec4 textureGradOffset(gsampler3D, vec3, vec3, vec3, ivec3)
      gvec4 textureGradOffset(gsampler2DArray, vec3, vec2, vec2, ivec2)
      float textureGradOffset(sampler2DShadow, vec3, vec2, vec2, ivec2)
      float textureGradOffset(sampler2DArrayShadow, vec4, vec2, vec2, ivec2)
      gvec4 textureProjGrad(gsampler2D, vec3, vec2, vec2)
      gvec4 textureProjGrad(gsampler2D, vec4, vec2, vec2)
      gvec4 textureProjGrad(gsampler3D, vec4, vec3, vec3)
      float textureProjGrad(sampler2DShadow, vec4, vec2, vec2)
      gvec4 textureProjGradOffset(gsampler2D, vec3, vec2, vec2, ivec2)
      gvec4 textureProjGradOffset(gsampler2D, vec4, vec2, vec2, ivec2)
      gvec4 textureProjGradOffset(gsampler3D, vec4, vec3, vec3, ivec3)
      float textureProjGradOffset(sampler2DShadow, vec4, vec2, vec2, ivec2)`,
  },
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
      extension: group.extension ?? null,
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
