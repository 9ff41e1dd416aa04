/**
 * Checks the dependencies between the passes of a frame: targets, loads, copies and sampled
 * textures.
 */
import { RenderError } from './errors.ts';
import {
  type Frame,
  MAX_COLOR_TARGETS,
  MAX_PASS_QUERIES,
  type Pass,
  type PassTarget,
  TARGET_ASPECTS,
  type TargetCopy,
  type TargetImage,
  type TextureImage,
} from './frame.ts';
import { fail, requireInteger, requireOneOf } from './frame-checks.ts';
import {
  drawnFormatOf,
  levelSizeOf,
  readsLevel,
  SWIZZLE_SOURCES,
  type TextureResource,
} from './resources.ts';
import { TEXTURE_FORMATS } from './texture-formats.ts';
import type { FrameLimits } from './validate-frame.ts';

const SCREEN: PassTarget = Object.freeze({ kind: 'screen' });

/** Attachments of a pass and their common size. */
interface Attachments {
  readonly colors: readonly (TargetImage | null)[];
  readonly depthStencil: TextureImage | null;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sampleCount: number;
}

/**
 * Checks the passes. Textures that a draw samples must exist and have contents by then. The draws
 * themselves are checked in validate-frame.ts.
 *
 * @throws {RenderError} FRAME_INVALID, FRAME_UNSUPPORTED or LIMIT_EXCEEDED, naming the field.
 */
export function validatePasses(
  frame: Frame,
  limits: Pick<FrameLimits, 'maxPasses' | 'maxTargetPixels' | 'isScreenOptional'>,
): void {
  const { passes } = frame;
  if (passes.length > limits.maxPasses) {
    const message = `passes: ${passes.length} passes; at most ${limits.maxPasses}`;
    throw new RenderError('LIMIT_EXCEEDED', message);
  }
  const hasScreen = passes.some(({ target = SCREEN }) => target.kind === 'screen');
  if (!hasScreen && limits.isScreenOptional !== true) {
    fail('passes', 'no pass draws to the screen');
  }
  /** Indices of the textures drawn into so far; −1 is the screen. */
  const drawnInto = new Set<number>();
  /** Targets that have their own depth and stencil and were drawn into. */
  const ownDepths = new Set<string>();
  let targetPixels = 0;
  passes.forEach((pass, passIndex) => {
    const at = `passes[${passIndex}]`;
    const { target = SCREEN } = pass;
    if (target.kind === 'feedback') checkFeedback(at, pass, limits);
    const attachments = checkTarget(`${at}.target`, target, frame);
    const count = attachments.colors.length + (attachments.depthStencil === null ? 0 : 1);
    const { widthPx, heightPx, sampleCount } = attachments;
    targetPixels += widthPx * heightPx * sampleCount * Math.max(1, count);
    if (targetPixels > limits.maxTargetPixels) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${at}.target: the targets of all passes exceed ${limits.maxTargetPixels} pixels, times their samples`,
      );
    }
    const ownDepth = ownDepthOf(target);
    checkLoads(at, pass, frame, attachments, {
      wasDrawn: (image) => drawnInto.has(image?.textureIndex ?? -1),
      hasOwnDepth: ownDepth !== null && ownDepths.has(ownDepth),
    });
    checkSampling(at, pass, frame, attachments, drawnInto);
    checkQueries(at, pass);
    if (ownDepth !== null) ownDepths.add(ownDepth);
    for (const image of imagesOf(target)) drawnInto.add(image?.textureIndex ?? -1);
    pass.copies?.forEach((copy, copyIndex) => {
      checkCopy(`${at}.copies[${copyIndex}]`, copy, frame, target, attachments);
      targetPixels += copy.widthPx * copy.heightPx;
      drawnInto.add(copy.into.textureIndex);
    });
  });
}

/** Returns the name of a target with its own depth and stencil; `null` for another target. */
function ownDepthOf(target: PassTarget): string | null {
  if (target.kind === 'images') return null;
  if (target.kind !== 'texture') return target.kind;
  const { textureIndex, level = 0, slice = 0 } = target;
  return `${textureIndex} ${level} ${slice}`;
}

/** Returns the images that a pass draws into; null is the screen. */
function imagesOf(target: PassTarget): readonly (TextureImage | null)[] {
  switch (target.kind) {
    case 'screen':
      return [null];
    case 'texture':
      return [target];
    case 'images':
      return [...target.colors, target.depthStencil].filter((image) => image !== null);
    case 'feedback':
      return [];
  }
}

function checkTarget(at: string, target: PassTarget, frame: Frame): Attachments {
  switch (target.kind) {
    case 'screen': {
      const { widthPx, heightPx, sampleCount = 1 } = frame;
      return { colors: [null], depthStencil: null, widthPx, heightPx, sampleCount };
    }
    case 'texture': {
      const size = checkImage(at, target, frame, 'color');
      return { colors: [target], depthStencil: null, ...size };
    }
    case 'images': {
      const { colors, depthStencil } = target;
      requireInteger(`${at}.colors.length`, colors.length, 0, MAX_COLOR_TARGETS);
      const sizes = colors.flatMap((image, i) =>
        image === null ? [] : [checkImage(`${at}.colors[${i}]`, image, frame, 'color')],
      );
      if (depthStencil !== null) {
        sizes.push(checkImage(`${at}.depthStencil`, depthStencil, frame, 'depth'));
      }
      const [first, ...others] = sizes;
      if (first === undefined) return fail(at, 'the target has no image');
      for (const { sampleCount } of others) {
        if (sampleCount !== first.sampleCount) {
          fail(
            at,
            `images with ${first.sampleCount} and ${sampleCount} samples per pixel cannot be combined`,
          );
        }
      }
      const names = [...colors, depthStencil].flatMap((image) =>
        image === null ? [] : [`${image.textureIndex} ${image.level ?? 0} ${image.slice ?? 0}`],
      );
      if (new Set(names).size < names.length) fail(at, 'the same image is attached twice');
      const widthPx = Math.min(...sizes.map((size) => size.widthPx));
      const heightPx = Math.min(...sizes.map((size) => size.heightPx));
      return { colors, depthStencil, widthPx, heightPx, sampleCount: first.sampleCount };
    }
    case 'feedback':
      return { colors: [], depthStencil: null, widthPx: 1, heightPx: 1, sampleCount: 1 };
    default:
      return fail(`${at}.kind`, 'the kind is not one of screen, texture, images, feedback');
  }
}

/** Topologies whose primitives share no vertices. */
const FEEDBACK_TOPOLOGIES = ['points', 'lines', 'triangles'];

/** Checks a pass of transform feedback. */
function checkFeedback(
  at: string,
  { draws, loads = [], copies = [], queries = [] }: Pass,
  { isScreenOptional = false }: Pick<FrameLimits, 'isScreenOptional'>,
): void {
  if (!isScreenOptional) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `${at}.target: only a frame that is a part of another one may have transform feedback`,
    );
  }
  if (loads.length + copies.length + queries.length > 0) {
    fail(at, 'a pass of transform feedback has loads, copies or queries');
  }
  draws.forEach(({ topology }, drawIndex) => {
    requireOneOf(`${at}.draws[${drawIndex}].topology`, topology, FEEDBACK_TOPOLOGIES);
  });
}

/**
 * Checks that the image exists and is suitable for its use. Returns its size and number of samples.
 */
function checkImage(
  at: string,
  image: TextureImage,
  frame: Frame,
  use: 'color' | 'depth' | 'copy',
): { widthPx: number; heightPx: number; sampleCount: number } {
  const { textureIndex, level = 0, slice = 0 } = image;
  const texture = frame.textures[textureIndex];
  if (texture === undefined) {
    return fail(
      `${at}.textureIndex`,
      `${textureIndex} is not one of the frame's ${frame.textures.length} textures`,
    );
  }
  requireInteger(`${at}.level`, level, 0, levelCountOf(texture) - 1);
  const { widthPx, heightPx, sliceCount } = levelSizeOf(texture, level);
  requireInteger(`${at}.slice`, slice, 0, sliceCount - 1);
  const { kind, isTarget } = TEXTURE_FORMATS[texture.format];
  const isFitting = use === 'copy' || (isTarget && (kind === 'depth') === (use === 'depth'));
  if (!isFitting) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `${at}: texture ${textureIndex} is ${texture.format}, which is not a ${use} target format`,
    );
  }
  if (texture.isMipmapGenerated && level > 0) {
    fail(`${at}.level`, `level ${level} of texture ${textureIndex} is a generated mipmap level`);
  }
  return { widthPx, heightPx, sampleCount: texture.sampleCount ?? 1 };
}

function levelCountOf({ levels, levelCount }: TextureResource): number {
  return levelCount ?? Math.max(1, levels.length);
}

function checkLoads(
  at: string,
  { loads = [], clear }: Pass,
  frame: Frame,
  { colors, depthStencil }: Attachments,
  before: { wasDrawn(image: TextureImage | null): boolean; readonly hasOwnDepth: boolean },
): void {
  if (clear.colors !== undefined) {
    requireInteger(`${at}.clear.colors.length`, clear.colors.length, 0, MAX_COLOR_TARGETS);
  }
  const isThere = (image: TextureImage): boolean => {
    const { levels, levelCount } = frame.textures[image.textureIndex]!;
    return before.wasDrawn(image) || levels.length > 0 || levelCount !== undefined;
  };
  for (const aspect of loads) {
    if (!TARGET_ASPECTS.includes(aspect)) {
      fail(`${at}.loads`, `'${aspect}' is not one of ${TARGET_ASPECTS.join(', ')}`);
    }
    const isLoadable =
      aspect === 'color'
        ? colors.every((image, i) =>
            image === null ? i > 0 || before.wasDrawn(null) || colors.length > 1 : isThere(image),
          )
        : depthStencil === null
          ? before.hasOwnDepth
          : isThere(depthStencil);
    if (!isLoadable) {
      fail(`${at}.loads`, `${aspect} is loaded, but no earlier pass drew into this target`);
    }
  }
}

/** Checks that the textures sampled by draws have contents and are not targets of the same pass. */
function checkSampling(
  at: string,
  { draws }: Pass,
  frame: Frame,
  { colors, depthStencil }: Attachments,
  drawnInto: ReadonlySet<number>,
): void {
  const targets = [...colors, depthStencil].filter((image) => image !== null);
  draws.forEach((draw, drawIndex) => {
    for (const [name, { textureIndex, sampler }] of Object.entries(draw.textures)) {
      const place = `${at}.draws[${drawIndex}].textures.${name}`;
      const texture = frame.textures[textureIndex];
      if (texture === undefined) continue;
      if ((texture.sampleCount ?? 1) > 1)
        fail(place, `texture ${textureIndex} is a multisample texture, which cannot be sampled`);
      if (
        targets.some(
          (image) => image.textureIndex === textureIndex && readsLevel(sampler, image.level ?? 0),
        )
      ) {
        fail(place, `texture ${textureIndex} is the target of the pass that samples it`);
      }
      const isEmpty = texture.levels.length === 0 && texture.levelCount === undefined;
      if (isEmpty && !drawnInto.has(textureIndex)) {
        fail(place, `texture ${textureIndex} is empty: no earlier pass draws into it`);
      }
    }
  });
}

/** Checks that the draws of the queries exist. */
function checkQueries(at: string, { draws, queries = [] }: Pass): void {
  requireInteger(`${at}.queries.length`, queries.length, 0, MAX_PASS_QUERIES);
  queries.forEach(({ firstDraw, drawCount }, i) => {
    const place = `${at}.queries[${i}]`;
    if (draws.length === 0) fail(place, 'the pass has no draws');
    requireInteger(`${place}.firstDraw`, firstDraw, 0, draws.length - 1);
    requireInteger(`${place}.drawCount`, drawCount, 1, draws.length - firstDraw);
  });
}

const COPIED_CHANNELS = ['r8unorm', 'rg8unorm', 'rgba8unorm', 'rgba8unorm-srgb'];

function checkCopy(
  at: string,
  copy: TargetCopy,
  frame: Frame,
  target: PassTarget,
  attachments: Attachments,
): void {
  const { source, into, widthPx, heightPx, sourceX, sourceY, intoX, intoY } = copy;
  const format = sourceFormat(`${at}.source`, source, frame, target, attachments);
  const size = checkImage(`${at}.into`, into, frame, 'copy');
  for (const [name, extent, sourceEdge, intoEdge] of [
    ['x', widthPx, attachments.widthPx, size.widthPx],
    ['y', heightPx, attachments.heightPx, size.heightPx],
  ] as const) {
    const [from, to] = name === 'x' ? [sourceX, intoX] : [sourceY, intoY];
    requireInteger(`${at} along ${name}`, extent, 1, Math.min(sourceEdge, intoEdge));
    requireInteger(`${at}.source along ${name}`, from, 0, sourceEdge - extent);
    requireInteger(`${at}.into along ${name}`, to, 0, intoEdge - extent);
  }
  const intoFormat = frame.textures[into.textureIndex]!.format;
  const areBytes = COPIED_CHANNELS.includes(format) && COPIED_CHANNELS.includes(intoFormat);
  if (size.sampleCount > 1 && target.kind === 'screen') {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `${at}.into: the screen can be copied into textures with one sample only`,
    );
  }
  if (size.sampleCount > 1 && size.sampleCount !== attachments.sampleCount) {
    fail(
      `${at}.into`,
      `${attachments.sampleCount} samples per pixel cannot be copied to ${size.sampleCount}`,
    );
  }
  if (copy.aspect !== undefined) {
    requireOneOf(`${at}.aspect`, copy.aspect, ['depth', 'stencil']);
    if (source !== 'depth-stencil')
      fail(`${at}.aspect`, 'an aspect requires a copy of depth-stencil, not of a color');
  }
  if (format !== intoFormat && !areBytes) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `${at}: ${format} cannot be copied into ${intoFormat}`,
    );
  }
  if (copy.swizzle !== undefined) {
    if (!areBytes) fail(`${at}.swizzle`, `${format} does not have 8-bit channels`);
    for (const channel of copy.swizzle) requireOneOf(`${at}.swizzle`, channel, SWIZZLE_SOURCES);
  }
}

function sourceFormat(
  at: string,
  source: TargetCopy['source'],
  frame: Frame,
  target: PassTarget,
  { colors, depthStencil }: Attachments,
): string {
  if (source === 'depth-stencil') {
    if (target.kind === 'images' && depthStencil === null)
      fail(at, 'the pass has no depth-stencil attachment');
    return 'depth24unorm-stencil8';
  }
  requireInteger(at, source, 0, colors.length - 1);
  if (target.kind === 'screen') return 'rgba8unorm';
  const image = colors[source];
  if (image === null || image === undefined)
    return fail(at, `color attachment ${source} does not exist`);
  return drawnFormatOf(frame.textures[image.textureIndex]!, image);
}
