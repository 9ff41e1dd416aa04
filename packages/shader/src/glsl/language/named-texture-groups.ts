/**
 * Texture functions that name the kind of the texture, such as `texture2DProjLod`: GLSL ES 1.00,
 * GLSL 1.10 to 1.20 with extensions, and the compatibility profile.
 */
import { BOTH_STAGES, FRAGMENT_STAGE, type FunctionGroup, VERTEX_STAGE } from './function-group.ts';
import {
  DESKTOP_VERSIONS,
  EARLY_DESKTOP_VERSIONS,
  type GlslVersion,
  LATER_DESKTOP_VERSIONS,
} from './versions.ts';

const BEFORE_300: readonly GlslVersion[] = [100, ...DESKTOP_VERSIONS];

/** Lookups with an explicit level, which early versions have in vertex shaders only. */
const EXPLICIT_LEVELS = `
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
      vec4 shadow2DProjLod(sampler2DShadow, vec4, float)`;

/** Texture functions that name the kind of the texture. */
export const NAMED_TEXTURE_GROUPS: readonly FunctionGroup[] = [
  {
    versions: BEFORE_300,
    stages: BOTH_STAGES,
    isConstant: false,
    signatures: `
      vec4 texture2D(sampler2D, vec2, [float])
      vec4 texture2DProj(sampler2D, vec3, [float])
      vec4 texture2DProj(sampler2D, vec4, [float])
      vec4 textureCube(samplerCube, vec3, [float])`,
  },
  {
    versions: BEFORE_300,
    stages: VERTEX_STAGE,
    isConstant: false,
    signatures: `
      vec4 texture2DLod(sampler2D, vec2, float)
      vec4 texture2DProjLod(sampler2D, vec3, float)
      vec4 texture2DProjLod(sampler2D, vec4, float)
      vec4 textureCubeLod(samplerCube, vec3, float)`,
  },
  {
    versions: [100],
    stages: FRAGMENT_STAGE,
    extensions: ['GL_EXT_shader_texture_lod'],
    isConstant: false,
    signatures: `
      vec4 texture2DLodEXT(sampler2D, vec2, float)
      vec4 texture2DProjLodEXT(sampler2D, vec3, float)
      vec4 texture2DProjLodEXT(sampler2D, vec4, float)
      vec4 textureCubeLodEXT(samplerCube, vec3, float)`,
  },
  {
    versions: [100],
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_shader_texture_lod'],
    isConstant: false,
    signatures: `
      vec4 texture2DGradEXT(sampler2D, vec2, vec2, vec2)
      vec4 texture2DProjGradEXT(sampler2D, vec3, vec2, vec2)
      vec4 texture2DProjGradEXT(sampler2D, vec4, vec2, vec2)
      vec4 textureCubeGradEXT(samplerCube, vec3, vec3, vec3)`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: VERTEX_STAGE,
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
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
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
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_ARB_texture_rectangle', 'GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: `
      vec4 texture2DRect(sampler2DRect, vec2)
      vec4 texture2DRectProj(sampler2DRect, vec3)
      vec4 texture2DRectProj(sampler2DRect, vec4)
      vec4 shadow2DRect(sampler2DRectShadow, vec3)
      vec4 shadow2DRectProj(sampler2DRectShadow, vec4)`,
  },
  {
    versions: EARLY_DESKTOP_VERSIONS,
    stages: FRAGMENT_STAGE,
    extensions: ['GL_ARB_shader_texture_lod', 'GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: EXPLICIT_LEVELS,
  },
  {
    versions: LATER_DESKTOP_VERSIONS,
    stages: FRAGMENT_STAGE,
    isConstant: false,
    signatures: EXPLICIT_LEVELS,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_ARB_shader_texture_lod'],
    isConstant: false,
    signatures: `
      vec4 texture1DGradARB(sampler1D, float, float, float)
      vec4 texture1DProjGradARB(sampler1D, vec2, float, float)
      vec4 texture1DProjGradARB(sampler1D, vec4, float, float)
      vec4 texture2DGradARB(sampler2D, vec2, vec2, vec2)
      vec4 texture2DProjGradARB(sampler2D, vec3, vec2, vec2)
      vec4 texture2DProjGradARB(sampler2D, vec4, vec2, vec2)
      vec4 texture3DGradARB(sampler3D, vec3, vec3, vec3)
      vec4 texture3DProjGradARB(sampler3D, vec4, vec3, vec3)
      vec4 textureCubeGradARB(samplerCube, vec3, vec3, vec3)
      vec4 texture2DRectGradARB(sampler2DRect, vec2, vec2, vec2)
      vec4 texture2DRectProjGradARB(sampler2DRect, vec3, vec2, vec2)
      vec4 texture2DRectProjGradARB(sampler2DRect, vec4, vec2, vec2)
      vec4 shadow1DGradARB(sampler1DShadow, vec3, float, float)
      vec4 shadow1DProjGradARB(sampler1DShadow, vec4, float, float)
      vec4 shadow2DGradARB(sampler2DShadow, vec3, vec2, vec2)
      vec4 shadow2DProjGradARB(sampler2DShadow, vec4, vec2, vec2)
      vec4 shadow2DRectGradARB(sampler2DRectShadow, vec3, vec2, vec2)
      vec4 shadow2DRectProjGradARB(sampler2DRectShadow, vec4, vec2, vec2)`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_texture_array', 'GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: `
      vec4 texture1DArray(sampler1DArray, vec2, [float])
      vec4 texture2DArray(sampler2DArray, vec3, [float])
      vec4 shadow1DArray(sampler1DArrayShadow, vec3, [float])
      vec4 shadow2DArray(sampler2DArrayShadow, vec4)`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_texture_array', 'GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: `
      vec4 texture1DArrayLod(sampler1DArray, vec2, float)
      vec4 texture2DArrayLod(sampler2DArray, vec3, float)
      vec4 shadow1DArrayLod(sampler1DArrayShadow, vec3, float)`,
  },
];
