const createContext = require('@tessera-gpu/webgl');

// The function itself, as in headless-gl, and its property.
const gl = createContext(4, 4) && createContext.createContext(4, 4);
gl.clearColor(1, 0, 0, 1);
gl.clear(gl.COLOR_BUFFER_BIT);
const pixel = new Uint8Array(4);
gl.readPixels(1, 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
console.log(pixel.join());
