/** Functions of GL_EXT_gpu_shader4, for desktop GLSL before and after 1.30. */
import { BOTH_STAGES, type FunctionGroup } from './function-group.ts';
import { DESKTOP_VERSIONS, EARLY_DESKTOP_VERSIONS } from './versions.ts';

/** Functions of GL_EXT_gpu_shader4. */
export const GPU_SHADER4_GROUPS: readonly FunctionGroup[] = [
  {
    versions: EARLY_DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_gpu_shader4'],
    isConstant: true,
    signatures: `
      genIType abs(genIType)
      genIType sign(genIType)
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
      genType truncate(genType)
      genType round(genType)
      bvec lessThan(uvec, uvec)
      bvec lessThanEqual(uvec, uvec)
      bvec greaterThan(uvec, uvec)
      bvec greaterThanEqual(uvec, uvec)
      bvec equal(uvec, uvec)
      bvec notEqual(uvec, uvec)`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: `
      ig4 texture1D(intsampler1D, float, [float])
      ig4 texture1DProj(intsampler1D, vec2, [float])
      ig4 texture1DProj(intsampler1D, vec4, [float])
      gvec4 texture1DGrad(gsampler1D, float, float, float)
      gvec4 texture1DProjGrad(gsampler1D, vec2, float, float)
      gvec4 texture1DProjGrad(gsampler1D, vec4, float, float)
      gvec4 texture1DOffset(gsampler1D, float, int, [float])
      gvec4 texture1DGradOffset(gsampler1D, float, float, float, int)
      gvec4 texture1DProjOffset(gsampler1D, vec2, int, [float])
      gvec4 texture1DProjGradOffset(gsampler1D, vec2, float, float, int)
      gvec4 texture1DProjOffset(gsampler1D, vec4, int, [float])
      gvec4 texture1DProjGradOffset(gsampler1D, vec4, float, float, int)
      ig4 texture2D(intsampler2D, vec2, [float])
      ig4 texture2DProj(intsampler2D, vec3, [float])
      ig4 texture2DProj(intsampler2D, vec4, [float])
      gvec4 texture2DGrad(gsampler2D, vec2, vec2, vec2)
      gvec4 texture2DProjGrad(gsampler2D, vec3, vec2, vec2)
      gvec4 texture2DProjGrad(gsampler2D, vec4, vec2, vec2)
      gvec4 texture2DOffset(gsampler2D, vec2, ivec2, [float])
      gvec4 texture2DGradOffset(gsampler2D, vec2, vec2, vec2, ivec2)
      gvec4 texture2DProjOffset(gsampler2D, vec3, ivec2, [float])
      gvec4 texture2DProjGradOffset(gsampler2D, vec3, vec2, vec2, ivec2)
      gvec4 texture2DProjOffset(gsampler2D, vec4, ivec2, [float])
      gvec4 texture2DProjGradOffset(gsampler2D, vec4, vec2, vec2, ivec2)
      ig4 texture3D(intsampler3D, vec3, [float])
      ig4 texture3DProj(intsampler3D, vec4, [float])
      gvec4 texture3DGrad(gsampler3D, vec3, vec3, vec3)
      gvec4 texture3DProjGrad(gsampler3D, vec4, vec3, vec3)
      gvec4 texture3DOffset(gsampler3D, vec3, ivec3, [float])
      gvec4 texture3DGradOffset(gsampler3D, vec3, vec3, vec3, ivec3)
      gvec4 texture3DProjOffset(gsampler3D, vec4, ivec3, [float])
      gvec4 texture3DProjGradOffset(gsampler3D, vec4, vec3, vec3, ivec3)
      ig4 texture2DRect(intsampler2DRect, vec2)
      ig4 texture2DRectProj(intsampler2DRect, vec3)
      ig4 texture2DRectProj(intsampler2DRect, vec4)
      gvec4 texture2DRectGrad(gsampler2DRect, vec2, vec2, vec2)
      gvec4 texture2DRectProjGrad(gsampler2DRect, vec3, vec2, vec2)
      gvec4 texture2DRectProjGrad(gsampler2DRect, vec4, vec2, vec2)
      gvec4 texture2DRectOffset(gsampler2DRect, vec2, ivec2)
      gvec4 texture2DRectGradOffset(gsampler2DRect, vec2, vec2, vec2, ivec2)
      gvec4 texture2DRectProjOffset(gsampler2DRect, vec3, ivec2)
      gvec4 texture2DRectProjGradOffset(gsampler2DRect, vec3, vec2, vec2, ivec2)
      gvec4 texture2DRectProjOffset(gsampler2DRect, vec4, ivec2)
      gvec4 texture2DRectProjGradOffset(gsampler2DRect, vec4, vec2, vec2, ivec2)
      ig4 texture1DArray(intsampler1DArray, vec2, [float])
      gvec4 texture1DArrayGrad(gsampler1DArray, vec2, float, float)
      gvec4 texture1DArrayOffset(gsampler1DArray, vec2, int, [float])
      gvec4 texture1DArrayGradOffset(gsampler1DArray, vec2, float, float, int)
      ig4 texture2DArray(intsampler2DArray, vec3, [float])
      gvec4 texture2DArrayGrad(gsampler2DArray, vec3, vec2, vec2)
      gvec4 texture2DArrayOffset(gsampler2DArray, vec3, ivec2, [float])
      gvec4 texture2DArrayGradOffset(gsampler2DArray, vec3, vec2, vec2, ivec2)
      ig4 textureCube(intsamplerCube, vec3, [float])
      gvec4 textureCubeGrad(gsamplerCube, vec3, vec3, vec3)`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: `
      ig4 texture1DLod(intsampler1D, float, float)
      ig4 texture1DProjLod(intsampler1D, vec2, float)
      ig4 texture1DProjLod(intsampler1D, vec4, float)
      gvec4 texture1DLodOffset(gsampler1D, float, float, int)
      gvec4 texture1DProjLodOffset(gsampler1D, vec2, float, int)
      gvec4 texture1DProjLodOffset(gsampler1D, vec4, float, int)
      ig4 texture2DLod(intsampler2D, vec2, float)
      ig4 texture2DProjLod(intsampler2D, vec3, float)
      ig4 texture2DProjLod(intsampler2D, vec4, float)
      gvec4 texture2DLodOffset(gsampler2D, vec2, float, ivec2)
      gvec4 texture2DProjLodOffset(gsampler2D, vec3, float, ivec2)
      gvec4 texture2DProjLodOffset(gsampler2D, vec4, float, ivec2)
      ig4 texture3DLod(intsampler3D, vec3, float)
      ig4 texture3DProjLod(intsampler3D, vec4, float)
      gvec4 texture3DLodOffset(gsampler3D, vec3, float, ivec3)
      gvec4 texture3DProjLodOffset(gsampler3D, vec4, float, ivec3)
      ig4 texture1DArrayLod(intsampler1DArray, vec2, float)
      gvec4 texture1DArrayLodOffset(gsampler1DArray, vec2, float, int)
      ig4 texture2DArrayLod(intsampler2DArray, vec3, float)
      gvec4 texture2DArrayLodOffset(gsampler2DArray, vec3, float, ivec2)
      ig4 textureCubeLod(intsamplerCube, vec3, float)`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: `
      vec4 shadow1DOffset(sampler1DShadow, vec3, int, [float])
      vec4 shadow1DGrad(sampler1DShadow, vec3, float, float)
      vec4 shadow1DGradOffset(sampler1DShadow, vec3, float, float, int)
      vec4 shadow1DProjOffset(sampler1DShadow, vec4, int, [float])
      vec4 shadow1DProjGrad(sampler1DShadow, vec4, float, float)
      vec4 shadow1DProjGradOffset(sampler1DShadow, vec4, float, float, int)
      vec4 shadow1DLodOffset(sampler1DShadow, vec3, float, int)
      vec4 shadow1DProjLodOffset(sampler1DShadow, vec4, float, int)
      vec4 shadow2DOffset(sampler2DShadow, vec3, ivec2, [float])
      vec4 shadow2DGrad(sampler2DShadow, vec3, vec2, vec2)
      vec4 shadow2DGradOffset(sampler2DShadow, vec3, vec2, vec2, ivec2)
      vec4 shadow2DProjOffset(sampler2DShadow, vec4, ivec2, [float])
      vec4 shadow2DProjGrad(sampler2DShadow, vec4, vec2, vec2)
      vec4 shadow2DProjGradOffset(sampler2DShadow, vec4, vec2, vec2, ivec2)
      vec4 shadow2DLodOffset(sampler2DShadow, vec3, float, ivec2)
      vec4 shadow2DProjLodOffset(sampler2DShadow, vec4, float, ivec2)
      vec4 shadow2DRectOffset(sampler2DRectShadow, vec3, ivec2)
      vec4 shadow2DRectGrad(sampler2DRectShadow, vec3, vec2, vec2)
      vec4 shadow2DRectGradOffset(sampler2DRectShadow, vec3, vec2, vec2, ivec2)
      vec4 shadow2DRectProjOffset(sampler2DRectShadow, vec4, ivec2)
      vec4 shadow2DRectProjGrad(sampler2DRectShadow, vec4, vec2, vec2)
      vec4 shadow2DRectProjGradOffset(sampler2DRectShadow, vec4, vec2, vec2, ivec2)
      vec4 shadow1DArrayOffset(sampler1DArrayShadow, vec3, int, [float])
      vec4 shadow1DArrayGrad(sampler1DArrayShadow, vec3, float, float)
      vec4 shadow1DArrayGradOffset(sampler1DArrayShadow, vec3, float, float, int)
      vec4 shadow1DArrayLodOffset(sampler1DArrayShadow, vec3, float, int)
      vec4 shadow2DArrayOffset(sampler2DArrayShadow, vec4, ivec2)
      vec4 shadow2DArrayGrad(sampler2DArrayShadow, vec4, vec2, vec2)
      vec4 shadow2DArrayGradOffset(sampler2DArrayShadow, vec4, vec2, vec2, ivec2)
      vec4 shadowCube(samplerCubeShadow, vec4)`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    extensions: ['GL_EXT_gpu_shader4'],
    isConstant: false,
    signatures: `
      gvec4 texelFetch1D(gsampler1D, int, int)
      gvec4 texelFetch1DOffset(gsampler1D, int, int, int)
      int textureSize1D(gsampler1D, int)
      gvec4 texelFetch2D(gsampler2D, ivec2, int)
      gvec4 texelFetch2DOffset(gsampler2D, ivec2, int, ivec2)
      ivec2 textureSize2D(gsampler2D, int)
      gvec4 texelFetch3D(gsampler3D, ivec3, int)
      gvec4 texelFetch3DOffset(gsampler3D, ivec3, int, ivec3)
      ivec3 textureSize3D(gsampler3D, int)
      gvec4 texelFetch2DRect(gsampler2DRect, ivec2)
      gvec4 texelFetch2DRectOffset(gsampler2DRect, ivec2, ivec2)
      ivec2 textureSize2DRect(gsampler2DRect)
      gvec4 texelFetch1DArray(gsampler1DArray, ivec2, int)
      gvec4 texelFetch1DArrayOffset(gsampler1DArray, ivec2, int, int)
      ivec2 textureSize1DArray(gsampler1DArray, int)
      gvec4 texelFetch2DArray(gsampler2DArray, ivec3, int)
      gvec4 texelFetch2DArrayOffset(gsampler2DArray, ivec3, int, ivec2)
      ivec3 textureSize2DArray(gsampler2DArray, int)
      ivec2 textureSizeCube(gsamplerCube, int)`,
  },
];
