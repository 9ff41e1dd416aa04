/**
 * The passes of the frame that is recorded. Each remembers what its buffers hold when it begins: a value all
 * over, which is a clear, or what an earlier pass left, which is loaded.
 */
import {
  type Draw,
  type Pass,
  type PassClear,
  RenderError,
  TARGET_ASPECTS,
  type TargetAspect,
} from '@tessera/frame';
import type { TextureLevel, TextureObject } from '../state/texture-object.ts';
import type { FrameAssembler } from './frame-assembler.ts';
import {
  type BufferIdentity,
  confineDraw,
  isSameTarget,
  type PassAttachments,
  storedColor,
} from './pass-attachments.ts';

/** A texture that is drawn into, as the frame names it. */
interface DrawnTexture {
  /** Replaced when the program uploads the level again: what was drawn is gone then. */
  readonly level: TextureLevel;
  readonly textureIndex: number;
}

export interface RecordedPass {
  readonly attachments: PassAttachments;
  /** `null` is the screen. */
  readonly textureIndex: number | null;
  clear: PassClear;
  readonly loads: Set<TargetAspect>;
  /** Held by a pass into another target; a draw that needs it cannot be drawn. */
  readonly foreign: Set<TargetAspect>;
  readonly draws: Draw[];
}

/** What a target that nobody cleared holds. */
const INITIAL_CLEAR: PassClear = { color: [0, 0, 0, 0], depth: 1, stencil: 0 };

export class PassList {
  readonly #assembler: FrameAssembler;
  readonly #passes: RecordedPass[] = [];
  readonly #drawnTextures = new Map<TextureObject, DrawnTexture>();

  constructor(assembler: FrameAssembler) {
    this.#assembler = assembler;
  }

  /** Index of a texture that a pass of this frame has drawn into, as long as that is what it holds. */
  drawnIndexOf(texture: TextureObject): number | null {
    const drawn = this.#drawnTextures.get(texture);
    return drawn !== undefined && drawn.level === texture.level(0) ? drawn.textureIndex : null;
  }

  /** The pass that is under way, or a new one if the last had another target. */
  passFor(attachments: PassAttachments): RecordedPass {
    const { color } = attachments;
    const last = this.#passes.at(-1);
    const textureIndex = color === 'screen' ? null : this.drawnIndexOf(color);
    const isUnderWay =
      last !== undefined &&
      isSameTarget(last.attachments, attachments) &&
      last.textureIndex === textureIndex;
    return isUnderWay ? last : this.#begin(attachments);
  }

  /**
   * Adds a draw to its pass.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if it needs the depth or stencil of another target.
   */
  append(draw: Draw, attachments: PassAttachments): void {
    const pass = this.passFor(attachments);
    const confined = confineDraw(draw, attachments);
    for (const aspect of ['depth', 'stencil'] as const) {
      if (!pass.foreign.has(aspect) || !confined.state[aspect].isTestEnabled) continue;
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `passes[${this.#passes.length - 1}]: its ${aspect} buffer was drawn with another target`,
      );
    }
    pass.draws.push(confined);
  }

  /** The passes as a frame has them; there is one to the screen. */
  finish(): Pass[] {
    const isOnScreen = ({ textureIndex }: RecordedPass) => textureIndex === null;
    if (!this.#passes.some(isOnScreen)) {
      this.passFor({ color: 'screen', hasAlpha: true, depth: 'screen', stencil: 'screen' });
    }
    return this.#passes
      .filter((_pass, index) => !this.#isWithoutEffect(index))
      .map(({ clear, draws, textureIndex, loads }) => ({
        clear,
        draws,
        ...(textureIndex === null ? {} : { target: { kind: 'texture', textureIndex } as const }),
        ...(loads.size === 0 ? {} : { loads: [...loads] }),
      }));
  }

  #begin(attachments: PassAttachments): RecordedPass {
    const { color } = attachments;
    const isNew = color !== 'screen' && this.drawnIndexOf(color) === null;
    const given = isNew ? this.#beginTexture(color) : null;
    const pass: RecordedPass = {
      attachments,
      textureIndex: color === 'screen' ? null : this.drawnIndexOf(color),
      clear: {
        ...INITIAL_CLEAR,
        color: storedColor(given ?? INITIAL_CLEAR.color, attachments.hasAlpha),
      },
      loads: new Set(isNew && given === null ? ['color'] : []),
      foreign: new Set(),
      draws: [],
    };
    for (const aspect of TARGET_ASPECTS) {
      const identity = attachments[aspect];
      if (identity !== null && !(isNew && aspect === 'color')) this.#take(pass, aspect, identity);
    }
    this.#passes.push(pass);
    return pass;
  }

  /** Names a texture in the frame; gives its colour if it is one all over, else `null`: its texels are loaded. */
  #beginTexture(texture: TextureObject): PassClear['color'] | null {
    const level = texture.level(0)!;
    const { widthPx, heightPx, texels } = level;
    // What earlier frames drew is not known here.
    const color = texture.isDrawnInto ? INITIAL_CLEAR.color : findUniformColor(texels);
    const levels = color === null ? [texels] : [];
    const textureIndex = this.#assembler.addTarget(widthPx, heightPx, levels);
    this.#drawnTextures.set(texture, { level, textureIndex });
    return color;
  }

  /** Takes over what the last pass with the same buffer left in it. */
  #take(pass: RecordedPass, aspect: TargetAspect, identity: BufferIdentity): void {
    const before = this.#passes.findLast(({ attachments }) => attachments[aspect] === identity);
    if (before === undefined) return;
    const isLastOfTarget =
      before === this.#passes.findLast(({ textureIndex }) => textureIndex === pass.textureIndex);
    if (!before.loads.has(aspect) && !before.foreign.has(aspect) && !isWritten(before, aspect)) {
      pass.clear = { ...pass.clear, [aspect]: before.clear[aspect] };
    } else if (isLastOfTarget) {
      (before.foreign.has(aspect) ? pass.foreign : pass.loads).add(aspect);
    } else {
      pass.foreign.add(aspect);
    }
  }

  /** Whether nothing is drawn in a pass and nobody sees what it clears. */
  #isWithoutEffect(index: number): boolean {
    const pass = this.#passes[index]!;
    if (pass.draws.length > 0) return false;
    for (const later of this.#passes.slice(index + 1)) {
      if (later.textureIndex === pass.textureIndex) return later.loads.size === 0;
      const isSampled = later.draws.some(({ textures }) =>
        Object.values(textures).some(({ textureIndex }) => textureIndex === pass.textureIndex),
      );
      if (isSampled) return false;
    }
    return pass.textureIndex !== null;
  }
}

/** Whether a draw of the pass may write it. */
function isWritten({ draws }: RecordedPass, aspect: TargetAspect): boolean {
  return draws.some(({ state: { colorMask, depth, stencil } }) => {
    if (aspect === 'color') return colorMask.includes(true);
    if (aspect === 'stencil') return stencil.isTestEnabled;
    return depth.isTestEnabled && depth.isWriteEnabled;
  });
}

/** The colour that all RGBA texels have, or `null`. */
function findUniformColor(texels: Uint8Array): PassClear['color'] | null {
  for (let at = 4; at < texels.length; at++) if (texels[at] !== texels[at - 4]) return null;
  const [red, green, blue, alpha] = texels;
  return [red! / 255, green! / 255, blue! / 255, alpha! / 255];
}
