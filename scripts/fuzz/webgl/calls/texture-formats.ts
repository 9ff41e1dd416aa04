/** Legal combinations of internal format, format and type of texture uploads. */
import type { ViewName } from './call-list.ts';
import { constants } from './constants.ts';

/** Combination that `texImage2D` accepts. */
export interface TextureFormat {
  readonly internalFormat: number;
  readonly format: number;
  readonly type: number;
  /** Typed array of the texels, with the most elements that a texel needs. */
  readonly view: ViewName;
  readonly elements: number;
  /** Whether the internal format is sized, so that `texStorage2D` accepts it. */
  readonly isSized: boolean;
  readonly hasDepth: boolean;
}

function formats(rows: string): readonly TextureFormat[] {
  return rows
    .trim()
    .split('\n')
    .map((row) => {
      const [internalName = '', formatName = '', typeName = '', view, elements] = row
        .trim()
        .split(/\s+/);
      const [internalFormat, format, type] = constants(`${internalName} ${formatName} ${typeName}`);
      return {
        internalFormat: internalFormat!,
        format: format!,
        type: type!,
        view: view as ViewName,
        elements: Number(elements),
        isSized: internalName !== formatName,
        hasDepth: internalName.startsWith('DEPTH'),
      };
    });
}

const UNSIZED = formats(`
  RGBA RGBA UNSIGNED_BYTE Uint8Array 4
  RGB RGB UNSIGNED_BYTE Uint8Array 3
  RGB RGB UNSIGNED_SHORT_5_6_5 Uint16Array 1
  RGBA RGBA UNSIGNED_SHORT_4_4_4_4 Uint16Array 1
  RGBA RGBA UNSIGNED_SHORT_5_5_5_1 Uint16Array 1
  LUMINANCE LUMINANCE UNSIGNED_BYTE Uint8Array 1
  LUMINANCE_ALPHA LUMINANCE_ALPHA UNSIGNED_BYTE Uint8Array 2
  ALPHA ALPHA UNSIGNED_BYTE Uint8Array 1`);
const OF_WEBGL2 = formats(`
  RGBA8 RGBA UNSIGNED_BYTE Uint8Array 4
  RGB8 RGB UNSIGNED_BYTE Uint8Array 3
  R8 RED UNSIGNED_BYTE Uint8Array 1
  RG8 RG UNSIGNED_BYTE Uint8Array 2
  RGBA8_SNORM RGBA BYTE Int8Array 4
  SRGB8_ALPHA8 RGBA UNSIGNED_BYTE Uint8Array 4
  RGB10_A2 RGBA UNSIGNED_INT_2_10_10_10_REV Uint32Array 1
  R11F_G11F_B10F RGB UNSIGNED_INT_10F_11F_11F_REV Uint32Array 1
  RGBA16F RGBA HALF_FLOAT Uint16Array 4
  RGBA32F RGBA FLOAT Float32Array 4
  R32F RED FLOAT Float32Array 1
  R8UI RED_INTEGER UNSIGNED_BYTE Uint8Array 1
  RGBA8UI RGBA_INTEGER UNSIGNED_BYTE Uint8Array 4
  RGBA8I RGBA_INTEGER BYTE Int8Array 4
  RGBA32UI RGBA_INTEGER UNSIGNED_INT Uint32Array 4
  DEPTH_COMPONENT16 DEPTH_COMPONENT UNSIGNED_SHORT Uint16Array 1
  DEPTH_COMPONENT24 DEPTH_COMPONENT UNSIGNED_INT Uint32Array 1
  DEPTH_COMPONENT32F DEPTH_COMPONENT FLOAT Float32Array 1
  DEPTH24_STENCIL8 DEPTH_STENCIL UNSIGNED_INT_24_8 Uint32Array 1`);
const OF_EXTENSIONS: Readonly<Record<string, readonly TextureFormat[]>> = {
  OES_texture_float: formats('RGBA RGBA FLOAT Float32Array 4'),
  OES_texture_half_float: formats('RGBA RGBA HALF_FLOAT_OES Uint16Array 4'),
  WEBGL_depth_texture: formats(`
    DEPTH_COMPONENT DEPTH_COMPONENT UNSIGNED_SHORT Uint16Array 1
    DEPTH_STENCIL DEPTH_STENCIL UNSIGNED_INT_24_8_WEBGL Uint32Array 1`),
};

/** Returns the formats that a context accepts. */
export function legalFormats(
  version: 1 | 2,
  extensions: ReadonlySet<string>,
): readonly TextureFormat[] {
  const ofExtensions = Object.entries(OF_EXTENSIONS).flatMap(([name, list]) =>
    extensions.has(name) ? list : [],
  );
  return version === 2 ? [...UNSIZED, ...OF_WEBGL2] : [...UNSIZED, ...ofExtensions];
}
