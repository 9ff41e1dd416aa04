/** Rejects antialiased, stippled and mixed primitives that generated shaders cannot draw. */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { PrimitiveKind } from '../state/polygon-mode.ts';

/** Properties of a draw that the rules depend on. */
interface DrawnPrimitives {
  readonly mode: number;
  readonly vertexCount: number;
  readonly rasterized: ReadonlySet<PrimitiveKind>;
  /** Whether the stipple pattern leaves gaps in lines. */
  readonly isStippled: boolean;
  /** Number of samples per pixel of the target. */
  readonly sampleCount: number;
}

/** Capabilities that no draw with several kinds of primitives can have. */
const OF_ONE_KIND = [GL.POLYGON_STIPPLE, FIXED.POINT_SPRITE];
/** Capabilities that no draw with both lines and points can have. */
const OF_LINES_OR_POINTS = [GL.LINE_STIPPLE, GL.LINE_SMOOTH, GL.POINT_SMOOTH];

/**
 * Rejects draws that need what generated shaders do not have.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for such a draw.
 */
export function refusePrimitives(capabilities: Capabilities, drawn: DrawnPrimitives): void {
  const { rasterized, sampleCount } = drawn;
  const hasLines = rasterized.has('lines');
  const hasPoints = rasterized.has('points');
  if (rasterized.size > 1) {
    const ofOne = hasLines && hasPoints ? [...OF_ONE_KIND, ...OF_LINES_OR_POINTS] : OF_ONE_KIND;
    for (const capability of ofOne) {
      if (!capabilities.has(capability)) continue;
      refuse(`${nameOfEnum(capability)} with different polygon modes for front and back`);
    }
  }
  const isSmoothLine = hasLines && capabilities.has(GL.LINE_SMOOTH);
  const isSmoothPoint = hasPoints && capabilities.has(GL.POINT_SMOOTH);
  if (sampleCount > 1 && (isSmoothLine || isSmoothPoint)) {
    const name = nameOfEnum(isSmoothLine ? GL.LINE_SMOOTH : GL.POINT_SMOOTH);
    refuse(`${name} is enabled at a draw into a multisample target`);
  }
  if (hasLines && drawn.isStippled) refuseDashes(drawn, isSmoothLine);
}

/** Rejects antialiased dashes, and dashes whose place needs the length of the lines before. */
function refuseDashes({ mode, vertexCount }: DrawnPrimitives, isSmooth: boolean): void {
  if (isSmooth) refuse('GL_LINE_STIPPLE and GL_LINE_SMOOTH are enabled at a draw');
  if (mode !== GL.LINES && !(mode === GL.LINE_STRIP && vertexCount === 2)) {
    refuse('GL_LINE_STIPPLE is enabled at a draw of connected lines');
  }
}

function refuse(message: string): never {
  throw new RenderError('FRAME_UNSUPPORTED', message);
}
