/** Blending and write masks of single draw buffers (OES_draw_buffers_indexed). */
import { CORE, type ContextObject } from '../context/call-table.ts';
import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';
import {
  areFactors,
  isDestinationFactor,
  isDrawBuffer,
  isEquation,
  isSourceFactor,
} from '../rules/blend-rules.ts';

function setBlending(
  core: ContextCore,
  caller: string,
  target: number,
  index: number,
  isBlended: boolean,
): void {
  if (target !== GL.BLEND) core.rejectEnum(caller, 'target', target);
  else if (isDrawBuffer(core, caller, index)) core.gl.raster.setTargetBlending(index, isBlended);
}

function setEquations(
  core: ContextCore,
  caller: string,
  index: number,
  color: number,
  alpha: number,
): void {
  if (!isDrawBuffer(core, caller, index)) return;
  if (!isEquation(core, caller, color) || !isEquation(core, caller, alpha)) return;
  core.gl.raster.setBlendEquations(color, alpha, index);
}

function setFactors(
  core: ContextCore,
  caller: string,
  index: number,
  [sourceColor, destinationColor, sourceAlpha, destinationAlpha]: readonly [
    number,
    number,
    number,
    number,
  ],
): void {
  if (!isDrawBuffer(core, caller, index)) return;
  if (!areFactors(core, caller, sourceColor, destinationColor)) return;
  if (!isSourceFactor(core, caller, sourceAlpha)) return;
  if (!isDestinationFactor(core, caller, destinationAlpha)) return;
  core.gl.raster.setBlendFactors(
    sourceColor,
    destinationColor,
    sourceAlpha,
    destinationAlpha,
    index,
  );
}

/** Calls of OES_draw_buffers_indexed. */
export const indexedDrawBufferCalls = {
  enableiOES(this: ContextObject, target: number, index: number): void {
    setBlending(this[CORE], 'enableiOES', target, index, true);
  },
  disableiOES(this: ContextObject, target: number, index: number): void {
    setBlending(this[CORE], 'disableiOES', target, index, false);
  },
  blendEquationiOES(this: ContextObject, index: number, mode: number): void {
    setEquations(this[CORE], 'blendEquationiOES', index, mode, mode);
  },
  blendEquationSeparateiOES(
    this: ContextObject,
    index: number,
    color: number,
    alpha: number,
  ): void {
    setEquations(this[CORE], 'blendEquationSeparateiOES', index, color, alpha);
  },
  blendFunciOES(this: ContextObject, index: number, source: number, destination: number): void {
    const factors = [source, destination, source, destination] as const;
    setFactors(this[CORE], 'blendFunciOES', index, factors);
  },
  blendFuncSeparateiOES(
    this: ContextObject,
    index: number,
    sourceColor: number,
    destinationColor: number,
    sourceAlpha: number,
    destinationAlpha: number,
  ): void {
    setFactors(this[CORE], 'blendFuncSeparateiOES', index, [
      sourceColor,
      destinationColor,
      sourceAlpha,
      destinationAlpha,
    ]);
  },
  colorMaskiOES(
    this: ContextObject,
    index: number,
    red: boolean,
    green: boolean,
    blue: boolean,
    alpha: boolean,
  ): void {
    const core = this[CORE];
    if (!isDrawBuffer(core, 'colorMaskiOES', index)) return;
    core.gl.raster.setTargetMask(index, [red, green, blue, alpha]);
  },
};
