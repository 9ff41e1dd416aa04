/**
 * Bitmaps and pixel rectangles of OpenGL 1.0 to 2.1 (sections 3.6 and 3.7), drawn at the current
 * raster position. Methods have the names of the API.
 */
import {
  type PipelineState,
  RenderError,
  type StencilFaceState,
  type TargetAspect,
} from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { DrawTargets } from '../draw/draw-targets.ts';
import type { ImagePrograms } from '../fixed/image-programs.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import type { ProgramState } from '../objects/programs/program-objects.ts';
import { oneTexel } from '../objects/textures/texture-content.ts';
import type { DrawRecorder } from '../recording/draw-recorder.ts';
import type { RasterImage } from '../recording/generated/image-draw.ts';
import type { Recording } from '../recording/recording.ts';
import type { SavedState } from '../state/fixed/attribute-stack.ts';
import { toVector4 } from '../state/fixed/lighting-state.ts';
import {
  INITIAL_RASTER_POSITION,
  placeRasterPosition,
  projectRasterPosition,
  type RasterPosition,
} from '../state/fixed/raster-position.ts';
import { initialStencilFace } from '../state/stencil-face.ts';
import { decodePixels } from './decode-pixels.ts';
import { PixelMaps } from './pixel-maps.ts';

const MAX_EDGE_PX = 8192;
/**
 * Tolerance for text at whole pixels, which matrices reach only approximately. Mesa has the same
 * tolerance.
 */
const ROUNDING_PX = 0.0001;

/** Parts of a context that bitmaps and pixel rectangles depend on. */
interface RectangleParts extends SavedState {
  readonly errors: GlErrors;
  readonly targets: DrawTargets;
  readonly recorder: DrawRecorder;
  readonly recording: Recording;
  readonly programs: ProgramState;
  readonly framebuffers: FramebufferState;
}

/** Part of a pixel rectangle: offset of its lower left pixel, and its size. */
interface PixelPlace {
  readonly left: number;
  readonly bottom: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Options of the draw of a pixel rectangle. */
interface PlacedOptions extends Pick<RasterImage, 'stencilBit' | 'secondIndex' | 'isBlueFirst'> {
  /** Returns the pipeline state from that of polygons. Default: the state of polygons. */
  readonly change?: (state: PipelineState) => PipelineState;
}

/** Aspects of the read framebuffer that `copyPixels` copies, by type. */
const COPIED_ASPECTS: ReadonlyMap<number, readonly TargetAspect[]> = new Map([
  [FIXED.COLOR, ['color']],
  [FIXED.DEPTH, ['depth']],
  [FIXED.STENCIL, ['stencil']],
  [GL.DEPTH_STENCIL, ['depth', 'stencil']],
  [FIXED.DEPTH_STENCIL_TO_RGBA, ['depth', 'stencil']],
  [FIXED.DEPTH_STENCIL_TO_BGRA, ['depth', 'stencil']],
] as const);

/** Stencil image of one texel, whose lowest bit is set. */
const ONE_BIT = oneTexel('r8unorm', 1);

/** Returns the state of a draw that replaces depths only, without a test. */
function writeDepthOnly(state: PipelineState): PipelineState {
  return {
    ...state,
    colorMask: [false, false, false, false],
    depth: { ...state.depth, isTestEnabled: true, compare: 'always' },
    stencil: { ...state.stencil, isTestEnabled: false },
  };
}

/** Returns the state of a draw that replaces bits of the stencil value only, without a test. */
function writeStencil(
  reference: number,
  writeMask: number,
): (state: PipelineState) => PipelineState {
  // A new face compares always, so only the last operation applies.
  const face: StencilFaceState = {
    ...initialStencilFace(),
    onPass: 'replace',
    reference,
    writeMask,
  };
  return (state) => ({
    ...state,
    colorMask: [false, false, false, false],
    depth: { isTestEnabled: false, isWriteEnabled: false, compare: 'always' },
    stencil: { isTestEnabled: true, front: face, back: face },
  });
}

/** Bitmaps and pixel rectangles of one context. */
export class PixelRectangles {
  readonly #parts: RectangleParts;
  readonly #programs: ImagePrograms;
  readonly maps: PixelMaps;
  #position: RasterPosition = INITIAL_RASTER_POSITION;
  /** Whether a vertex shader should have computed the position, which is not simulated. */
  #isPlacedByShader = false;
  #zoom: readonly [number, number] = [1, 1];

  constructor(parts: RectangleParts, programs: ImagePrograms) {
    this.#parts = parts;
    this.#programs = programs;
    this.maps = new PixelMaps(parts.errors);
  }

  rasterPos(position: readonly number[]): void {
    this.#isPlacedByShader = this.#isShaded('vertex');
    this.#position = projectRasterPosition(toVector4(position), this.#parts);
  }

  windowPos(position: readonly number[]): void {
    const [x = 0, y = 0, z = 0] = position;
    const [near, far] = this.#parts.raster.depthRange;
    const depth = near + Math.min(1, Math.max(0, z)) * (far - near);
    this.#isPlacedByShader = false;
    this.#position = placeRasterPosition([x, y, depth], this.#parts);
  }

  pixelZoom(x: number, y: number): void {
    this.#zoom = [x, y];
  }

  /**
   * Draws a bitmap in the current color and moves the position.
   *
   * @param bytes Rows from the bottom in the `pixelStorei` layout, the most significant bit
   *   leftmost; `null` for no bits.
   */
  bitmap(
    widthPx: number,
    heightPx: number,
    originX: number,
    originY: number,
    moveX: number,
    moveY: number,
    bytes: Uint8Array | null,
  ): void {
    if (widthPx < 0 || heightPx < 0 || widthPx > MAX_EDGE_PX || heightPx > MAX_EDGE_PX) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `bitmap: size ${widthPx}×${heightPx} is not in 0..${MAX_EDGE_PX}`,
      );
      return;
    }
    const { window, isValid, color } = this.#position;
    if (!isValid) return;
    const [x, y, depth] = window;
    this.#position = { ...this.#position, window: [x + moveX, y + moveY, depth] };
    if (widthPx === 0 || heightPx === 0 || bytes === null) return;
    const texels = this.#spreadBits(widthPx, heightPx, bytes);
    if (texels === null) return;
    const left = Math.floor(x - originX + ROUNDING_PX);
    const bottom = Math.floor(y - originY + ROUNDING_PX);
    this.#drawImage({
      kind: 'bits',
      content: {
        format: 'r8unorm',
        widthPx,
        heightPx,
        levels: [texels],
        isMipmapGenerated: false,
      },
      color,
      edges: [left, bottom, left + widthPx, bottom + heightPx],
      depth,
    });
  }

  /**
   * Draws a pixel rectangle of colors, color indices, depths or stencil values.
   */
  drawPixels(
    widthPx: number,
    heightPx: number,
    format: number,
    type: number,
    bytes: Uint8Array,
  ): void {
    if (widthPx < 0 || heightPx < 0 || widthPx > MAX_EDGE_PX || heightPx > MAX_EDGE_PX) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `drawPixels: size ${widthPx}×${heightPx} is not in 0..${MAX_EDGE_PX}`,
      );
      return;
    }
    if (!this.#position.isValid || widthPx === 0 || heightPx === 0) return;
    const { pixelStore } = this.#parts.textures;
    const { isLeastBitFirst, unpackLayout } = pixelStore;
    const layout = { ...unpackLayout, isLeastBitFirst };
    const packed = { widthPx, heightPx, bytes: pixelStore.order(bytes, type), layout };
    const pixels = decodePixels(format, type, packed, this.maps);
    if (typeof pixels === 'string') {
      this.#parts.errors.raise(GL.INVALID_OPERATION, `drawPixels: ${pixels}`);
      return;
    }
    const shared = { widthPx, heightPx, isMipmapGenerated: false };
    const place = { left: 0, bottom: 0, widthPx, heightPx };
    if (pixels.kind === 'colors') {
      const content = { ...shared, format: 'rgba8unorm', levels: [pixels.texels] } as const;
      this.#drawPlaced('texels', content, place);
    }
    const isBoth = pixels.kind === 'depth-stencil';
    if (pixels.kind === 'depths' || isBoth) {
      const content = { ...shared, format: 'r32float', levels: [pixels.texels] } as const;
      this.#drawPlaced('depths', content, place, isBoth ? { change: writeDepthOnly } : {});
    }
    if (pixels.kind === 'stencil' || isBoth) {
      this.#drawStencil({ ...shared, format: 'r8unorm', levels: [pixels.stencil] }, place);
    }
  }

  /**
   * Copies a rectangle of the read framebuffer to the raster position (OpenGL 2.1, section 4.3.3).
   * Pixels outside the framebuffer, which are undefined, are not drawn.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED with `GL_MAP_COLOR`.
   */
  copyPixels(x: number, y: number, widthPx: number, heightPx: number, type: number): void {
    const { errors, framebuffers, targets, recorder } = this.#parts;
    if (widthPx < 0 || heightPx < 0) {
      errors.raise(GL.INVALID_VALUE, `copyPixels: size ${widthPx}×${heightPx} is negative`);
      return;
    }
    const aspects = COPIED_ASPECTS.get(type);
    if (aspects === undefined) {
      errors.raise(GL.INVALID_ENUM, `copyPixels: ${nameOfEnum(type)} is not a type of pixels`);
      return;
    }
    if (framebuffers.checkStatus(GL.READ_FRAMEBUFFER) !== GL.FRAMEBUFFER_COMPLETE) {
      const message = 'copyPixels: the read framebuffer is incomplete';
      errors.raise(GL.INVALID_FRAMEBUFFER_OPERATION, message);
      return;
    }
    if (!this.#position.isValid || !this.#isDrawing) return;
    if (type === FIXED.COLOR && this.maps.isColorMapped) {
      throw new RenderError('FRAME_UNSUPPORTED', 'copyPixels: with GL_MAP_COLOR');
    }
    const bound = framebuffers.readFramebuffer;
    const size = bound === null ? targets : framebuffers.sizeOf(bound, true);
    const left = Math.max(0, x);
    const bottom = Math.max(0, y);
    const width = Math.min(size.widthPx, x + widthPx) - left;
    const height = Math.min(size.heightPx, y + heightPx) - bottom;
    if (width <= 0 || height <= 0) return;
    const source = {
      framebuffer: bound,
      ...{ widthPx: size.widthPx, heightPx: size.heightPx },
      isSrgbRaw: targets.isSrgbRaw,
    };
    const rect = { x: left, y: bottom, width, height };
    const place = { left: left - x, bottom: bottom - y, widthPx: width, heightPx: height };
    // All copies come before the draws, which may write the pixels that are copied.
    const copies = aspects.map((aspect) => recorder.copyOut(source, rect, aspect));
    if (copies.some((copy) => copy === null)) return;
    this.#drawCopies(type, copies as number[], place);
  }

  /**
   * Draws copied pixels.
   *
   * @param copies Textures of the aspects that the type copies.
   */
  #drawCopies(type: number, copies: readonly number[], place: PixelPlace): void {
    const [first, second] = copies;
    switch (type) {
      case FIXED.COLOR:
        this.#drawPlaced('texels', first!, place);
        break;
      case FIXED.DEPTH:
        this.#drawPlaced('depths', first!, place);
        break;
      case FIXED.STENCIL:
        this.#drawStencil(first!, place);
        break;
      case GL.DEPTH_STENCIL:
        this.#drawPlaced('depths', first!, place, { change: writeDepthOnly });
        this.#drawStencil(second!, place);
        break;
      default:
        this.#drawPlaced('depth-bytes', first!, place, {
          secondIndex: second!,
          isBlueFirst: type === FIXED.DEPTH_STENCIL_TO_BGRA,
        });
    }
  }

  /**
   * Draws stencil values. Only the scissor test and the stencil mask apply (section 4.3.1). Zeros
   * are written first, then each bit where it is set.
   */
  #drawStencil(content: RasterImage['content'], place: PixelPlace): void {
    const writeMask = this.#parts.raster.stencilWriteMask;
    this.#drawPlaced('stencil-bits', ONE_BIT, place, { change: writeStencil(0, writeMask) });
    const values = typeof content === 'number' ? null : content.levels[0]!;
    for (let stencilBit = 0; stencilBit < 8; stencilBit++) {
      const weight = 1 << stencilBit;
      const isSet = values === null || values.some((value) => (value & weight) !== 0);
      if ((writeMask & weight) === 0 || !isSet) continue;
      const change = writeStencil(weight, weight);
      this.#drawPlaced('stencil-bits', content, place, { change, stencilBit });
    }
  }

  /** Draws pixels at the raster position, zoomed. */
  #drawPlaced(
    kind: RasterImage['kind'],
    content: RasterImage['content'],
    { left, bottom, widthPx, heightPx }: PixelPlace,
    { change, ...options }: PlacedOptions = {},
  ): void {
    const { window, color } = this.#position;
    const [x, y, depth] = window;
    const [zoomX, zoomY] = this.#zoom;
    this.#drawImage(
      {
        ...{ kind, content, color, depth, ...options },
        edges: [
          x + zoomX * left,
          y + zoomY * bottom,
          x + zoomX * (left + widthPx),
          y + zoomY * (bottom + heightPx),
        ],
      },
      change,
    );
  }

  #drawImage(
    image: Omit<RasterImage, 'alphaTest'>,
    change?: (state: PipelineState) => PipelineState,
  ): void {
    if (!this.#isDrawing) return;
    const { capabilities, fixed, targets, recorder, recording } = this.#parts;
    const alphaTest = capabilities.has(GL.ALPHA_TEST) ? fixed.alphaTest : null;
    const target = targets.current('bitmap');
    if (target === null) return;
    if (recording.record(target, () => this.#refuseShaders(image.kind)) === null) return;
    recorder.drawImage(
      { ...image, alphaTest: change === undefined ? alphaTest : null },
      target,
      change,
      change === undefined ? this.#fixedImage(image.kind) : null,
    );
  }

  /**
   * Rejects an image whose position or fragments a program of the context would compute (OpenGL
   * 2.1, sections 2.13 and 3.11).
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for such an image.
   */
  #refuseShaders(kind: RasterImage['kind']): true {
    if (this.#isPlacedByShader) {
      const message = 'images at a raster position of a vertex shader are not supported';
      throw new RenderError('FRAME_UNSUPPORTED', message);
    }
    if (kind !== 'stencil-bits' && this.#isShaded('fragment')) {
      throw new RenderError('FRAME_UNSUPPORTED', 'images with a fragment shader are not supported');
    }
    return true;
  }

  /** Returns whether a program replaces the fixed functions of a stage. */
  #isShaded(stage: 'vertex' | 'fragment'): boolean {
    const { capabilities, programs } = this.#parts;
    const given = programs.current?.linked?.given;
    const source = stage === 'vertex' ? given?.vertexSource : given?.fragmentSource;
    const switches =
      stage === 'vertex'
        ? [GL.VERTEX_PROGRAM_ARB]
        : [GL.FRAGMENT_PROGRAM_ARB, GL.FRAGMENT_SHADER_ATI];
    return (source ?? null) !== null || switches.some((each) => capabilities.has(each));
  }

  /**
   * Returns the program of colors that pass fixed functions, with the data of the raster position.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if the raster position has generated coordinates.
   */
  #fixedImage(kind: RasterImage['kind']): Parameters<DrawRecorder['drawImage']>[3] {
    const chosen = this.#programs.choose(kind);
    if (chosen === null) return null;
    const { coordinates, secondaryColor } = this.#position;
    const uniforms: Record<string, readonly number[]> = {
      secondaryColor,
    };
    for (const unit of chosen.units) {
      const coordinate = coordinates[unit]!;
      if (coordinate === null) {
        const message = 'images with generated texture coordinates are not supported';
        throw new RenderError('FRAME_UNSUPPORTED', message);
      }
      uniforms[`rasterCoordinate${unit}`] = coordinate;
    }
    return { program: chosen.program, uniforms };
  }

  /** Expands each bit to a texel. Returns `null` and raises an error if there are too few bits. */
  #spreadBits(widthPx: number, heightPx: number, bytes: Uint8Array): Uint8Array | null {
    const { unpackLayout, isLeastBitFirst } = this.#parts.textures.pixelStore;
    const { alignmentBytes, rowLengthPx, skipRows, skipPx } = unpackLayout;
    const rowBytes = Math.ceil((rowLengthPx || widthPx) / 8);
    const strideBytes = Math.ceil(rowBytes / alignmentBytes) * alignmentBytes;
    const lastBit = (skipRows + heightPx - 1) * strideBytes * 8 + skipPx + widthPx - 1;
    if (lastBit >= bytes.length * 8) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `bitmap: ${bytes.length} bytes of data are too few for ${widthPx}×${heightPx} bits`,
      );
      return null;
    }
    const texels = new Uint8Array(widthPx * heightPx);
    for (let row = 0; row < heightPx; row++) {
      for (let column = 0; column < widthPx; column++) {
        const bit = skipPx + column;
        const byte = bytes[(skipRows + row) * strideBytes + (bit >> 3)]!;
        const place = isLeastBitFirst ? bit & 7 : 7 - (bit & 7);
        if (((byte >> place) & 1) === 1) texels[row * widthPx + column] = 255;
      }
    }
    return texels;
  }

  /** Whether fragments are generated: not in selection, feedback or rasterizer discard. */
  get #isDrawing(): boolean {
    const { capabilities, fixed } = this.#parts;
    return !capabilities.has(GL.RASTERIZER_DISCARD) && fixed.isRendering;
  }
}
