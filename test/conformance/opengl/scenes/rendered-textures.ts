/** Framebuffers with every kind of image, drawn into and then shown through textures. */
import { type Cell, drawSquare, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';
import { drawCorners, setFilters, showing, texels } from './textures.ts';

/** Edge length of framebuffers in pixels. */
export const EDGE = 32;
const CUBE_FACE = E.TEXTURE_CUBE_MAP_POSITIVE_X;
const COMPARE_REF = 0x884e;
const RGBA16F = 0x881a;

/**
 * Number of framebuffers, one per cell. Their names start at 1, as do those of their textures and
 * renderbuffers.
 */
const FRAMEBUFFER_COUNT = 16;

/** Generates names of framebuffers, textures and renderbuffers. */
export function makeNames(scene: SceneWriter, count: number): void {
  const names = Array.from({ length: count }, (_, i) => i + 1);
  scene.call('GenFramebuffers', names.length, names);
  scene.call('GenRenderbuffers', names.length, names);
}

/** Creates an empty texture level. */
export function makeTexture(scene: SceneWriter, name: number, internal: number, level = 0): void {
  scene.call('BindTexture', E.TEXTURE_2D, name);
  setFilters(scene, E.TEXTURE_2D, E.NEAREST);
  const isDepth = internal === E.DEPTH_COMPONENT;
  const format = isDepth ? E.DEPTH_COMPONENT : E.RGBA;
  const type = isDepth ? E.UNSIGNED_INT : E.UNSIGNED_BYTE;
  const edge = EDGE >> level;
  scene.call('TexImage2D', E.TEXTURE_2D, level, internal, edge, edge, 0, format, type, null);
}

/** Attaches an image to the bound framebuffer. */
export function attach(
  scene: SceneWriter,
  point: number,
  image: number,
  name: number,
  level = 0,
): void {
  scene.call('FramebufferTexture2D', E.FRAMEBUFFER, point, image, name, level);
}

/** Draws into a framebuffer and binds the window again. */
export function drawInto(
  scene: SceneWriter,
  framebuffer: number,
  draw: (scene: SceneWriter) => void,
  edge = EDGE,
): void {
  scene.call('PushAttrib', E.ALL_ATTRIBUTES).call('BindFramebuffer', E.FRAMEBUFFER, framebuffer);
  scene.call('Disable', E.SCISSOR_TEST).call('Disable', E.TEXTURE_2D);
  scene.call('Viewport', 0, 0, edge, edge);
  draw(scene);
  scene.call('BindFramebuffer', E.FRAMEBUFFER, 0).call('PopAttrib');
}

/** Draws two intersecting planes. */
export function drawPlanes(scene: SceneWriter): void {
  scene.call('ClearColor', 0.5, 0.1, 0.3, 1).call('Clear', 0x4100).call('Enable', E.DEPTH_TEST);
  for (const [i, slope] of [0.7, -0.5].entries()) {
    scene.call('Color3f', 0.9 - i * 0.7, 0.4, 0.2 + i * 0.6).call('Begin', E.QUADS);
    for (const [x, y] of [
      [-0.8, -0.7],
      [0.9, -0.7],
      [0.9, 0.8],
      [-0.8, 0.8],
    ] as const) {
      scene.call('Vertex3f', x, y, slope * x);
    }
    scene.call('End');
  }
}

/** Draws a square with a texture. */
export function show(scene: SceneWriter, name: number): void {
  showing(E.TEXTURE_2D, name, (each) => drawSquare(each))(scene);
}

const withColorAndDepth: Cell = (scene) => {
  makeTexture(scene, 1, E.RGBA);
  scene.call('BindRenderbuffer', E.RENDERBUFFER, 1);
  scene.call('RenderbufferStorage', E.RENDERBUFFER, E.DEPTH_COMPONENT24, EDGE, EDGE);
  drawInto(scene, 1, () => {
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 1);
    const depth = [E.FRAMEBUFFER, E.DEPTH_ATTACHMENT, E.RENDERBUFFER, 1] as const;
    scene.call('FramebufferRenderbuffer', ...depth);
    drawPlanes(scene);
  });
  show(scene, 1);
};

function withDepthAlone(name: number, isCompared: boolean): Cell {
  return (scene) => {
    makeTexture(scene, name, E.DEPTH_COMPONENT);
    if (isCompared) {
      scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_COMPARE_MODE, COMPARE_REF);
    }
    drawInto(scene, name, () => {
      attach(scene, E.DEPTH_ATTACHMENT, E.TEXTURE_2D, name);
      scene.call('DrawBuffer', E.NONE).call('ReadBuffer', E.NONE);
      drawPlanes(scene);
    });
    scene
      .call('Enable', E.TEXTURE_2D)
      .call('TexEnvi', E.TEXTURE_ENV, E.TEXTURE_ENV_MODE, E.REPLACE);
    drawCorners(scene, [
      [0, 0, 0.2],
      [1, 0, 0.6],
      [1, 1, 0.6],
      [0, 1, 0.2],
    ]);
  };
}

const withFaces: Cell = (scene) => {
  scene.call('BindTexture', E.TEXTURE_CUBE_MAP, 4);
  setFilters(scene, E.TEXTURE_CUBE_MAP, E.NEAREST);
  for (let face = 0; face < 6; face++) {
    const size = [E.RGBA, 16, 16, 0, E.RGBA, E.UNSIGNED_BYTE, null] as const;
    scene.call('TexImage2D', CUBE_FACE + face, 0, ...size);
  }
  for (let face = 0; face < 6; face++) {
    drawInto(
      scene,
      4,
      () => {
        attach(scene, E.COLOR_ATTACHMENT0, CUBE_FACE + face, 4);
        scene.call('ClearColor', face * 0.2, 1 - face * 0.15, 0.5, 1).call('Clear', 0x4000);
        scene.call('Color3f', 1, face * 0.2, 0).call('Rectf', -0.5, -0.5, 0.25, 0.75);
      },
      16,
    );
  }
  scene.call('Enable', E.TEXTURE_CUBE_MAP);
  scene.call('TexEnvi', E.TEXTURE_ENV, E.TEXTURE_ENV_MODE, E.REPLACE);
  drawCorners(scene, [
    [1, -0.9, 2.1],
    [2.2, -0.8, -0.9],
    [0.9, 2.1, -1.2],
    [-0.3, 0.9, 1.1],
  ]);
};

const withLevels: Cell = (scene) => {
  for (let level = 0; level < 6; level++) makeTexture(scene, 5, E.RGBA, level);
  setFilters(scene, E.TEXTURE_2D, E.NEAREST_MIPMAP_NEAREST, E.NEAREST);
  for (let level = 0; level < 6; level++) {
    drawInto(
      scene,
      5,
      () => {
        attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 5, level);
        scene.call('ClearColor', level * 0.15, 0.9 - level * 0.1, 0.3, 1).call('Clear', 0x4000);
        scene.call('Color3f', 0, 0, level * 0.2).call('Rectf', -0.5, -0.5, 0.5, 0.5);
      },
      EDGE >> level,
    );
  }
  scene.call('TexParameterf', E.TEXTURE_2D, E.TEXTURE_MIN_LOD, 2);
  show(scene, 5);
};

const fromRenderbuffer: Cell = (scene) => {
  scene.call('BindTexture', E.TEXTURE_2D, 6);
  setFilters(scene, E.TEXTURE_2D, E.NEAREST);
  scene.call('BindRenderbuffer', E.RENDERBUFFER, 6);
  scene.call('RenderbufferStorage', E.RENDERBUFFER, E.RGBA8, EDGE, EDGE);
  drawInto(scene, 6, () => {
    const color = [E.FRAMEBUFFER, E.COLOR_ATTACHMENT0, E.RENDERBUFFER, 6] as const;
    scene.call('FramebufferRenderbuffer', ...color);
    drawPlanes(scene);
    scene.call('BindTexture', E.TEXTURE_2D, 6);
    scene.call('CopyTexImage2D', E.TEXTURE_2D, 0, E.RGB, 0, 0, EDGE, EDGE, 0);
    scene.call('ClearColor', 0, 1, 0, 1).call('Clear', 0x4000);
    scene.call('CopyTexSubImage2D', E.TEXTURE_2D, 0, 5, 9, 1, 2, 12, 7);
  });
  show(scene, 6);
};

const intoSlices: Cell = (scene) => {
  scene.call('BindTexture', E.TEXTURE_3D, 7);
  setFilters(scene, E.TEXTURE_3D, E.NEAREST);
  const slices = Uint8Array.from([0, 4, 8, 11].flatMap((salt) => [...texels(8, 8, salt)]));
  const size = [E.RGBA, 8, 8, 4, 0, E.RGBA, E.UNSIGNED_BYTE] as const;
  scene.call('TexImage3D', E.TEXTURE_3D, 0, ...size, slices);
  makeTexture(scene, 8, E.RGBA);
  drawInto(scene, 7, () => {
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 8);
    drawPlanes(scene);
    scene.call('CopyTexSubImage3D', E.TEXTURE_3D, 0, 1, 2, 2, 10, 10, 6, 5);
  });
  scene.call('Enable', E.TEXTURE_3D).call('TexEnvi', E.TEXTURE_ENV, E.TEXTURE_ENV_MODE, E.REPLACE);
  drawCorners(scene, [
    [0, 0, 0.4],
    [1, 0, 0.4],
    [1, 1, 0.8],
    [0, 1, 0.8],
  ]);
};

const withFloats: Cell = (scene) => {
  makeTexture(scene, 9, RGBA16F);
  drawInto(scene, 9, () => {
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 9);
    scene.call('ClearColor', 0.3, 0.2, 0.1, 1).call('Clear', 0x4000);
    scene.call('Enable', E.BLEND).call('BlendFunc', E.ONE, E.ONE).call('Color3f', 0.4, 0.5, 0.1);
    for (let i = 0; i < 4; i++) scene.call('Rectf', -0.9 + i * 0.3, -0.8, 0.8, 0.7);
  });
  show(scene, 9);
};

/** Replaces a part of what was drawn by an upload. */
const uploadedOver: Cell = (scene) => {
  makeTexture(scene, 10, E.RGBA);
  drawInto(scene, 10, () => {
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 10);
    drawPlanes(scene);
  });
  scene.call('BindTexture', E.TEXTURE_2D, 10);
  const box = [5, 7, 9, 11, E.RGBA, E.UNSIGNED_BYTE] as const;
  scene.call('TexSubImage2D', E.TEXTURE_2D, 0, ...box, texels(9, 11));
  show(scene, 10);
};

const withMadeLevels: Cell = (scene) => {
  makeTexture(scene, 11, E.RGBA);
  drawInto(scene, 11, () => {
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 11);
    drawPlanes(scene);
  });
  scene.call('BindTexture', E.TEXTURE_2D, 11).call('GenerateMipmap', E.TEXTURE_2D);
  setFilters(scene, E.TEXTURE_2D, E.NEAREST_MIPMAP_NEAREST, E.NEAREST);
  scene.call('TexParameterf', E.TEXTURE_2D, E.TEXTURE_MIN_LOD, 2);
  show(scene, 11);
};

/** Draws again after the levels were generated; only level 0 is read. */
const drawnAgain: Cell = (scene) => {
  makeTexture(scene, 12, E.RGBA);
  scene.call('GenerateMipmap', E.TEXTURE_2D);
  drawInto(scene, 12, () => {
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 12);
    drawPlanes(scene);
  });
  scene.call('BindTexture', E.TEXTURE_2D, 12);
  show(scene, 12);
};

const withSrgb: Cell = (scene) => {
  makeTexture(scene, 13, E.SRGB8_ALPHA8);
  drawInto(scene, 13, () => {
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 13);
    scene.call('Enable', E.FRAMEBUFFER_SRGB);
    drawPlanes(scene);
  });
  show(scene, 13);
};

/** Scene of rendered textures. */
export const RENDERED: Scene = sceneOfCells(
  'rendered-textures',
  48,
  4,
  [
    withColorAndDepth,
    withDepthAlone(2, false),
    withDepthAlone(3, true),
    withFaces,
    withLevels,
    fromRenderbuffer,
    intoSlices,
    withFloats,
    uploadedOver,
    withMadeLevels,
    drawnAgain,
    withSrgb,
  ],
  (scene) => makeNames(scene, FRAMEBUFFER_COUNT),
);
