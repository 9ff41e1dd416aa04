/**
 * Keywords and reserved words by language version (section 3.6 of GLSL ES 1.00 and 3.00, GLSL 1.10
 * and 1.20).
 */
import type { GlslVersion } from './extensions.ts';

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

const KEYWORDS: Record<GlslVersion, readonly string[]> = {
  100: [...COMMON, ...words('attribute varying lowp mediump highp precision invariant')],
  110: [...COMMON, ...DESKTOP_TYPES, ...words('attribute varying')],
  120: [
    ...COMMON,
    ...DESKTOP_TYPES,
    ...NON_SQUARE,
    ...words('attribute varying centroid invariant'),
  ],
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

const RESERVED: Record<GlslVersion, readonly string[]> = {
  100: [
    ...COMMON_RESERVED,
    ...words(`
      packed switch default flat superp sampler1D sampler3D sampler1DShadow sampler2DShadow
      sampler2DRect sampler2DRectShadow`),
  ],
  110: [...COMMON_RESERVED, ...DESKTOP_RESERVED],
  120: [...COMMON_RESERVED, ...DESKTOP_RESERVED, ...words('lowp mediump highp precision')],
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

const RECTANGLE_TYPES = ['sampler2DRect', 'sampler2DRectShadow'];

function buildTable(
  version: GlslVersion,
  hasRectangles: boolean,
  hasFlat: boolean,
): ReadonlyMap<string, Keyword> {
  const table = new Map<string, Keyword>();
  for (const text of RESERVED[version]) table.set(text, { text, isReserved: true });
  for (const text of KEYWORDS[version]) table.set(text, { text, isReserved: false });
  if (hasRectangles) {
    for (const text of RECTANGLE_TYPES) table.set(text, { text, isReserved: false });
  }
  if (hasFlat) table.set('flat', { text: 'flat', isReserved: false });
  return table;
}

const tables = new Map<string, ReadonlyMap<string, Keyword>>();

/**
 * Returns the keywords of a version by text. `GL_ARB_texture_rectangle` turns two reserved words
 * into types; `GL_TESSERA_flat_varying` makes `flat` a qualifier.
 */
export function keywordTable(
  version: GlslVersion,
  hasRectangles: boolean,
  hasFlat: boolean,
): ReadonlyMap<string, Keyword> {
  const key = `${version}${hasRectangles}${hasFlat}`;
  let table = tables.get(key);
  if (table === undefined) {
    table = buildTable(version, hasRectangles, hasFlat);
    tables.set(key, table);
  }
  return table;
}
