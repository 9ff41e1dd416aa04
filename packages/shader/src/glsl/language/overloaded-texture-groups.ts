/**
 * Texture functions that are overloaded by the sampler, such as `textureProjLod`: GLSL ES 3.00 and
 * desktop GLSL from 1.30.
 */
import { BOTH_STAGES, type FunctionGroup } from './function-group.ts';
import { type GlslVersion, LATER_DESKTOP_VERSIONS } from './versions.ts';

const LATER: readonly GlslVersion[] = [...LATER_DESKTOP_VERSIONS, 300];

/** Texture functions that are overloaded by the sampler. */
export const OVERLOADED_TEXTURE_GROUPS: readonly FunctionGroup[] = [
  {
    versions: LATER,
    stages: BOTH_STAGES,
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
  {
    versions: LATER_DESKTOP_VERSIONS,
    stages: BOTH_STAGES,
    isConstant: false,
    signatures: `
      int textureSize(gsampler1D, int)
      int textureSize(sampler1DShadow, int)
      ivec2 textureSize(gsampler1DArray, int)
      ivec2 textureSize(sampler1DArrayShadow, int)
      gvec4 texture(gsampler1D, float, [float])
      gvec4 texture(gsampler1DArray, vec2, [float])
      float texture(sampler1DShadow, vec3, [float])
      float texture(sampler1DArrayShadow, vec3, [float])
      gvec4 textureProj(gsampler1D, vec2, [float])
      gvec4 textureProj(gsampler1D, vec4, [float])
      float textureProj(sampler1DShadow, vec4, [float])
      gvec4 textureLod(gsampler1D, float, float)
      gvec4 textureLod(gsampler1DArray, vec2, float)
      float textureLod(sampler1DShadow, vec3, float)
      float textureLod(sampler1DArrayShadow, vec3, float)
      gvec4 textureOffset(gsampler1D, float, int, [float])
      gvec4 textureOffset(gsampler1DArray, vec2, int, [float])
      float textureOffset(sampler1DShadow, vec3, int, [float])
      float textureOffset(sampler1DArrayShadow, vec3, int, [float])
      float textureOffset(sampler2DArrayShadow, vec4, ivec2)
      gvec4 texelFetch(gsampler1D, int, int)
      gvec4 texelFetch(gsampler1DArray, ivec2, int)
      gvec4 texelFetchOffset(gsampler1D, int, int, int)
      gvec4 texelFetchOffset(gsampler1DArray, ivec2, int, int)
      gvec4 textureProjOffset(gsampler1D, vec2, int, [float])
      gvec4 textureProjOffset(gsampler1D, vec4, int, [float])
      float textureProjOffset(sampler1DShadow, vec4, int, [float])
      gvec4 textureLodOffset(gsampler1D, float, float, int)
      gvec4 textureLodOffset(gsampler1DArray, vec2, float, int)
      float textureLodOffset(sampler1DShadow, vec3, float, int)
      float textureLodOffset(sampler1DArrayShadow, vec3, float, int)
      gvec4 textureProjLod(gsampler1D, vec2, float)
      gvec4 textureProjLod(gsampler1D, vec4, float)
      float textureProjLod(sampler1DShadow, vec4, float)
      gvec4 textureProjLodOffset(gsampler1D, vec2, float, int)
      gvec4 textureProjLodOffset(gsampler1D, vec4, float, int)
      float textureProjLodOffset(sampler1DShadow, vec4, float, int)
      gvec4 textureGrad(gsampler1D, float, float, float)
      gvec4 textureGrad(gsampler1DArray, vec2, float, float)
      float textureGrad(sampler1DShadow, vec3, float, float)
      float textureGrad(sampler1DArrayShadow, vec3, float, float)
      gvec4 textureGradOffset(gsampler1D, float, float, float, int)
      gvec4 textureGradOffset(gsampler1DArray, vec2, float, float, int)
      float textureGradOffset(sampler1DShadow, vec3, float, float, int)
      float textureGradOffset(sampler1DArrayShadow, vec3, float, float, int)
      gvec4 textureProjGrad(gsampler1D, vec2, float, float)
      gvec4 textureProjGrad(gsampler1D, vec4, float, float)
      float textureProjGrad(sampler1DShadow, vec4, float, float)
      gvec4 textureProjGradOffset(gsampler1D, vec2, float, float, int)
      gvec4 textureProjGradOffset(gsampler1D, vec4, float, float, int)
      float textureProjGradOffset(sampler1DShadow, vec4, float, float, int)`,
  },
  {
    versions: [140, 150, 330],
    stages: BOTH_STAGES,
    isConstant: false,
    signatures: `
      int textureSize(gsamplerBuffer)
      gvec4 texelFetch(gsamplerBuffer, int)
      ivec2 textureSize(gsampler2DRect)
      ivec2 textureSize(sampler2DRectShadow)
      gvec4 texture(gsampler2DRect, vec2)
      float texture(sampler2DRectShadow, vec3)
      gvec4 textureProj(gsampler2DRect, vec3)
      gvec4 textureProj(gsampler2DRect, vec4)
      float textureProj(sampler2DRectShadow, vec4)
      gvec4 textureOffset(gsampler2DRect, vec2, ivec2)
      float textureOffset(sampler2DRectShadow, vec3, ivec2)
      gvec4 texelFetch(gsampler2DRect, ivec2)
      gvec4 texelFetchOffset(gsampler2DRect, ivec2, ivec2)
      gvec4 textureProjOffset(gsampler2DRect, vec3, ivec2)
      gvec4 textureProjOffset(gsampler2DRect, vec4, ivec2)
      float textureProjOffset(sampler2DRectShadow, vec4, ivec2)
      gvec4 textureGrad(gsampler2DRect, vec2, vec2, vec2)
      float textureGrad(sampler2DRectShadow, vec3, vec2, vec2)
      gvec4 textureGradOffset(gsampler2DRect, vec2, vec2, vec2, ivec2)
      float textureGradOffset(sampler2DRectShadow, vec3, vec2, vec2, ivec2)
      gvec4 textureProjGrad(gsampler2DRect, vec3, vec2, vec2)
      gvec4 textureProjGrad(gsampler2DRect, vec4, vec2, vec2)
      float textureProjGrad(sampler2DRectShadow, vec4, vec2, vec2)
      gvec4 textureProjGradOffset(gsampler2DRect, vec3, vec2, vec2, ivec2)
      gvec4 textureProjGradOffset(gsampler2DRect, vec4, vec2, vec2, ivec2)
      float textureProjGradOffset(sampler2DRectShadow, vec4, vec2, vec2, ivec2)`,
  },
  {
    versions: [130],
    stages: BOTH_STAGES,
    extensions: ['GL_ARB_texture_rectangle'],
    isConstant: false,
    signatures: `
      ivec2 textureSize(gsampler2DRect)
      ivec2 textureSize(sampler2DRectShadow)
      gvec4 texture(gsampler2DRect, vec2)
      float texture(sampler2DRectShadow, vec3)
      gvec4 textureProj(gsampler2DRect, vec3)
      gvec4 textureProj(gsampler2DRect, vec4)
      float textureProj(sampler2DRectShadow, vec4)
      gvec4 textureOffset(gsampler2DRect, vec2, ivec2)
      float textureOffset(sampler2DRectShadow, vec3, ivec2)
      gvec4 texelFetch(gsampler2DRect, ivec2)
      gvec4 texelFetchOffset(gsampler2DRect, ivec2, ivec2)
      gvec4 textureProjOffset(gsampler2DRect, vec3, ivec2)
      gvec4 textureProjOffset(gsampler2DRect, vec4, ivec2)
      float textureProjOffset(sampler2DRectShadow, vec4, ivec2)
      gvec4 textureGrad(gsampler2DRect, vec2, vec2, vec2)
      float textureGrad(sampler2DRectShadow, vec3, vec2, vec2)
      gvec4 textureGradOffset(gsampler2DRect, vec2, vec2, vec2, ivec2)
      float textureGradOffset(sampler2DRectShadow, vec3, vec2, vec2, ivec2)
      gvec4 textureProjGrad(gsampler2DRect, vec3, vec2, vec2)
      gvec4 textureProjGrad(gsampler2DRect, vec4, vec2, vec2)
      float textureProjGrad(sampler2DRectShadow, vec4, vec2, vec2)
      gvec4 textureProjGradOffset(gsampler2DRect, vec3, vec2, vec2, ivec2)
      gvec4 textureProjGradOffset(gsampler2DRect, vec4, vec2, vec2, ivec2)
      float textureProjGradOffset(sampler2DRectShadow, vec4, vec2, vec2, ivec2)`,
  },
];
