/** Replays clears of single buffers (OpenGL 3.0, section 4.2.3). */
import type { CapturedCall } from '../format/capture-reader.ts';
import { floatOf, numberOf, numbersOf } from './call-arguments.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

const COLOR = 0x1800;
const DEPTH = 0x1801;

function clear({ gl }: RecordedContext, call: CapturedCall): void {
  const [first = 0, second = 0, third = 0, fourth = 0] = numbersOf(call, 'value');
  switch (numberOf(call, 'buffer')) {
    case COLOR:
      gl.clears.clearColor(numberOf(call, 'drawbuffer'), [first, second, third, fourth]);
      return;
    case DEPTH:
      gl.clears.clearDepthStencil(first, null);
      return;
    default:
      gl.clears.clearDepthStencil(null, first);
  }
}

/** Replay functions of clears of single buffers, by function name. */
export const CLEAR_BUFFER_CALLS: Readonly<Record<string, CallReplay>> = {
  glClearBufferfv: clear,
  glClearBufferiv: clear,
  glClearBufferuiv: clear,
  glClearBufferfi: ({ gl }, call) =>
    gl.clears.clearDepthStencil(floatOf(call, 'depth'), numberOf(call, 'stencil')),
};
