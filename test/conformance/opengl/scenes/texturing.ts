/**
 * Texture environments with all formats, combiners, several units, coordinates with a fourth
 * component.
 */
import { type Cell, drawSquare, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

const EDGE = 8;
const FORMATS = [E.ALPHA, E.LUMINANCE, E.LUMINANCE_ALPHA, E.INTENSITY, E.RGB, E.RGBA] as const;
const MODES = [E.REPLACE, E.MODULATE, E.DECAL, E.BLEND, E.ADD] as const;

/** Returns texels that differ in all channels. */
function texels(): Uint8Array {
  const bytes = new Uint8Array(EDGE * EDGE * 4);
  for (let y = 0; y < EDGE; y++) {
    for (let x = 0; x < EDGE; x++) {
      const at = (y * EDGE + x) * 4;
      bytes[at] = x * 36;
      bytes[at + 1] = y * 36;
      bytes[at + 2] = ((x ^ y) & 1) * 200;
      bytes[at + 3] = 255 - ((x + y) * 255) / 16;
    }
  }
  return bytes;
}

/** Creates textures 1 to 6 with the formats; texture 7 is a second one of RGBA. */
function makeTextures(scene: SceneWriter): void {
  [...FORMATS, E.RGBA].forEach((format, i) => {
    scene.call('BindTexture', E.TEXTURE_2D, i + 1);
    scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_MIN_FILTER, E.NEAREST);
    scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_MAG_FILTER, E.NEAREST);
    const bytes = i < FORMATS.length ? texels() : texels().reverse();
    scene.call(
      'TexImage2D',
      E.TEXTURE_2D,
      0,
      format,
      EDGE,
      EDGE,
      0,
      E.RGBA,
      E.UNSIGNED_BYTE,
      bytes,
    );
  });
}

function textured(texture: number, setUp: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    scene.call('Enable', E.TEXTURE_2D).call('BindTexture', E.TEXTURE_2D, texture);
    scene.call('Color4f', 0.75, 0.5, 0.25, 0.7);
    scene.call('TexEnvfv', E.TEXTURE_ENV, E.TEXTURE_ENV_COLOR, [0.9, 0.2, 0.6, 0.4]);
    // Blending makes alpha visible.
    scene.call('Enable', E.BLEND).call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
    setUp(scene);
    drawSquare(scene);
  };
}

function environment(scene: SceneWriter, ...pairs: readonly (readonly [number, number])[]): void {
  for (const [parameter, value] of pairs) {
    scene.call('TexEnvi', E.TEXTURE_ENV, parameter, value);
  }
}

/** Scene of texture environments. */
export const ENVIRONMENTS: Scene = sceneOfCells(
  'environments',
  40,
  6,
  MODES.flatMap((mode) =>
    FORMATS.map((_, i) =>
      textured(i + 1, (scene) => environment(scene, [E.TEXTURE_ENV_MODE, mode])),
    ),
  ),
  makeTextures,
);

function combine(...pairs: readonly (readonly [number, number])[]): Cell {
  return textured(6, (scene) => {
    environment(scene, [E.TEXTURE_ENV_MODE, E.COMBINE], ...pairs);
  });
}

function secondUnit(scene: SceneWriter): void {
  scene.call('ActiveTexture', E.TEXTURE0 + 1);
  scene.call('Enable', E.TEXTURE_2D).call('BindTexture', E.TEXTURE_2D, 7);
}

/** Draws a square with coordinates of both units. */
function drawTwice(scene: SceneWriter): void {
  scene.primitive(E.QUADS, () => {
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ] as const) {
      scene.call('MultiTexCoord2f', E.TEXTURE0, x, y);
      scene.call('MultiTexCoord2f', E.TEXTURE0 + 1, 1 - y, x * 1.5);
      scene.call('Vertex2f', 1.6 * x - 0.8, 1.6 * y - 0.8);
    }
  });
}

const FUNCTIONS = [
  E.REPLACE,
  E.MODULATE,
  E.ADD,
  E.ADD_SIGNED,
  E.INTERPOLATE,
  E.SUBTRACT,
  E.DOT3_RGB,
  E.DOT3_RGBA,
];

/** Scene of combiners. */
export const COMBINERS: Scene = sceneOfCells(
  'combiners',
  40,
  8,
  [
    ...FUNCTIONS.map((each) => combine([E.COMBINE_RGB, each])),
    ...FUNCTIONS.map((each) =>
      combine(
        [E.COMBINE_RGB, each],
        [E.SRC0_RGB, E.PRIMARY_COLOR],
        [E.SRC0_RGB + 1, E.TEXTURE],
        [E.OPERAND0_RGB + 1, E.ONE_MINUS_SRC_COLOR],
        [E.OPERAND0_RGB + 2, E.ONE_MINUS_SRC_ALPHA],
        [E.RGB_SCALE, 2],
      ),
    ),
    ...FUNCTIONS.slice(0, 6).map((each) =>
      combine(
        [E.COMBINE_ALPHA, each],
        [E.SRC0_ALPHA, E.CONSTANT],
        [E.OPERAND0_ALPHA, E.ONE_MINUS_SRC_ALPHA],
        [E.ALPHA_SCALE, 4],
        [E.OPERAND0_RGB, E.SRC_ALPHA],
      ),
    ),
    (scene) => {
      scene.call('Enable', E.TEXTURE_2D).call('BindTexture', E.TEXTURE_2D, 6);
      secondUnit(scene);
      environment(scene, [E.TEXTURE_ENV_MODE, E.MODULATE]);
      drawTwice(scene);
    },
    (scene) => {
      scene.call('Enable', E.TEXTURE_2D).call('BindTexture', E.TEXTURE_2D, 6);
      secondUnit(scene);
      // Reads the texel of unit 0 again.
      environment(
        scene,
        [E.TEXTURE_ENV_MODE, E.COMBINE],
        [E.COMBINE_RGB, E.ADD_SIGNED],
        [E.SRC0_RGB + 1, E.TEXTURE0],
      );
      drawTwice(scene);
    },
    (scene) => {
      scene.call('Enable', E.TEXTURE_2D).call('BindTexture', E.TEXTURE_2D, 6);
      scene
        .call('MatrixMode', E.TEXTURE)
        .call('Translatef', 0.25, 0, 0)
        .call('Rotatef', 30, 0, 0, 1);
      scene.call('Scalef', 1.5, 0.75, 1);
      drawSquare(scene);
    },
    (scene) => {
      scene.call('Enable', E.TEXTURE_2D).call('BindTexture', E.TEXTURE_2D, 6);
      scene.primitive(E.QUADS, () => {
        for (const [s, t, q, x, y] of [
          [0, 0, 1, -0.8, -0.8],
          [1, 0, 1, 0.8, -0.8],
          [0.4, 0.4, 0.4, 0.3, 0.8],
          [0, 0.4, 0.4, -0.3, 0.8],
        ] as const) {
          scene.call('TexCoord4f', s, t, 0, q).call('Vertex2f', x, y);
        }
      });
    },
    // A texture without texels disables the unit.
    textured(99, () => {}),
  ],
  makeTextures,
);
