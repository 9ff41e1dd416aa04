/**
 * Script that runs before those of a page in a browser. The page has the time and the animation
 * frames that `pageClock` gives it, and its WebGL contexts keep their pixels.
 */
globalThis.pageClock = (() => {
  let pageMs = 0;
  const realNow = performance.now.bind(performance);
  performance.now = () => pageMs;
  const PlatformDate = Date;
  const startMs = Date.now();
  const now = () => Math.floor((globalThis.pageStartMs ?? startMs) + pageMs);
  globalThis.Date = new Proxy(PlatformDate, {
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name, target)),
    construct: (target, given, NewTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, NewTarget),
    apply: () => new PlatformDate(now()).toString(),
  });

  const callbacks = new Map();
  let lastId = 0;
  window.requestAnimationFrame = (callback) => {
    callbacks.set(++lastId, callback);
    return lastId;
  };
  window.cancelAnimationFrame = (id) => callbacks.delete(id);

  // The texels are read after the browser has shown the canvas.
  const contexts = [];
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (name, attributes) {
    if (!name.includes('webgl')) return getContext.call(this, name, attributes);
    const gl = getContext.call(this, name, { ...attributes, preserveDrawingBuffer: true });
    if (gl !== null && !contexts.includes(gl)) contexts.push(gl);
    return gl;
  };

  /**
   * Returns the size of the first canvas in the page that has a WebGL context, and its texels as
   * Base64, lowest row first.
   */
  const readCanvas = () => {
    const gl = contexts.find((context) => context.canvas.isConnected);
    if (gl === undefined) throw new Error('no canvas of the page has a context');
    const error = gl.getError();
    if (error !== 0) throw new Error(`the context has error ${error}`);
    const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    const texels = new Uint8Array(width * height * 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER ?? gl.ARRAY_BUFFER, null);
    gl.pixelStorei(gl.PACK_ALIGNMENT, 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    return [width, height, texels.toBase64()];
  };

  return {
    realNow,
    readCanvas,
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    get hasCallbacks() {
      return callbacks.size > 0;
    },
    get timeMs() {
      return pageMs;
    },
    setTime: (timeMs) => {
      pageMs = timeMs;
    },
    /** Calls the callbacks of an animation frame at a time. */
    animate: (timeMs) => {
      pageMs = timeMs;
      const started = [...callbacks.values()];
      callbacks.clear();
      for (const callback of started) callback(pageMs);
    },
  };
})();
