/** Script of the page that runs a WebGL program in a browser, one frame at a time. */
const { animate, delay, realNow, readCanvas } = pageClock;

/** Draws a frame of a program that has started in `main`. */
async function animateLater() {
  await delay(50);
  animate(pageClock.timeMs);
}

/**
 * Minimum number of frames and wall time in which a page loads, at times from 0 in small steps as
 * in Tessera.
 */
const LOAD_FRAMES = 40;
const LOAD_MS = 1500;
const STEP_MS = 2 ** -10;

/** Draws frames of a page that draws in requestAnimationFrame. */
async function drawPage(frameIndex) {
  const endMs = realNow() + LOAD_MS;
  for (let frame = 0; frame < LOAD_FRAMES || realNow() < endMs; frame++) {
    animate(frame * STEP_MS);
    await delay(16);
  }
  for (let frame = 1; frame <= frameIndex; frame++) {
    animate((frame * 1000) / 60);
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
      pageClock.setTime((frame * 1000) / 60);
      await draw(frame);
    }
  }
  return readCanvas();
};
