/** Page whose canvas is drawn by a worker, in a color that another worker returns. */
const canvas = document.querySelector('canvas').transferControlToOffscreen();
const blobOf = (text) => URL.createObjectURL(new Blob([text]));

const painter = blobOf(`
  let gl = null;
  onmessage = ({ data: { canvas, color } }) => {
    gl ??= canvas.getContext('webgl2');
    if (!(gl instanceof WebGL2RenderingContext)) throw new TypeError('no context');
    gl.clearColor(...color);
    gl.clear(gl.COLOR_BUFFER_BIT);
  };`);
const mixer = `data:text/javascript,${encodeURIComponent(`
  const { data } = new ImageData(1, 1);
  data.set([255, 128, 0, 255]);
  postMessage(Array.from(data, (value) => value / 255));
`)}`;

new Worker(mixer, { type: 'module' }).onmessage = ({ data: color }) => {
  new Worker(painter).postMessage({ canvas, color }, [canvas]);
};
