/**
 * Replays functions that name the object that they change (OpenGL 4.5, ARB_direct_state_access;
 * EXT_direct_state_access). The object is bound, the function without a name is replayed, and the
 * former object is bound again.
 */
import { GL } from '../../api/constants.ts';
import {
  type Bind,
  bindBlitted,
  bindBuffer,
  bindFramebuffer,
  bindRenderbuffer,
  bindTexture,
  bindVertexArray,
} from './bind-objects.ts';
import { numberOf, numbersOf, refuseCall } from './call-arguments.ts';
import {
  type CallReplay,
  learnNames,
  type NameMap,
  type RecordedContext,
} from './recorded-names.ts';

/** Functions by kind of object: name with the object, name without it. */
const TABLE: readonly (readonly [Bind, readonly (readonly [string, string])[]])[] = [
  [
    bindBuffer,
    [
      ['glNamedBufferData', 'glBufferData'],
      ['glNamedBufferSubData', 'glBufferSubData'],
      ['glNamedBufferStorage', 'glBufferStorage'],
    ],
  ],
  [
    bindTexture,
    [
      ...['Storage', 'SubImage', 'Image'].flatMap((what) =>
        ['1D', '2D', '3D'].map((size) => namesOf('Texture', 'Tex', `${what}${size}`)),
      ),
      ...['1D', '2D', '3D'].flatMap((size) =>
        ['SubImage', 'Image'].flatMap((what) => [
          [`glCopyTexture${what}${size}`, `glCopyTex${what}${size}`] as const,
          [`glCompressedTexture${what}${size}`, `glCompressedTex${what}${size}`] as const,
        ]),
      ),
      ...['i', 'f', 'iv', 'fv', 'Iiv', 'Iuiv'].map((type) =>
        namesOf('Texture', 'Tex', `Parameter${type}`),
      ),
      ['glGenerateTextureMipmap', 'glGenerateMipmap'],
    ],
  ],
  [
    bindFramebuffer,
    [
      ...['Texture', 'Texture1D', 'Texture2D', 'Texture3D', 'TextureLayer', 'Renderbuffer'].map(
        (what) => namesOf('NamedFramebuffer', 'Framebuffer', what),
      ),
      ['glNamedFramebufferDrawBuffer', 'glDrawBuffer'],
      ['glNamedFramebufferDrawBuffers', 'glDrawBuffers'],
      ['glNamedFramebufferReadBuffer', 'glReadBuffer'],
      ...['fv', 'iv', 'uiv', 'fi'].map((type) =>
        namesOf('ClearNamedFramebuffer', 'ClearBuffer', type),
      ),
    ],
  ],
  [bindBlitted, [['glBlitNamedFramebuffer', 'glBlitFramebuffer']]],
  [
    bindRenderbuffer,
    ['Storage', 'StorageMultisample'].map((what) =>
      namesOf('NamedRenderbuffer', 'Renderbuffer', what),
    ),
  ],
  [
    bindVertexArray,
    [
      ['glEnableVertexArrayAttrib', 'glEnableVertexAttribArray'],
      ['glDisableVertexArrayAttrib', 'glDisableVertexAttribArray'],
    ],
  ],
];

function namesOf(named: string, plain: string, rest: string): readonly [string, string] {
  return [`gl${named}${rest}`, `gl${plain}${rest}`];
}

/** Returns the replay of a function that names its object. */
function makeDirect(bind: Bind, replay: CallReplay): CallReplay {
  return (context, call) => {
    const { args, restore } = bind(context, call);
    try {
      replay(context, { ...call, args: { ...call.args, ...args } });
    } finally {
      restore();
    }
  };
}

/** Refuses uploads of several faces of a cube map at once. */
function refuseFaces(replay: CallReplay): CallReplay {
  return (context, call) => {
    const name = context.shared.textures.get(numberOf(call, 'texture'));
    const isCube = context.gl.textures.object(name)?.target === GL.TEXTURE_CUBE_MAP;
    if (isCube) refuseCall(call, 'faces of a cube map as layers are not supported');
    replay(context, call);
  };
}

const bindUnit: CallReplay = ({ gl, shared }, call) => {
  const recorded = numberOf(call, 'texture');
  if (recorded === 0) refuseCall(call, 'texture 0, which unbinds all targets, is not supported');
  const name = shared.textures.get(recorded);
  const active = gl.textures.activeUnit;
  gl.textures.activate(GL.TEXTURE0 + numberOf(call, 'unit'));
  gl.textures.bind(gl.textures.object(name)?.target ?? 0, name);
  gl.textures.activate(GL.TEXTURE0 + active);
};

const createTextures: CallReplay = ({ gl, shared }, call) => {
  const target = numberOf(call, 'target');
  learnNames(shared.textures, numbersOf(call, 'textures'), (count) => {
    const names = gl.textures.generate(count);
    const former = gl.textures.bound(gl.textures.activeUnit, target).name;
    for (const name of names) gl.textures.bind(target, name);
    gl.textures.bind(target, former);
    return names;
  });
};

const setElementBuffer: CallReplay = (context, call) => {
  const { gl, shared } = context;
  const { restore } = bindVertexArray(context, call);
  gl.buffers.bind(GL.ELEMENT_ARRAY_BUFFER, shared.buffers.get(numberOf(call, 'buffer')));
  restore();
};

/** Returns the replay of a function that creates objects as the one that generates names. */
function makeCreate(names: (context: RecordedContext) => NameMap, argument: string): CallReplay {
  return (context, call) => {
    for (const recorded of numbersOf(call, argument)) names(context).get(recorded);
  };
}

/**
 * Returns the replay functions of direct state access, by function name.
 *
 * @param replays Replays of the functions that change bound objects.
 */
export function makeDirectCalls(
  replays: Readonly<Record<string, CallReplay>>,
): Record<string, CallReplay> {
  const calls: Record<string, CallReplay> = {
    glBindTextureUnit: bindUnit,
    glCreateTextures: createTextures,
    glVertexArrayElementBuffer: setElementBuffer,
    glCreateBuffers: makeCreate(({ shared }) => shared.buffers, 'buffers'),
    glCreateFramebuffers: makeCreate(({ framebuffers }) => framebuffers, 'framebuffers'),
    glCreateRenderbuffers: makeCreate(({ shared }) => shared.renderbuffers, 'renderbuffers'),
    glCreateVertexArrays: makeCreate(({ vertexArrays }) => vertexArrays, 'arrays'),
    glCreateSamplers: makeCreate(({ samplers }) => samplers, 'samplers'),
    glCreateTransformFeedbacks: makeCreate(({ feedbacks }) => feedbacks, 'ids'),
  };
  for (const [bind, names] of TABLE) {
    for (const [named, plain] of names) {
      const replay = replays[plain];
      if (replay === undefined) continue;
      const direct = makeDirect(bind, replay);
      calls[named] = /Texture(?:Sub)?Image3D$/.test(named) ? refuseFaces(direct) : direct;
    }
  }
  return calls;
}
