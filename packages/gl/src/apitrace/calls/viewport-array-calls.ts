/**
 * Replays viewports, scissors and depth ranges by index (ARB_viewport_array). Only a geometry
 * shader chooses a viewport, and those are refused, so every draw uses index 0 and the others have
 * no effect.
 */
import type { GlContext } from '../../context.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import { floatOf, numberOf, numbersOf } from './call-arguments.ts';
import type { CallReplay } from './recorded-names.ts';

type Setter = (gl: GlContext, values: readonly number[]) => void;

const setViewport: Setter = ({ raster }, [x, y, width, height]) =>
  raster.setViewport(x!, y!, width!, height!);
const setScissor: Setter = ({ raster }, [left, bottom, width, height]) =>
  raster.setScissor(left!, bottom!, width!, height!);
const setDepthRange: Setter = ({ raster }, [near, far]) => raster.setDepthRange(near!, far!);

/** Replays a function with a list of values, beginning at the index `first`. */
function ofList(set: Setter): CallReplay {
  return ({ gl }, call) => {
    if (numberOf(call, 'first') === 0 && numberOf(call, 'count') > 0) set(gl, numbersOf(call, 'v'));
  };
}

/** Replays a function with the values of one index. */
function ofIndex(set: Setter, take: (call: CapturedCall) => readonly number[]): CallReplay {
  return ({ gl }, call) => {
    if (numberOf(call, 'index') === 0) set(gl, take(call));
  };
}

const named =
  (...names: readonly string[]) =>
  (call: CapturedCall) =>
    names.map((name) => floatOf(call, name));
const vector = (call: CapturedCall) => numbersOf(call, 'v');

/** Replay functions of state by viewport, by function name. */
export const VIEWPORT_ARRAY_CALLS: Readonly<Record<string, CallReplay>> = {
  glViewportArrayv: ofList(setViewport),
  glViewportIndexedf: ofIndex(setViewport, named('x', 'y', 'w', 'h')),
  glViewportIndexedfv: ofIndex(setViewport, vector),
  glScissorArrayv: ofList(setScissor),
  glScissorIndexed: ofIndex(setScissor, named('left', 'bottom', 'width', 'height')),
  glScissorIndexedv: ofIndex(setScissor, vector),
  glDepthRangeArrayv: ofList(setDepthRange),
  glDepthRangeIndexed: ofIndex(setDepthRange, named('n', 'f')),
};
