/**
 * Objects of another context. The text of this file also runs in a browser, so it imports types
 * only.
 */
import type { ObjectKind } from './calls/call-list.ts';

/** Creates one object of each kind that the version of a context has. */
export function createForeignObjects(
  context: object,
): Readonly<Partial<Record<ObjectKind, unknown>>> {
  const gl = context as WebGL2RenderingContext;
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, 'void main() { gl_Position = vec4(0.0); }'],
    [gl.FRAGMENT_SHADER, 'uniform lowp vec4 c; void main() { gl_FragColor = c; }'],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  const ofBoth = {
    buffer: gl.createBuffer(),
    framebuffer: gl.createFramebuffer(),
    program,
    renderbuffer: gl.createRenderbuffer(),
    shader: gl.createShader(gl.VERTEX_SHADER),
    texture: gl.createTexture(),
    location: gl.getUniformLocation(program, 'c'),
  };
  if (!('createQuery' in gl)) {
    const arrays = (context as WebGLRenderingContext).getExtension('OES_vertex_array_object');
    return { ...ofBoth, vertexArray: arrays?.createVertexArrayOES() };
  }
  return {
    ...ofBoth,
    query: gl.createQuery(),
    sampler: gl.createSampler(),
    sync: gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0),
    transformFeedback: gl.createTransformFeedback(),
    vertexArray: gl.createVertexArray(),
  };
}
