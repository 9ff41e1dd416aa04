/** Binds the object that a recorded call names, for the time of the call. */
import { GL } from '../../api/constants.ts';
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

/** Returns the target that a face of a cube map belongs to, or the target itself. */
function bindingTargetOf(target: number): number {
  const isFace =
    target >= GL.TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;
  return isFace ? GL.TEXTURE_CUBE_MAP : target;
}

/** Binds the framebuffer of a call for draws and reads. */
export const bindFramebuffer: Bind = ({ gl, framebuffers }, call) => {
  const drawn = gl.framebuffers.drawFramebuffer?.name ?? 0;
  const read = gl.framebuffers.readFramebuffer?.name ?? 0;
  gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffers.get(numberOf(call, 'framebuffer')));
  const restore = () => {
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, drawn);
    gl.framebuffers.bind(GL.READ_FRAMEBUFFER, read);
  };
  return { args: { target: GL.FRAMEBUFFER }, restore };
};

/** Binds the source and the destination of a blit. */
export const bindBlitted: Bind = ({ gl, framebuffers }, call) => {
  const drawn = gl.framebuffers.drawFramebuffer?.name ?? 0;
  const read = gl.framebuffers.readFramebuffer?.name ?? 0;
  const bind = (target: number, name: number) => gl.framebuffers.bind(target, name);
  bind(GL.READ_FRAMEBUFFER, framebuffers.get(numberOf(call, 'readFramebuffer')));
  bind(GL.DRAW_FRAMEBUFFER, framebuffers.get(numberOf(call, 'drawFramebuffer')));
  const restore = () => {
    bind(GL.DRAW_FRAMEBUFFER, drawn);
    bind(GL.READ_FRAMEBUFFER, read);
  };
  return { args: {}, restore };
};

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
