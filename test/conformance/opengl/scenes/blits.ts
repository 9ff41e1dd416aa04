/**
 * Blits between framebuffers: scaled, mirrored, clipped, of depth; and resolves of multisample
 * targets.
 */
import { type Cell, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';
import {
  attach,
  drawInto,
  drawPlanes,
  EDGE,
  makeNames,
  makeTexture,
  show,
} from './rendered-textures.ts';

const RGBA16F = 0x881a;
const COLOR = 0x4000;
const DEPTH = 0x100;
const CELL = 48;
const COLUMNS = 4;
const SAMPLES = 4;

type Edges = readonly [number, number, number, number];
const WHOLE: Edges = [0, 0, EDGE, EDGE];

/**
 * Attaches renderbuffers of color and depth to the bound framebuffer.
 *
 * @param samples Number of samples, 0 for a single one.
 */
function attachBuffers(scene: SceneWriter, name: number, samples = 0): void {
  for (const [i, format] of [E.RGBA8, E.DEPTH24_STENCIL8].entries()) {
    scene.call('BindRenderbuffer', E.RENDERBUFFER, name + i);
    const size = [format, EDGE, EDGE] as const;
    if (samples === 0) scene.call('RenderbufferStorage', E.RENDERBUFFER, ...size);
    else scene.call('RenderbufferStorageMultisample', E.RENDERBUFFER, samples, ...size);
    const points = i === 0 ? [E.COLOR_ATTACHMENT0] : [E.DEPTH_ATTACHMENT, E.STENCIL_ATTACHMENT];
    for (const point of points) {
      scene.call('FramebufferRenderbuffer', E.FRAMEBUFFER, point, E.RENDERBUFFER, name + i);
    }
  }
}

interface BlitCell {
  /** First name of the framebuffers, textures and renderbuffers; there are two of each. */
  readonly name: number;
  readonly from?: Edges;
  readonly to?: Edges;
  readonly filter?: number;
  readonly mask?: number;
  readonly scissor?: Edges;
  /** Format of the texture that is the destination. */
  readonly format?: number;
  readonly samples?: number;
  readonly draw?: (scene: SceneWriter) => void;
  /** Lower left corner of the window area that is the destination instead of a texture. */
  readonly window?: readonly [number, number];
}

/** Draws into renderbuffers, blits to a texture that was filled with a color, and shows it. */
function blitting(given: BlitCell): Cell {
  const { name, from = WHOLE, to = WHOLE, filter = E.NEAREST, mask = COLOR } = given;
  const { samples = 0, format = E.RGBA, draw = drawPlanes, window } = given;
  return (scene) => {
    drawInto(scene, name, () => {
      attachBuffers(scene, name, samples);
      draw(scene);
    });
    scene.call('PushAttrib', E.ALL_ATTRIBUTES).call('Disable', E.SCISSOR_TEST);
    if (window === undefined) {
      makeTexture(scene, name + 1, format);
      scene.call('BindFramebuffer', E.FRAMEBUFFER, name + 1);
      attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, name + 1);
      scene.call('ClearColor', 0.1, 0.6, 0.2, 1).call('Clear', COLOR);
    }
    scene.call('BindFramebuffer', E.READ_FRAMEBUFFER, name);
    if (given.scissor !== undefined) {
      scene.call('Enable', E.SCISSOR_TEST).call('Scissor', ...given.scissor);
    }
    const [x, y] = window ?? [0, 0];
    const placed = [to[0] + x, to[1] + y, to[2] + x, to[3] + y] as const;
    scene.call('BlitFramebuffer', ...from, ...placed, mask, filter);
    scene.call('BindFramebuffer', E.FRAMEBUFFER, 0).call('PopAttrib');
    if (window === undefined) show(scene, name + 1);
  };
}

/** Returns the lower left corner of a cell in a scene of `cells` cells. */
function windowOf(cell: number, cells: number): readonly [number, number] {
  const rows = Math.ceil(cells / COLUMNS);
  return [(cell % COLUMNS) * CELL, (rows - 1 - Math.floor(cell / COLUMNS)) * CELL];
}

/** Blits depth to another framebuffer, then draws into it with a depth test. */
const ofDepth: Cell = (scene) => {
  drawInto(scene, 13, () => {
    attachBuffers(scene, 13);
    drawPlanes(scene);
  });
  makeTexture(scene, 15, E.RGBA);
  drawInto(scene, 15, () => {
    attachBuffers(scene, 15);
    attach(scene, E.COLOR_ATTACHMENT0, E.TEXTURE_2D, 15);
    scene.call('ClearColor', 0.1, 0.6, 0.2, 1).call('Clear', 0x4100);
    scene.call('BindFramebuffer', E.READ_FRAMEBUFFER, 13);
    scene.call('BlitFramebuffer', 4, 3, 28, 27, 6, 5, 30, 29, DEPTH, E.NEAREST);
    scene.call('BindFramebuffer', E.FRAMEBUFFER, 15).call('Enable', E.DEPTH_TEST);
    scene.call('Color3f', 0.9, 0.8, 0.1).call('Begin', E.QUADS);
    for (const [x, y, z] of [
      [-1, -1, -0.6],
      [1, -1, -0.1],
      [1, 1, 0.4],
      [-1, 1, 0.2],
    ] as const) {
      scene.call('Vertex3f', x, y, z);
    }
    scene.call('End');
  });
  show(scene, 15);
};

const BLIT_CELLS = 12;

/** Scene of blits. */
export const BLITS: Scene = sceneOfCells(
  'blits',
  CELL,
  COLUMNS,
  [
    blitting({ name: 1 }),
    blitting({ name: 3, from: [5, 3, 20, 30], to: [9, 1, 24, 28] }),
    blitting({ name: 5, from: [4, 6, 12, 14], to: [2, 3, 26, 27] }),
    blitting({ name: 7, from: [0, 0, 32, 32], to: [31, 30, 3, 2] }),
    blitting({ name: 9, from: [2, 2, 30, 30], to: [0, 0, 13, 11], filter: E.LINEAR }),
    blitting({ name: 11, from: [8, 5, 20, 25], to: [28, 1, 3, 31], filter: E.LINEAR }),
    ofDepth,
    blitting({ name: 17, from: [0, 0, 16, 16], to: [0, 0, 32, 32], scissor: [5, 6, 20, 13] }),
    blitting({ name: 19, scissor: [3, 4, 20, 21] }),
    blitting({ name: 21, from: [-8, -4, 40, 36], to: [0, 0, 24, 20] }),
    blitting({ name: 23, format: RGBA16F, from: [3, 3, 29, 29], to: [3, 3, 29, 29] }),
    blitting({
      name: 25,
      window: windowOf(11, BLIT_CELLS),
      from: [31, 1, 2, 30],
      to: [4, 5, 44, 40],
    }),
  ],
  (scene) => makeNames(scene, 2 * BLIT_CELLS + 4),
);

/** Draws slivers and a fan of thin triangles, whose edges run in all directions. */
function drawFan(scene: SceneWriter): void {
  scene.call('ClearColor', 0.5, 0.1, 0.3, 1).call('Clear', 0x4100);
  for (let i = 0; i < 12; i++) {
    const [angle, next] = [(i * Math.PI) / 6 + 0.07, ((i + 0.55) * Math.PI) / 6 + 0.07];
    scene.call('Color3f', 0.9 - i * 0.05, 0.2 + i * 0.06, (i % 3) * 0.4).call('Begin', E.TRIANGLES);
    scene.call('Vertex3f', 0.03, -0.05, 0);
    for (const each of [angle, next]) {
      const [x, y] = [Math.fround(0.93 * Math.cos(each)), Math.fround(0.9 * Math.sin(each))];
      scene.call('Vertex3f', x, y, 0);
    }
    scene.call('End');
  }
}

/** Draws alpha from 0 to 1 over the width, as coverage. */
function drawCoverage(isAlpha: boolean): (scene: SceneWriter) => void {
  return (scene) => {
    scene.call('ClearColor', 0.5, 0.1, 0.3, 1).call('Clear', 0x4100);
    if (isAlpha) scene.call('Enable', E.SAMPLE_ALPHA_TO_COVERAGE);
    else scene.call('Enable', E.SAMPLE_COVERAGE).call('SampleCoverage', 0.5, false);
    for (let i = 0; i < 5; i++) {
      scene.call('Color4f', 0.2, 0.9, 0.6, i / 4);
      scene.call('Rectf', -0.9 + i * 0.36, -0.83, -0.6 + i * 0.36, 0.77);
    }
  };
}

const MULTISAMPLE_CELLS = 8;

/** Scene of multisample framebuffers and their resolves. */
export const MULTISAMPLE: Scene = sceneOfCells(
  'multisample',
  CELL,
  COLUMNS,
  [
    blitting({ name: 1, samples: SAMPLES, draw: drawFan }),
    blitting({ name: 3, samples: SAMPLES }),
    blitting({ name: 5, samples: 2, draw: drawFan, from: [3, 2, 27, 29], to: [3, 2, 27, 29] }),
    blitting({ name: 7, samples: SAMPLES, window: windowOf(3, MULTISAMPLE_CELLS), draw: drawFan }),
    blitting({ name: 9, samples: SAMPLES, draw: drawCoverage(false) }),
    blitting({ name: 11, samples: SAMPLES, scissor: [4, 5, 19, 20], draw: drawFan }),
    blitting({ name: 13, samples: SAMPLES, draw: drawBlended }),
  ],
  (scene) => makeNames(scene, 2 * MULTISAMPLE_CELLS + 4),
);

/** Draws overlapping shapes with a stencil that clips them. */
function drawBlended(scene: SceneWriter): void {
  scene.call('ClearColor', 0.2, 0.1, 0.4, 1).call('Clear', 0x4500).call('Enable', E.STENCIL_TEST);
  scene.call('StencilFunc', E.ALWAYS, 1, 255).call('StencilOp', E.KEEP, E.KEEP, E.REPLACE);
  scene.call('ColorMask', false, false, false, false).call('Begin', E.TRIANGLES);
  scene.call('Vertex3f', -0.83, -0.71, 0).call('Vertex3f', 0.91, -0.33, 0);
  scene.call('Vertex3f', -0.21, 0.87, 0).call('End').call('ColorMask', true, true, true, true);
  scene.call('StencilFunc', E.EQUAL, 1, 255).call('StencilOp', E.KEEP, E.KEEP, E.KEEP);
  scene.call('Enable', E.BLEND).call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
  for (let i = 0; i < 3; i++) {
    scene.call('Color4f', 0.9 - 0.3 * i, 0.3 * i, 0.5, 0.6);
    scene.call('Rectf', -0.95 + 0.3 * i, -0.9, 0.1 + 0.3 * i, 0.9 - 0.27 * i);
  }
}
