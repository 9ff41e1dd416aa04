/**
 * Keywords and reserved words by language version (section 3.6 of GLSL ES 1.00 and 3.00, GLSL 1.10
 * to 3.30), and the keywords that extensions add.
 */
import type { ExtensionName } from './extensions.ts';
import type { GlslVersion } from './versions.ts';

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const COMMON = words(`
  const uniform break continue do for while if else in out inout float int void bool true false
  discard return struct mat2 mat3 mat4 vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4
  sampler2D samplerCube`);
const NON_SQUARE = words('mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4');

const COMMON_RESERVED = words(`
  asm class union enum typedef template this goto inline noinline volatile public static extern
  external interface long short double half fixed unsigned input output hvec2 hvec3 hvec4 dvec2
  dvec3 dvec4 fvec2 fvec3 fvec4 sampler3DRect sizeof cast namespace using`);

const DESKTOP_TYPES = words('sampler1D sampler3D sampler1DShadow sampler2DShadow');
const DESKTOP_RESERVED = words('packed switch default sampler2DRect sampler2DRectShadow');

const INTEGER_WORDS = words('uint uvec2 uvec3 uvec4');
const INTERPOLATION_WORDS = words('flat noperspective centroid');
const ARRAY_TYPES = words(
  'sampler1DArray sampler2DArray sampler1DArrayShadow sampler2DArrayShadow',
);
const INTEGER_SAMPLERS = words(`
  isampler1D isampler2D isampler3D isamplerCube isampler1DArray isampler2DArray usampler1D
  usampler2D usampler3D usamplerCube usampler1DArray usampler2DArray`);
const RECTANGLE_TYPES = words('sampler2DRect sampler2DRectShadow');
const BUFFER_TYPES = words('samplerBuffer isamplerBuffer usamplerBuffer');
const INTEGER_RECTANGLE_TYPES = words('isampler2DRect usampler2DRect');

const LATER_DESKTOP = [
  ...COMMON,
  ...DESKTOP_TYPES,
  ...NON_SQUARE,
  ...INTEGER_WORDS,
  ...INTERPOLATION_WORDS,
  ...ARRAY_TYPES,
  ...INTEGER_SAMPLERS,
  ...words(`
    attribute varying invariant smooth case default switch lowp mediump highp precision
    samplerCubeShadow`),
];
const SINCE_140 = [
  ...LATER_DESKTOP,
  ...RECTANGLE_TYPES,
  ...INTEGER_RECTANGLE_TYPES,
  ...BUFFER_TYPES,
  ...words('layout'),
];

const KEYWORDS: Record<GlslVersion, readonly string[]> = {
  100: [...COMMON, ...words('attribute varying lowp mediump highp precision invariant')],
  110: [...COMMON, ...DESKTOP_TYPES, ...words('attribute varying')],
  120: [
    ...COMMON,
    ...DESKTOP_TYPES,
    ...NON_SQUARE,
    ...words('attribute varying centroid invariant'),
  ],
  130: LATER_DESKTOP,
  140: SINCE_140,
  150: SINCE_140,
  330: SINCE_140,
  300: [
    ...COMMON,
    ...NON_SQUARE,
    ...words(`
      layout centroid flat smooth case default switch lowp mediump highp precision invariant uint
      uvec2 uvec3 uvec4 sampler3D sampler2DShadow samplerCubeShadow sampler2DArray
      sampler2DArrayShadow isampler2D isampler3D isamplerCube isampler2DArray usampler2D usampler3D
      usamplerCube usampler2DArray`),
  ],
};

/** Types of desktop GLSL that the front end knows only by name. */
const UNSUPPORTED_SAMPLERS = words(`
  sampler2DMS isampler2DMS usampler2DMS sampler2DMSArray isampler2DMSArray usampler2DMSArray`);
const LATER_RESERVED = [
  ...COMMON_RESERVED,
  ...words('packed common partition active filter superp'),
  ...UNSUPPORTED_SAMPLERS,
].filter((word) => word !== 'input' && word !== 'output');

const RESERVED: Record<GlslVersion, readonly string[]> = {
  100: [
    ...COMMON_RESERVED,
    ...words(`
      packed switch default flat superp sampler1D sampler3D sampler1DShadow sampler2DShadow
      sampler2DRect sampler2DRectShadow`),
  ],
  110: [...COMMON_RESERVED, ...DESKTOP_RESERVED],
  120: [...COMMON_RESERVED, ...DESKTOP_RESERVED, ...words('lowp mediump highp precision')],
  130: [...LATER_RESERVED, ...RECTANGLE_TYPES, ...BUFFER_TYPES],
  140: LATER_RESERVED.filter((word) => word !== 'packed'),
  150: LATER_RESERVED.filter((word) => word !== 'packed'),
  330: LATER_RESERVED.filter((word) => word !== 'packed'),
  300: [
    ...COMMON_RESERVED,
    ...words(`
      attribute varying coherent restrict readonly writeonly resource atomic_uint noperspective
      patch sample subroutine common partition active superp filter image1D image2D image3D imageCube
      iimage1D iimage2D iimage3D iimageCube uimage1D uimage2D uimage3D uimageCube image1DArray
      image2DArray iimage1DArray iimage2DArray uimage1DArray uimage2DArray image1DShadow
      image2DShadow image1DArrayShadow image2DArrayShadow imageBuffer iimageBuffer uimageBuffer
      sampler1D sampler1DShadow sampler1DArray sampler1DArrayShadow isampler1D isampler1DArray
      usampler1D usampler1DArray sampler2DRect sampler2DRectShadow isampler2DRect usampler2DRect
      samplerBuffer isamplerBuffer usamplerBuffer sampler2DMS isampler2DMS usampler2DMS
      sampler2DMSArray isampler2DMSArray usampler2DMSArray`),
  ],
};

/** Keyword or reserved word. */
export interface Keyword {
  readonly text: string;
  readonly isReserved: boolean;
}

/** Keywords that extensions add. */
const EXTENSION_KEYWORDS: Partial<Record<ExtensionName, readonly string[]>> = {
  GL_ARB_texture_rectangle: RECTANGLE_TYPES,
  GL_NV_shader_noperspective_interpolation: ['noperspective'],
  GL_OES_shader_multisample_interpolation: ['sample'],
  GL_TESSERA_flat_varying: ['flat'],
  GL_EXT_texture_array: ARRAY_TYPES,
  GL_EXT_gpu_shader4: [
    ...INTEGER_WORDS,
    ...INTERPOLATION_WORDS,
    ...INTEGER_SAMPLERS,
    ...ARRAY_TYPES,
    ...RECTANGLE_TYPES,
    ...INTEGER_RECTANGLE_TYPES,
    'samplerCubeShadow',
    'unsigned',
  ],
  GL_ARB_uniform_buffer_object: ['layout'],
  GL_ARB_explicit_attrib_location: ['layout'],
  GL_ARB_fragment_coord_conventions: ['layout'],
};

function buildTable(
  version: GlslVersion,
  extensions: readonly ExtensionName[],
): ReadonlyMap<string, Keyword> {
  const table = new Map<string, Keyword>();
  for (const text of RESERVED[version]) table.set(text, { text, isReserved: true });
  for (const text of KEYWORDS[version]) table.set(text, { text, isReserved: false });
  for (const name of extensions) {
    for (const text of EXTENSION_KEYWORDS[name]!) table.set(text, { text, isReserved: false });
  }
  // `layout(packed)` names the layout like any other identifier.
  if (table.has('layout')) table.delete('packed');
  return table;
}

const tables = new Map<string, ReadonlyMap<string, Keyword>>();

/**
 * Returns the keywords of a version by text.
 *
 * @param isOn Whether the source has enabled an extension.
 */
export function keywordTable(
  version: GlslVersion,
  isOn: (name: ExtensionName) => boolean,
): ReadonlyMap<string, Keyword> {
  const extensions = (Object.keys(EXTENSION_KEYWORDS) as ExtensionName[]).filter(isOn);
  const key = `${version} ${extensions.join()}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = buildTable(version, extensions);
    tables.set(key, table);
  }
  return table;
}
