/** Binds the object that a recorded call names, for the time of the call. */
import { GL } from '../../api/constants.ts';
import { bindingTargetOf } from '../../objects/samplers/texture-parameters.ts';
import type { CapturedCall } from '../format/capture-reader.ts';
import type { CapturedValue } from '../format/captured-value.ts';
import { numberOf } from './call-arguments.ts';
import type { RecordedContext } from './recorded-names.ts';

/** Binds the object that a call names and returns a function that binds the former object. */
export type Bind = (context: RecordedContext, call: CapturedCall) => Bound;

interface Bound {
  /** Arguments in place of the object's name. */
  readonly args: Readonly<Record<string, CapturedValue>>;
  readonly restore: () => void;
}

/** Binds the buffer of a call. */
export const bindBuffer: Bind = ({ gl, shared }, call) => {
  const target = GL.COPY_WRITE_BUFFER;
  const former = gl.buffers.bound(target)?.name ?? 0;
  gl.buffers.bind(target, shared.buffers.get(numberOf(call, 'buffer')));
  return { args: { target }, restore: () => gl.buffers.bind(target, former) };
};

/** Binds a texture to the target that the call has, or that the texture was created for. */
export const bindTexture: Bind = ({ gl, shared }, call) => {
  const name = shared.textures.get(numberOf(call, 'texture'));
  const given = 'target' in call.args ? numberOf(call, 'target') : null;
  const target = bindingTargetOf(given ?? gl.textures.object(name)?.target ?? 0);
  const former = gl.textures.bound(gl.textures.activeUnit, target).name;
  gl.textures.bind(target, name);
  return {
    args: { target: given ?? target },
    restore: () => gl.textures.bind(target, former),
  };
};

/** Binds the framebuffer of a call for draws and reads. */
export const bindFramebuffer: Bind = ({ gl, framebuffers }, call) => {
  const restore = saveFramebuffers(gl);
  gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffers.get(numberOf(call, 'framebuffer')));
  return { args: { target: GL.FRAMEBUFFER }, restore };
};

/** Binds the source and the destination of a blit. */
export const bindBlitted: Bind = ({ gl, framebuffers }, call) => {
  const restore = saveFramebuffers(gl);
  const bind = (target: number, name: string) =>
    gl.framebuffers.bind(target, framebuffers.get(numberOf(call, name)));
  bind(GL.READ_FRAMEBUFFER, 'readFramebuffer');
  bind(GL.DRAW_FRAMEBUFFER, 'drawFramebuffer');
  return { args: {}, restore };
};

/** Returns a function that binds the framebuffers that are bound now. */
function saveFramebuffers({ framebuffers }: RecordedContext['gl']): () => void {
  const drawn = framebuffers.drawFramebuffer?.name ?? 0;
  const read = framebuffers.readFramebuffer?.name ?? 0;
  return () => {
    framebuffers.bind(GL.DRAW_FRAMEBUFFER, drawn);
    framebuffers.bind(GL.READ_FRAMEBUFFER, read);
  };
}

/** Binds the renderbuffer of a call. */
export const bindRenderbuffer: Bind = ({ gl, shared }, call) => {
  const target = GL.RENDERBUFFER;
  const former = gl.renderbuffers.bound?.name ?? 0;
  gl.renderbuffers.bind(target, shared.renderbuffers.get(numberOf(call, 'renderbuffer')));
  return { args: { target }, restore: () => gl.renderbuffers.bind(target, former) };
};

/** Binds the vertex array of a call. */
export const bindVertexArray: Bind = ({ gl, vertexArrays }, call) => {
  const former = gl.vertexArrays.current;
  gl.vertexArrays.bind(vertexArrays.get(numberOf(call, 'vaobj')));
  return { args: {}, restore: () => gl.vertexArrays.restore(former) };
};
