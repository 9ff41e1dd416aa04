/** Extensions of the context as a whole. */
import { requireObject } from '../context/arguments.ts';
import { CORE, type ContextObject } from '../context/call-table.ts';
import { fitDrawingBuffer } from '../interface/limits.ts';
import { WebGLShader } from '../objects/webgl-program.ts';
import { BOTH, type ExtensionGroup } from './extension-entry.ts';

const debugShaderCalls = {
  /** Returns the source itself, because chiplets run code compiled directly from it. */
  getTranslatedShaderSource(this: ContextObject, shader: WebGLShader): string | null {
    const core = this[CORE];
    const caller = 'getTranslatedShaderSource';
    const found = requireObject(core, caller, shader, WebGLShader);
    if (found === null) return null;
    return core.gl.shaders.find(caller, found.glName)!.compiledSource ?? '';
  },
};

/** Calls of the extensions that headless-gl adds to WebGL. */
const resizeCalls = {
  resize(this: ContextObject, width: number, height: number): void {
    this[CORE].gl.targets.resize(...fitDrawingBuffer(width, height));
  },
};

const destroyCalls = {
  /** Ends the context. Its memory is free once the program has no reference to it. */
  destroy(this: ContextObject): void {
    this[CORE].loss?.destroy();
  },
};

const lossCalls = {
  loseContext(this: ContextObject): void {
    this[CORE].loss!.lose();
  },
  restoreContext(this: ContextObject): void {
    this[CORE].loss!.restore();
  },
};

/** Extensions of contexts. */
export const contextExtensions: ExtensionGroup = {
  STACKGL_destroy_context: { versions: BOTH, calls: destroyCalls },
  STACKGL_resize_drawingbuffer: { versions: BOTH, calls: resizeCalls },
  WEBGL_debug_renderer_info: { versions: BOTH },
  WEBGL_debug_shaders: { versions: BOTH, calls: debugShaderCalls },
  WEBGL_lose_context: { versions: BOTH, calls: lossCalls },
};
