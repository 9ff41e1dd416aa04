/** Texture units, texture names and uploads (OpenGL ES 2.0, section 3.7). */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../constants.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { GlErrors } from './gl-errors.ts';
import type { ObjectTable } from './object-table.ts';
import {
  type BaseFormat,
  baseFormatOf,
  blankTexels,
  convertTexels,
  findSourceFormat,
  measureUpload,
  type SourceFormat,
  texelBytesOf,
  type UnpackLayout,
} from './texel-formats.ts';
import { type TextureLevel, TextureObject } from './texture-object.ts';

export const TEXTURE_UNIT_COUNT = 32;
export const MAX_TEXTURE_EDGE_PX = 8192;

/** Formats of OpenGL ES 2.0, with which the internal format must agree. */
const ES2_FORMATS: readonly number[] = [
  ...[GL.ALPHA, GL.RGB, GL.RGBA, GL.LUMINANCE, GL.LUMINANCE_ALPHA, GL.BGRA],
  ...[GL.DEPTH_COMPONENT, GL.DEPTH_STENCIL, GL.SRGB, GL.SRGB_ALPHA],
];

const INITIAL_UNPACK: UnpackLayout = { alignmentBytes: 4, rowLengthPx: 0, skipRows: 0, skipPx: 0 };

/** Size and format of an upload. */
export interface Upload {
  readonly target: number;
  readonly level: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly format: number;
  readonly type: number;
  /** Laid out as `pixelStorei` says; `null` where the texels do not matter. */
  readonly bytes: Uint8Array | null;
}

export class TextureState {
  readonly #errors: GlErrors;
  readonly #table: ObjectTable<TextureObject>;
  readonly #budget: ByteBudget;
  readonly #isEs: boolean;
  readonly #units: Map<number, TextureObject>[] = [];
  readonly #nameless = new Map<number, TextureObject>();
  #activeUnit = 0;
  #unpack: UnpackLayout = INITIAL_UNPACK;

  /** @param isEs Whether uploads follow OpenGL ES 2.0: the internal format is the format. */
  constructor(
    errors: GlErrors,
    table: ObjectTable<TextureObject>,
    budget: ByteBudget,
    isEs: boolean,
  ) {
    this.#errors = errors;
    this.#table = table;
    this.#budget = budget;
    this.#isEs = isEs;
    for (let unit = 0; unit < TEXTURE_UNIT_COUNT; unit++) this.#units.push(new Map());
  }

  /** Number of the active unit, from 0. */
  get activeUnit(): number {
    return this.#activeUnit;
  }

  /** How uploads lie in memory. */
  get unpackLayout(): UnpackLayout {
    return this.#unpack;
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  isTexture(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  object(name: number): TextureObject | null {
    return this.#table.get(name);
  }

  /** @param unit `GL_TEXTURE0` and up. */
  activate(unit: number): void {
    const index = unit - GL.TEXTURE0;
    if (!(index >= 0 && index < TEXTURE_UNIT_COUNT)) {
      this.#errors.raise(GL.INVALID_ENUM, `activeTexture: ${unit}`);
      return;
    }
    this.#activeUnit = index;
  }

  bind(target: number, name: number): void {
    if (target !== GL.TEXTURE_2D && target !== GL.TEXTURE_CUBE_MAP) {
      this.#errors.raise(GL.INVALID_ENUM, `bindTexture: target ${nameOfEnum(target)}`);
      return;
    }
    const unit = this.#units[this.#activeUnit]!;
    if (name === 0) {
      unit.delete(target);
      return;
    }
    const texture = this.#table.obtain(name, (made) => new TextureObject(made, target));
    if (texture.target !== target) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `bindTexture: texture ${name} is a ${nameOfEnum(texture.target)}`,
      );
      return;
    }
    unit.set(target, texture);
  }

  /** The texture that a sampler of this unit reads; the nameless one when none is bound. */
  bound(unit: number, target: number): TextureObject {
    const bound = this.#units[unit]?.get(target);
    if (bound !== undefined) return bound;
    let nameless = this.#nameless.get(target);
    if (nameless === undefined) {
      nameless = new TextureObject(0, target);
      this.#nameless.set(target, nameless);
    }
    return nameless;
  }

  /** Keeps which textures are bound, their parameters and the active unit, to be put back. */
  saveBindings(): () => void {
    const activeUnit = this.#activeUnit;
    const units = this.#units.map((bound) => new Map(bound));
    const parameters = units.flatMap((bound) =>
      [...bound.values()].map((texture) => texture.saveParameters()),
    );
    return () => {
      this.#activeUnit = activeUnit;
      units.forEach((bound, unit) => {
        const target = this.#units[unit]!;
        target.clear();
        // One that was deleted meanwhile stays away.
        for (const [key, texture] of bound) {
          if (this.#table.get(texture.name) === texture) target.set(key, texture);
        }
      });
      for (const restore of parameters) restore();
    };
  }

  /** Keeps the layout of uploads, to be put back. */
  saveUnpackLayout(): () => void {
    const layout = this.#unpack;
    return () => {
      this.#unpack = layout;
    };
  }

  /** What the texture of a unit stores, `null` if it is not complete: fixed functions pass it over then. */
  sampledBase(unit: number, target: number): BaseFormat | null {
    if (target !== GL.TEXTURE_2D && target !== GL.TEXTURE_CUBE_MAP) return null;
    return this.bound(unit, target).sampledBase();
  }

  remove(names: readonly number[]): readonly TextureObject[] {
    const removed: TextureObject[] = [];
    for (const name of names) {
      const texture = name === 0 ? null : this.#table.remove(name);
      if (texture === null) continue;
      removed.push(texture);
      this.#budget.exchange(texture.sizeBytes, 0);
      for (const unit of this.#units) {
        if (unit.get(texture.target) === texture) unit.delete(texture.target);
      }
    }
    return removed;
  }

  setPixelStore(parameter: number, value: number): void {
    if (value < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `pixelStorei: ${value}`);
      return;
    }
    switch (parameter) {
      case GL.UNPACK_ALIGNMENT:
        if (![1, 2, 4, 8].includes(value)) {
          this.#errors.raise(GL.INVALID_VALUE, `pixelStorei: alignment ${value}`);
          return;
        }
        this.#unpack = { ...this.#unpack, alignmentBytes: value };
        return;
      case GL.UNPACK_ROW_LENGTH:
        this.#unpack = { ...this.#unpack, rowLengthPx: value };
        return;
      case GL.UNPACK_SKIP_ROWS:
        this.#unpack = { ...this.#unpack, skipRows: value };
        return;
      case GL.UNPACK_SKIP_PIXELS:
        this.#unpack = { ...this.#unpack, skipPx: value };
        return;
      case GL.UNPACK_SWAP_BYTES:
        if (value !== 0) {
          throw new RenderError('FRAME_UNSUPPORTED', 'pixelStorei: GL_UNPACK_SWAP_BYTES');
        }
        return;
      default:
        // Layout of what is read back, and bit order of bitmaps: no picture depends on them.
        if (parameter >= GL.PACK_SWAP_BYTES && parameter <= GL.PACK_ALIGNMENT) return;
        if (parameter === GL.UNPACK_LSB_FIRST) return;
        this.#errors.raise(GL.INVALID_ENUM, `pixelStorei: ${nameOfEnum(parameter)}`);
    }
  }

  /** Defines a level. `upload.bytes` `null` leaves it blank. */
  image(internalFormat: number, upload: Upload): void {
    const where = 'texImage2D';
    const texture = this.#target(where, upload.target);
    if (texture === null) return;
    const base = baseFormatOf(internalFormat);
    if (base === null) {
      this.#errors.raise(
        this.#isEs ? GL.INVALID_VALUE : GL.INVALID_ENUM,
        `${where}: internal format ${nameOfEnum(internalFormat)}`,
      );
      return;
    }
    if (this.#isEs && !(ES2_FORMATS.includes(upload.format) && internalFormat === upload.format)) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `${where}: internal format ${nameOfEnum(internalFormat)} of format ${nameOfEnum(upload.format)}`,
      );
      return;
    }
    const { widthPx, heightPx } = upload;
    if (!this.#isSize(where, upload)) return;
    if (base === 'depth') {
      if (upload.bytes !== null) {
        throw new RenderError('FRAME_UNSUPPORTED', `${where}: depth texels are uploaded`);
      }
      texture.setLevel(upload.level, { widthPx, heightPx, base, texels: new Uint8Array(0) });
      return;
    }
    const source = this.#source(where, upload);
    if (source === null) return;
    const oldBytes = texture.level(upload.level)?.texels.length ?? 0;
    if (!this.#budget.exchange(oldBytes, texelBytesOf(base) * widthPx * heightPx)) {
      this.#errors.raise(GL.OUT_OF_MEMORY, `${where}: ${widthPx}×${heightPx}`);
      return;
    }
    const texels =
      upload.bytes === null
        ? blankTexels(base, widthPx, heightPx)
        : this.#convert(where, base, source, upload, upload.bytes);
    if (texels !== null) texture.setLevel(upload.level, { widthPx, heightPx, base, texels });
  }

  /** Replaces a rectangle of a level; `x`, `y` in texels from the first row. */
  subImage(x: number, y: number, upload: Upload): void {
    const where = 'texSubImage2D';
    const texture = this.#target(where, upload.target);
    if (texture === null) return;
    const level = texture.level(upload.level);
    if (level === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: level ${upload.level} is not there`);
      return;
    }
    const { widthPx, heightPx } = upload;
    const isInside =
      Math.min(x, y, widthPx, heightPx) >= 0 &&
      x + widthPx <= level.widthPx &&
      y + heightPx <= level.heightPx;
    if (!isInside) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `${where}: ${widthPx}×${heightPx} at ${x}, ${y} of ${level.widthPx}×${level.heightPx}`,
      );
      return;
    }
    const source = this.#source(where, upload);
    if (source === null || upload.bytes === null) return;
    const isWhole = widthPx === level.widthPx && heightPx === level.heightPx;
    if (texture.isDrawnInto && !isWhole) {
      throw new RenderError('FRAME_UNSUPPORTED', `${where}: a part of what was drawn is replaced`);
    }
    const texels = this.#convert(where, level.base, source, upload, upload.bytes);
    if (texels !== null) texture.setLevel(upload.level, insertTexels(level, texels, x, y, upload));
  }

  generateMipmap(target: number, isPowerOfTwoOnly: boolean): void {
    const texture = this.#target('generateMipmap', target);
    if (texture === null) return;
    const size = texture.baseSize();
    const isRefused =
      isPowerOfTwoOnly &&
      size !== null &&
      ((size.widthPx & (size.widthPx - 1)) !== 0 || (size.heightPx & (size.heightPx - 1)) !== 0);
    if (isRefused || !texture.canGenerateMipmaps()) {
      this.#errors.raise(GL.INVALID_OPERATION, 'generateMipmap: no level to start from');
      return;
    }
    texture.generateMipmaps();
  }

  setParameter(target: number, parameter: number, value: number): void {
    if (target !== GL.TEXTURE_2D && target !== GL.TEXTURE_CUBE_MAP) {
      this.#errors.raise(GL.INVALID_ENUM, `texParameter: target ${nameOfEnum(target)}`);
      return;
    }
    if (!this.bound(this.#activeUnit, target).setParameter(parameter, value)) {
      this.#errors.raise(GL.INVALID_ENUM, `texParameter: ${nameOfEnum(parameter)} ${value}`);
    }
  }

  parameter(target: number, parameter: number): number | null {
    const value = this.bound(this.#activeUnit, target).parameter(parameter);
    if (value === null) {
      this.#errors.raise(GL.INVALID_ENUM, `getTexParameter: ${nameOfEnum(parameter)}`);
    }
    return value;
  }

  /** Bytes that an upload reads with the current layout, or `null` if format and type do not go together. */
  uploadBytes(upload: Omit<Upload, 'bytes'>): number | null {
    const source = findSourceFormat(upload.format, upload.type);
    if (source === null) return null;
    return measureUpload(source, upload.widthPx, upload.heightPx, this.#unpack).sizeBytes;
  }

  #target(where: string, target: number): TextureObject | null {
    if (target === GL.TEXTURE_2D) return this.bound(this.#activeUnit, target);
    const isCube =
      target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;
    if (isCube || target === GL.TEXTURE_CUBE_MAP) {
      throw new RenderError('FRAME_UNSUPPORTED', `${where}: cube textures`);
    }
    this.#errors.raise(GL.INVALID_ENUM, `${where}: target ${nameOfEnum(target)}`);
    return null;
  }

  #isSize(where: string, { widthPx, heightPx, level }: Upload): boolean {
    const maxPx = MAX_TEXTURE_EDGE_PX;
    if (
      widthPx >= 0 &&
      heightPx >= 0 &&
      widthPx <= maxPx &&
      heightPx <= maxPx &&
      level >= 0 &&
      level < 14
    )
      return true;
    this.#errors.raise(GL.INVALID_VALUE, `${where}: ${widthPx}×${heightPx}, level ${level}`);
    return false;
  }

  #source(where: string, { format, type }: Upload): SourceFormat | null {
    const source = findSourceFormat(format, type);
    if (source === null) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `${where}: format ${nameOfEnum(format)} of type ${nameOfEnum(type)}`,
      );
    }
    return source;
  }

  #convert(
    where: string,
    base: BaseFormat,
    source: SourceFormat,
    { widthPx, heightPx }: Upload,
    bytes: Uint8Array,
  ): Uint8Array<ArrayBuffer> | null {
    const { sizeBytes } = measureUpload(source, widthPx, heightPx, this.#unpack);
    if (bytes.length < sizeBytes) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `${where}: ${bytes.length} of ${sizeBytes} bytes are given`,
      );
      return null;
    }
    return convertTexels(base, source, widthPx, heightPx, bytes, this.#unpack);
  }
}

function insertTexels(
  level: TextureLevel,
  texels: Uint8Array,
  x: number,
  y: number,
  { widthPx, heightPx }: Upload,
): TextureLevel {
  const whole = level.texels.slice();
  const texelBytes = whole.length / (level.widthPx * level.heightPx);
  for (let row = 0; row < heightPx; row++) {
    const from = row * widthPx * texelBytes;
    const to = ((y + row) * level.widthPx + x) * texelBytes;
    whole.set(texels.subarray(from, from + widthPx * texelBytes), to);
  }
  return { ...level, texels: whole };
}
