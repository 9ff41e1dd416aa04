/** Checks how the passes of a frame hang together: what they draw into, load, and sample of each other. */
import { RenderError } from './errors.ts';
import { type Frame, type PassTarget, TARGET_ASPECTS } from './frame.ts';

const SCREEN: PassTarget = Object.freeze({ kind: 'screen' });

/**
 * Textures that a draw samples must exist and hold something by then; the draws themselves are checked elsewhere.
 *
 * @throws {RenderError} FRAME_INVALID, FRAME_UNSUPPORTED or LIMIT_EXCEEDED, naming the place.
 */
export function validatePasses(
  frame: Frame,
  limits: { readonly maxPasses: number; readonly maxTargetPixels: number },
): void {
  const { passes } = frame;
  if (passes.length > limits.maxPasses) {
    const message = `passes: ${passes.length} passes; at most ${limits.maxPasses}`;
    throw new RenderError('LIMIT_EXCEEDED', message);
  }
  if (!passes.some(({ target = SCREEN }) => target.kind === 'screen')) {
    fail('passes', 'none of them draws to the screen');
  }
  /** Textures drawn into so far, and the screen as −1. */
  const drawnInto = new Set<number>();
  let targetPixels = 0;
  passes.forEach(({ draws, target = SCREEN, loads = [] }, passIndex) => {
    const at = `passes[${passIndex}]`;
    const targetIndex = target.kind === 'screen' ? -1 : checkTarget(`${at}.target`, target, frame);
    const { widthPx, heightPx } = frame.textures[targetIndex] ?? frame;
    targetPixels += widthPx * heightPx;
    if (targetPixels > limits.maxTargetPixels) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${at}.target: the targets of all passes pass ${limits.maxTargetPixels} pixels`,
      );
    }
    for (const aspect of loads) {
      if (!TARGET_ASPECTS.includes(aspect)) {
        fail(`${at}.loads`, `'${aspect}' is none of ${TARGET_ASPECTS.join(', ')}`);
      }
      const isGiven = aspect === 'color' && (frame.textures[targetIndex]?.levels.length ?? 0) > 0;
      if (!drawnInto.has(targetIndex) && !isGiven) {
        fail(`${at}.loads`, `${aspect} is loaded, but no earlier pass has the same target`);
      }
    }
    draws.forEach((draw, drawIndex) => {
      for (const [name, { textureIndex }] of Object.entries(draw.textures)) {
        const place = `${at}.draws[${drawIndex}].textures.${name}`;
        if (textureIndex === targetIndex && target.kind === 'texture') {
          fail(place, `texture ${textureIndex} is the target of the pass that samples it`);
        }
        const texture = frame.textures[textureIndex];
        if (texture !== undefined && texture.levels.length === 0 && !drawnInto.has(textureIndex)) {
          fail(place, `texture ${textureIndex} holds nothing: no earlier pass draws into it`);
        }
      }
    });
    drawnInto.add(targetIndex);
  });
}

/** @returns The texture's index. */
function checkTarget(
  at: string,
  target: Extract<PassTarget, { kind: 'texture' }>,
  frame: Frame,
): number {
  if (target.kind !== 'texture') fail(`${at}.kind`, 'neither screen nor texture');
  const { textureIndex } = target;
  const texture = frame.textures[textureIndex];
  if (texture === undefined) {
    fail(`${at}.textureIndex`, `${textureIndex}, but there are ${frame.textures.length}`);
  }
  if (texture.format !== 'rgba8unorm') {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `${at}: texture ${textureIndex} is ${texture.format}; passes draw into rgba8unorm`,
    );
  }
  if (texture.levels.length > 1) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `${at}: texture ${textureIndex} has levels of its own; generated ones can be drawn into`,
    );
  }
  return textureIndex;
}

function fail(at: string, what: string): never {
  throw new RenderError('FRAME_INVALID', `${at}: ${what}`);
}
