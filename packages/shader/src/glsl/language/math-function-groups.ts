/** Built-in functions that compute: chapter 8 of the specifications without textures. */
import { BOTH_STAGES, FRAGMENT_STAGE, type FunctionGroup } from './function-group.ts';
import {
  ALL_VERSIONS,
  DESKTOP_VERSIONS,
  type GlslVersion,
  LATER_DESKTOP_VERSIONS,
} from './versions.ts';

const SINCE_120: readonly GlslVersion[] = [120, ...LATER_DESKTOP_VERSIONS, 300];
const LATER: readonly GlslVersion[] = [...LATER_DESKTOP_VERSIONS, 300];

/** Functions of all stages that compute, and derivatives. */
export const MATH_FUNCTION_GROUPS: readonly FunctionGroup[] = [
  {
    versions: ALL_VERSIONS,
    stages: BOTH_STAGES,
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
    stages: BOTH_STAGES,
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
    versions: LATER,
    stages: BOTH_STAGES,
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
      bvec lessThan(uvec, uvec)
      bvec lessThanEqual(uvec, uvec)
      bvec greaterThan(uvec, uvec)
      bvec greaterThanEqual(uvec, uvec)
      bvec equal(uvec, uvec)
      bvec notEqual(uvec, uvec)`,
  },
  {
    versions: [100],
    stages: FRAGMENT_STAGE,
    extensions: ['GL_OES_standard_derivatives'],
    isConstant: false,
    signatures: `
      genType dFdx(genType)
      genType dFdy(genType)
      genType fwidth(genType)`,
  },
  {
    versions: [...DESKTOP_VERSIONS, 300],
    stages: FRAGMENT_STAGE,
    isConstant: true,
    signatures: `
      genType dFdx(genType)
      genType dFdy(genType)
      genType fwidth(genType)`,
  },
  {
    versions: [300],
    stages: FRAGMENT_STAGE,
    extensions: ['GL_OES_shader_multisample_interpolation'],
    isConstant: false,
    signatures: `
      genType interpolateAtCentroid(genType)
      genType interpolateAtSample(genType, int)
      genType interpolateAtOffset(genType, vec2)`,
  },
  {
    versions: [300, 330],
    stages: BOTH_STAGES,
    isConstant: true,
    signatures: `
      genIType floatBitsToInt(genType)
      genUType floatBitsToUint(genType)
      genType intBitsToFloat(genIType)
      genType uintBitsToFloat(genUType)`,
  },
  {
    versions: [110, 120, 130, 140, 150],
    stages: BOTH_STAGES,
    extensions: ['GL_ARB_shader_bit_encoding'],
    isConstant: true,
    signatures: `
      genIType floatBitsToInt(genType)
      genUType floatBitsToUint(genType)
      genType intBitsToFloat(genIType)
      genType uintBitsToFloat(genUType)`,
  },
  {
    versions: [300],
    stages: BOTH_STAGES,
    isConstant: true,
    signatures: `
      uint packSnorm2x16(vec2)
      vec2 unpackSnorm2x16(uint)
      uint packUnorm2x16(vec2)
      vec2 unpackUnorm2x16(uint)
      uint packHalf2x16(vec2)
      vec2 unpackHalf2x16(uint)`,
  },
  {
    versions: [130, 140, 150, 330],
    stages: BOTH_STAGES,
    extensions: ['GL_ARB_shading_language_packing'],
    isConstant: true,
    signatures: `
      uint packSnorm2x16(vec2)
      vec2 unpackSnorm2x16(uint)
      uint packUnorm2x16(vec2)
      vec2 unpackUnorm2x16(uint)
      uint packSnorm4x8(vec4)
      vec4 unpackSnorm4x8(uint)
      uint packUnorm4x8(vec4)
      vec4 unpackUnorm4x8(uint)
      uint packHalf2x16(vec2)
      vec2 unpackHalf2x16(uint)`,
  },
  {
    versions: [140, 150, 330, 300],
    stages: BOTH_STAGES,
    isConstant: true,
    signatures: `
      float determinant(mat)
      mat inverse(mat)`,
  },
];
