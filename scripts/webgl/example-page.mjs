/** Script of the page that runs a WebGL program in a browser, one frame at a time. */

// Time of the page, which its frames set, as in Tessera.
const realTime = performance.now.bind(performance);
let pageMs = 0;
performance.now = () => pageMs;
const startMs = Date.now();
Date.now = () => Math.floor(startMs + pageMs);
const callbacks = new Map();
let lastId = 0;
window.requestAnimationFrame = (callback) => {
  callbacks.set(++lastId, callback);
  return lastId;
};
window.cancelAnimationFrame = (id) => callbacks.delete(id);
const animate = () => {
  const started = [...callbacks.values()];
  callbacks.clear();
  for (const callback of started) callback(pageMs);
};
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The texels are read after the browser has shown the canvas.
const contexts = [];
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (name, attributes) {
  if (!name.includes('webgl')) return getContext.call(this, name, attributes);
  const gl = getContext.call(this, name, { ...attributes, preserveDrawingBuffer: true });
  if (gl !== null && !contexts.includes(gl)) contexts.push(gl);
  return gl;
};

/** Draws a frame of a program that has started in `main`. */
async function animateLater() {
  await delay(50);
  animate();
}

/**
 * Minimum number of frames and wall time in which a page loads, at times from 0 in small steps as
 * in Tessera.
 */
const LOAD_FRAMES = 40;
const LOAD_MS = 1500;

/** Draws frames of a page that draws in requestAnimationFrame. */
async function drawPage(frameIndex) {
  const endMs = realTime() + LOAD_MS;
  for (let frame = 0; frame < LOAD_FRAMES || realTime() < endMs; frame++) {
    animate();
    await delay(16);
    pageMs += 2 ** -10;
  }
  for (let frame = 1; frame <= frameIndex; frame++) {
    pageMs = (frame * 1000) / 60;
    animate();
    await delay(0);
  }
}

/** Returns the size of the canvas, and its texels as Base64, lowest row first. */
window.renderExample = async (address, widthPx, heightPx, frameIndex) => {
  const canvas = document.querySelector('canvas');
  canvas.width = widthPx;
  canvas.height = heightPx;
  const example = await import(address);
  let draw = null;
  if (example.main !== undefined) {
    const gl = canvas.getContext(example.contextName ?? 'webgl2', {
      stencil: true,
      ...example.contextAttributes,
    });
    draw = (await example.main({ canvas, gl })) ?? animateLater;
  }
  if (draw === null) {
    await drawPage(frameIndex);
  } else {
    for (let frame = 0; frame <= frameIndex; frame++) {
      pageMs = (frame * 1000) / 60;
      await draw(frame);
    }
  }
  const gl = contexts.find((context) => context.canvas.isConnected);
  if (gl === undefined) throw new Error('no canvas of the page has a context');
  const error = gl.getError();
  if (error !== 0) throw new Error(`the context has error ${error}`);
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  const texels = new Uint8Array(width * height * 4);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.pixelStorei(gl.PACK_ALIGNMENT, 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  return [width, height, texels.toBase64()];
};
