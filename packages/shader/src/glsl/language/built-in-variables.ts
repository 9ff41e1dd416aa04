/**
 * Built-in variables, constants and uniform state (chapter 7 of GLSL ES 1.00 and 3.00, GLSL 1.10
 * to 3.30) as tables: one per line, `[readonly|constant] [precision] type name[length]`.
 */
import type { ShaderStage } from '../../tree/checked-tree.ts';
import { arrayType, TYPES_BY_NAME, typeNamed } from '../../tree/type-rules.ts';
import type { GlslType, Precision, StructField } from '../../tree/types.ts';
import type { ExtensionName } from './extensions.ts';
import type { ShaderLimits } from './limits.ts';
import {
  ALL_VERSIONS,
  DESKTOP_VERSIONS,
  EARLY_DESKTOP_VERSIONS,
  type GlslVersion,
  isEsVersion,
  LATER_DESKTOP_VERSIONS,
} from './versions.ts';

/** Built-in variable before a shader uses it. */
export interface BuiltInVariable {
  readonly name: string;
  readonly type: GlslType;
  readonly precision: Precision | null;
  readonly isReadOnly: boolean;
  /** Value of a `gl_Max…` constant, else null. */
  readonly value: readonly number[] | null;
  /** Extensions of which one has to be enabled; none for a variable of the core. */
  readonly extensions: readonly ExtensionName[];
}

interface VariableGroup {
  readonly versions: readonly GlslVersion[];
  readonly stages: readonly ShaderStage[];
  readonly extensions?: readonly ExtensionName[];
  readonly lines: string;
}

const ES: readonly GlslVersion[] = [100, 300];
const BOTH: readonly ShaderStage[] = ['vertex', 'fragment'];
const VERTEX: readonly ShaderStage[] = ['vertex'];
const FRAGMENT: readonly ShaderStage[] = ['fragment'];

function struct(name: string, members: string, precision: Precision | null = null): GlslType {
  const fields = members
    .trim()
    .split(/\s*;\s*/)
    .filter((member) => member !== '')
    .map((member): StructField => {
      const [type, field] = member.split(' ');
      return { name: field!, type: typeNamed(type!), precision };
    });
  return { kind: 'struct', name, fields };
}

const DEPTH_RANGE = struct('gl_DepthRangeParameters', 'float near; float far; float diff', 'highp');
const DEPTH_RANGE_DESKTOP = struct('gl_DepthRangeParameters', 'float near; float far; float diff');
const MATERIAL = struct(
  'gl_MaterialParameters',
  'vec4 emission; vec4 ambient; vec4 diffuse; vec4 specular; float shininess',
);
const LIGHT_SOURCE = struct(
  'gl_LightSourceParameters',
  `vec4 ambient; vec4 diffuse; vec4 specular; vec4 position; vec4 halfVector; vec3 spotDirection;
   float spotExponent; float spotCutoff; float spotCosCutoff; float constantAttenuation;
   float linearAttenuation; float quadraticAttenuation`,
);
const LIGHT_MODEL = struct('gl_LightModelParameters', 'vec4 ambient');
const LIGHT_MODEL_PRODUCTS = struct('gl_LightModelProducts', 'vec4 sceneColor');
const LIGHT_PRODUCTS = struct('gl_LightProducts', 'vec4 ambient; vec4 diffuse; vec4 specular');
const POINT = struct(
  'gl_PointParameters',
  `float size; float sizeMin; float sizeMax; float fadeThresholdSize;
   float distanceConstantAttenuation; float distanceLinearAttenuation;
   float distanceQuadraticAttenuation`,
);
const FOG = struct(
  'gl_FogParameters',
  'vec4 color; float density; float start; float end; float scale',
);

const DESKTOP_STRUCTS: readonly GlslType[] = [
  DEPTH_RANGE_DESKTOP,
  MATERIAL,
  LIGHT_SOURCE,
  LIGHT_MODEL,
  LIGHT_MODEL_PRODUCTS,
  LIGHT_PRODUCTS,
  POINT,
  FOG,
];

const MATRIX_STATE = ['ModelView', 'Projection', 'ModelViewProjection', 'Texture']
  .flatMap((name) =>
    ['', 'Inverse', 'Transpose', 'InverseTranspose'].map(
      (form) =>
        `readonly mat4 gl_${name}Matrix${form}${name === 'Texture' ? '[gl_MaxTextureCoords]' : ''}`,
    ),
  )
  .join('\n');
const TEXGEN_STATE = ['Eye', 'Object']
  .flatMap((space) =>
    ['S', 'T', 'R', 'Q'].map(
      (axis) => `readonly vec4 gl_${space}Plane${axis}[gl_MaxTextureCoords]`,
    ),
  )
  .join('\n');
const MULTI_TEX_COORDS = [0, 1, 2, 3, 4, 5, 6, 7]
  .map((unit) => `readonly vec4 gl_MultiTexCoord${unit}`)
  .join('\n');

const GROUPS: readonly VariableGroup[] = [
  {
    versions: ES,
    stages: BOTH,
    lines: `
      constant mediump int gl_MaxVertexAttribs
      constant mediump int gl_MaxVertexUniformVectors
      constant mediump int gl_MaxVertexTextureImageUnits
      constant mediump int gl_MaxCombinedTextureImageUnits
      constant mediump int gl_MaxTextureImageUnits
      constant mediump int gl_MaxFragmentUniformVectors
      constant mediump int gl_MaxDrawBuffers
      readonly gl_DepthRangeParameters gl_DepthRange`,
  },
  { versions: [100], stages: BOTH, lines: 'constant mediump int gl_MaxVaryingVectors' },
  {
    versions: [300],
    stages: BOTH,
    lines: `
      constant mediump int gl_MaxVertexOutputVectors
      constant mediump int gl_MaxFragmentInputVectors
      constant mediump int gl_MinProgramTexelOffset
      constant mediump int gl_MaxProgramTexelOffset`,
  },
  {
    versions: ALL_VERSIONS,
    stages: VERTEX,
    lines: `
      highp vec4 gl_Position
      mediump float gl_PointSize`,
  },
  {
    versions: [140, 150, 300, 330],
    stages: VERTEX,
    lines: `
      readonly highp int gl_VertexID
      readonly highp int gl_InstanceID`,
  },
  { versions: [130], stages: VERTEX, lines: 'readonly int gl_VertexID' },
  {
    versions: ES,
    stages: VERTEX,
    extensions: ['GL_ANGLE_multi_draw'],
    lines: 'readonly highp int gl_DrawID',
  },
  {
    versions: [300],
    stages: BOTH,
    extensions: ['GL_OVR_multiview2'],
    lines: 'readonly highp uint gl_ViewID_OVR',
  },
  {
    versions: EARLY_DESKTOP_VERSIONS,
    stages: VERTEX,
    extensions: ['GL_EXT_gpu_shader4'],
    lines: 'readonly int gl_VertexID',
  },
  {
    versions: [110, 120, 130],
    stages: VERTEX,
    extensions: ['GL_EXT_gpu_shader4', 'GL_ARB_draw_instanced'],
    lines: 'readonly int gl_InstanceID',
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: VERTEX,
    extensions: ['GL_ARB_draw_instanced'],
    lines: 'readonly int gl_InstanceIDARB',
  },
  {
    versions: [300],
    stages: VERTEX,
    extensions: ['GL_ANGLE_clip_cull_distance'],
    lines: `
      highp float gl_ClipDistance[]
      highp float gl_CullDistance[]`,
  },
  {
    versions: [300],
    stages: FRAGMENT,
    extensions: ['GL_ANGLE_clip_cull_distance'],
    lines: `
      readonly highp float gl_ClipDistance[]
      readonly highp float gl_CullDistance[]`,
  },
  {
    versions: [300],
    stages: BOTH,
    extensions: ['GL_ANGLE_clip_cull_distance'],
    lines: `
      constant mediump int gl_MaxClipDistances
      constant mediump int gl_MaxCullDistances
      constant mediump int gl_MaxCombinedClipAndCullDistances`,
  },
  {
    versions: [300],
    stages: FRAGMENT,
    extensions: ['GL_OES_sample_variables'],
    lines: `
      readonly lowp int gl_SampleID
      readonly mediump vec2 gl_SamplePosition
      readonly highp int gl_SampleMaskIn[sampleMaskWords]
      highp int gl_SampleMask[sampleMaskWords]`,
  },
  {
    versions: [300],
    stages: BOTH,
    extensions: ['GL_OES_sample_variables'],
    lines: `
      constant mediump int gl_MaxSamples
      readonly lowp int gl_NumSamples`,
  },
  { versions: LATER_DESKTOP_VERSIONS, stages: VERTEX, lines: 'float gl_ClipDistance[]' },
  {
    versions: LATER_DESKTOP_VERSIONS,
    stages: FRAGMENT,
    lines: 'readonly float gl_ClipDistance[]',
  },
  {
    versions: [100],
    stages: FRAGMENT,
    lines: `
      readonly mediump vec4 gl_FragCoord
      readonly bool gl_FrontFacing
      readonly mediump vec2 gl_PointCoord
      mediump vec4 gl_FragColor
      mediump vec4 gl_FragData[drawBufferCount]`,
  },
  {
    versions: [100],
    stages: FRAGMENT,
    extensions: ['GL_EXT_frag_depth'],
    lines: 'highp float gl_FragDepthEXT',
  },
  {
    versions: [100],
    stages: FRAGMENT,
    extensions: ['GL_EXT_blend_func_extended'],
    lines: `
      mediump vec4 gl_SecondaryFragColorEXT
      mediump vec4 gl_SecondaryFragDataEXT[gl_MaxDualSourceDrawBuffersEXT]`,
  },
  {
    versions: [100, 300],
    stages: BOTH,
    extensions: ['GL_EXT_blend_func_extended'],
    lines: 'constant mediump int gl_MaxDualSourceDrawBuffersEXT',
  },
  {
    versions: [300],
    stages: FRAGMENT,
    lines: `
      readonly highp vec4 gl_FragCoord
      readonly bool gl_FrontFacing
      readonly mediump vec2 gl_PointCoord
      highp float gl_FragDepth`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: FRAGMENT,
    lines: `
      readonly vec4 gl_FragCoord
      readonly bool gl_FrontFacing
      vec4 gl_FragColor
      vec4 gl_FragData[gl_MaxDrawBuffers]
      float gl_FragDepth
      readonly vec4 gl_Color
      readonly vec4 gl_SecondaryColor
      readonly vec4 gl_TexCoord[]
      readonly float gl_FogFragCoord`,
  },
  {
    versions: [120, ...LATER_DESKTOP_VERSIONS],
    stages: FRAGMENT,
    lines: 'readonly vec2 gl_PointCoord',
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: FRAGMENT,
    extensions: ['GL_TESSERA_shape'],
    lines: 'readonly vec4 gl_ShapeTESSERA',
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: VERTEX,
    lines: `
      vec4 gl_ClipVertex
      readonly vec4 gl_Color
      readonly vec4 gl_SecondaryColor
      readonly vec3 gl_Normal
      readonly vec4 gl_Vertex
      readonly float gl_FogCoord
      ${MULTI_TEX_COORDS}
      vec4 gl_FrontColor
      vec4 gl_BackColor
      vec4 gl_FrontSecondaryColor
      vec4 gl_BackSecondaryColor
      vec4 gl_TexCoord[]
      float gl_FogFragCoord`,
  },
  {
    versions: LATER_DESKTOP_VERSIONS,
    stages: BOTH,
    lines: `
      constant int gl_MaxClipDistances
      constant int gl_MaxVaryingComponents
      constant int gl_MinProgramTexelOffset
      constant int gl_MaxProgramTexelOffset`,
  },
  {
    versions: [150, 330],
    stages: BOTH,
    lines: `
      constant int gl_MaxVertexOutputComponents
      constant int gl_MaxFragmentInputComponents`,
  },
  {
    versions: EARLY_DESKTOP_VERSIONS,
    stages: BOTH,
    extensions: ['GL_EXT_gpu_shader4'],
    lines: `
      constant int gl_MinProgramTexelOffsetEXT
      constant int gl_MaxProgramTexelOffsetEXT`,
  },
  {
    versions: DESKTOP_VERSIONS,
    stages: BOTH,
    lines: `
      constant int gl_MaxLights
      constant int gl_MaxClipPlanes
      constant int gl_MaxTextureUnits
      constant int gl_MaxTextureCoords
      constant int gl_MaxVertexAttribs
      constant int gl_MaxVertexUniformComponents
      constant int gl_MaxVaryingFloats
      constant int gl_MaxVertexTextureImageUnits
      constant int gl_MaxCombinedTextureImageUnits
      constant int gl_MaxTextureImageUnits
      constant int gl_MaxFragmentUniformComponents
      constant int gl_MaxDrawBuffers
      ${MATRIX_STATE}
      readonly mat3 gl_NormalMatrix
      readonly float gl_NormalScale
      readonly gl_DepthRangeParameters gl_DepthRange
      readonly vec4 gl_ClipPlane[gl_MaxClipPlanes]
      readonly gl_PointParameters gl_Point
      readonly gl_MaterialParameters gl_FrontMaterial
      readonly gl_MaterialParameters gl_BackMaterial
      readonly gl_LightSourceParameters gl_LightSource[gl_MaxLights]
      readonly gl_LightModelParameters gl_LightModel
      readonly gl_LightModelProducts gl_FrontLightModelProduct
      readonly gl_LightModelProducts gl_BackLightModelProduct
      readonly gl_LightProducts gl_FrontLightProduct[gl_MaxLights]
      readonly gl_LightProducts gl_BackLightProduct[gl_MaxLights]
      readonly vec4 gl_TextureEnvColor[gl_MaxTextureUnits]
      ${TEXGEN_STATE}
      readonly gl_FogParameters gl_Fog`,
  },
];

/** Returns the values of the `gl_Max…` constants. */
function constantValues(limits: ShaderLimits): Readonly<Record<string, number>> {
  return {
    gl_MaxVertexAttribs: limits.maxVertexAttribs,
    gl_MaxVertexUniformVectors: limits.maxVertexUniformVectors,
    gl_MaxVertexUniformComponents: limits.maxVertexUniformVectors * 4,
    gl_MaxVaryingVectors: limits.maxVaryingVectors,
    gl_MaxVaryingFloats: limits.maxVaryingVectors * 4,
    // One of the vertex output vectors is gl_Position.
    gl_MaxVertexOutputVectors: limits.maxVaryingVectors + 1,
    gl_MaxFragmentInputVectors: limits.maxVaryingVectors,
    gl_MaxVertexTextureImageUnits: limits.maxVertexTextureImageUnits,
    gl_MaxCombinedTextureImageUnits: limits.maxCombinedTextureImageUnits,
    gl_MaxTextureImageUnits: limits.maxTextureImageUnits,
    gl_MaxFragmentUniformVectors: limits.maxFragmentUniformVectors,
    gl_MaxFragmentUniformComponents: limits.maxFragmentUniformVectors * 4,
    gl_MaxDrawBuffers: limits.maxDrawBuffers,
    gl_MinProgramTexelOffset: limits.minProgramTexelOffset,
    gl_MaxProgramTexelOffset: limits.maxProgramTexelOffset,
    gl_MinProgramTexelOffsetEXT: limits.minProgramTexelOffset,
    gl_MaxProgramTexelOffsetEXT: limits.maxProgramTexelOffset,
    gl_MaxVaryingComponents: limits.maxVaryingVectors * 4,
    gl_MaxVertexOutputComponents: limits.maxVaryingVectors * 4,
    gl_MaxFragmentInputComponents: limits.maxVaryingVectors * 4,
    gl_MaxClipDistances: limits.maxClipDistances,
    gl_MaxCullDistances: limits.maxCullDistances,
    gl_MaxCombinedClipAndCullDistances: limits.maxCombinedClipAndCullDistances,
    gl_MaxSamples: limits.maxSamples,
    gl_MaxDualSourceDrawBuffersEXT: limits.maxDualSourceDrawBuffers,
    gl_MaxLights: limits.maxLights,
    gl_MaxClipPlanes: limits.maxClipPlanes,
    gl_MaxTextureUnits: limits.maxTextureUnits,
    gl_MaxTextureCoords: limits.maxTextureCoords,
  };
}

/** Returns the struct types that the language itself declares. */
export function builtInStructs(version: GlslVersion): readonly GlslType[] {
  return isEsVersion(version) ? [DEPTH_RANGE] : DESKTOP_STRUCTS;
}

function parseLine(
  line: string,
  version: GlslVersion,
  values: Readonly<Record<string, number>>,
  extensions: readonly ExtensionName[],
): BuiltInVariable {
  const match =
    /^(?:(readonly|constant) )?(?:(lowp|mediump|highp) )?(\w+) (\w+)(?:\[(\w*)\])?$/.exec(line);
  if (match === null) throw new Error(`built-in variable: cannot parse '${line}'`);
  const [, access, precision, typeText, name, length] = match;
  const element =
    TYPES_BY_NAME.get(typeText!) ??
    builtInStructs(version).find((type) => type.kind === 'struct' && type.name === typeText);
  if (element === undefined)
    throw new Error(`built-in variable ${name}: type ${typeText} does not exist`);
  const isEs = isEsVersion(version);
  return {
    name: name!,
    type: length === undefined ? element : arrayType(element, values[length] ?? 0),
    precision: isEs && element !== TYPES_BY_NAME.get('bool') ? toPrecision(precision) : null,
    isReadOnly: access !== undefined,
    value: access === 'constant' ? [values[name!]!] : null,
    extensions,
  };
}

function toPrecision(text: string | undefined): Precision | null {
  return text === 'lowp' || text === 'mediump' || text === 'highp' ? text : null;
}

const tables = new Map<string, ReadonlyMap<string, BuiltInVariable>>();

/**
 * Returns the built-in variables of a version and stage by name, including those of extensions.
 *
 * @param hasDrawBuffers Whether a GLSL ES 1.00 shader may write more than one color.
 * @param maxDrawBuffersWithoutExtension Value of `gl_MaxDrawBuffers` if it may not.
 */
export function builtInVariables(
  version: GlslVersion,
  stage: ShaderStage,
  limits: ShaderLimits,
  hasDrawBuffers: boolean,
  maxDrawBuffersWithoutExtension: number,
): ReadonlyMap<string, BuiltInVariable> {
  const maxDrawBuffers =
    version === 100 && !hasDrawBuffers ? maxDrawBuffersWithoutExtension : limits.maxDrawBuffers;
  const key = `${version} ${stage} ${hasDrawBuffers} ${maxDrawBuffers} ${Object.values(limits).join()}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = buildTable(version, stage, { ...limits, maxDrawBuffers }, hasDrawBuffers);
    tables.set(key, table);
  }
  return table;
}

function buildTable(
  version: GlslVersion,
  stage: ShaderStage,
  limits: ShaderLimits,
  hasDrawBuffers: boolean,
): ReadonlyMap<string, BuiltInVariable> {
  const drawBufferCount = hasDrawBuffers ? limits.maxDrawBuffers : 1;
  const sampleMaskWords = Math.ceil(limits.maxSamples / 32);
  const values = { ...constantValues(limits), drawBufferCount, sampleMaskWords };
  const table = new Map<string, BuiltInVariable>();
  for (const group of GROUPS) {
    if (!group.versions.includes(version) || !group.stages.includes(stage)) continue;
    for (const line of group.lines.trim().split(/\s*\n\s*/)) {
      const variable = parseLine(line, version, values, group.extensions ?? []);
      const known = table.get(variable.name);
      // Of two declarations the one without extensions applies.
      if (known === undefined || variable.extensions.length === 0) {
        table.set(variable.name, variable);
      }
    }
  }
  return table;
}
