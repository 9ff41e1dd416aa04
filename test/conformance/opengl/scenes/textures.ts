/** Kinds of textures, upload formats, memory layouts, filters, wrapping and levels of detail. */
import { type Cell, drawSquare, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

const EDGE = 8;
const WRAP_R = 0x8072;
const COMPARE_FUNC = 0x884d;
const COMPARE_REF = 0x884e;
const DEPTH_MODE = 0x884b;
const BORDER_COLOR = 0x1004;
const CLAMP_TO_BORDER = 0x812d;
const CUBE_FACES = [0, 1, 2, 3, 4, 5].map((face) => E.TEXTURE_CUBE_MAP_POSITIVE_X + face);

/** Returns RGBA texels that differ in all channels. */
export function texels(widthPx: number, heightPx = widthPx, salt = 0): Uint8Array {
  const bytes = new Uint8Array(widthPx * heightPx * 4);
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const at = (y * widthPx + x) * 4;
      bytes[at] = (x * 255) / Math.max(1, widthPx - 1);
      bytes[at + 1] = (y * 255) / Math.max(1, heightPx - 1);
      bytes[at + 2] = ((x ^ y) & 1) * 120 + salt * 21;
      bytes[at + 3] = 255 - ((x + y) * 200) / (widthPx + heightPx);
    }
  }
  return bytes;
}

/** Sets the filters of the bound texture. */
export function setFilters(scene: SceneWriter, target: number, min: number, mag = min): void {
  scene.call('TexParameteri', target, E.TEXTURE_MIN_FILTER, min);
  scene.call('TexParameteri', target, E.TEXTURE_MAG_FILTER, mag);
}

/** Draws a square with three-component coordinates, counter-clockwise from the lower left. */
export function drawCorners(
  scene: SceneWriter,
  coordinates: readonly (readonly [number, number, number])[],
): void {
  scene.primitive(E.QUADS, () => {
    for (const [i, [x, y]] of [
      [-0.8, -0.8],
      [0.8, -0.8],
      [0.8, 0.8],
      [-0.8, 0.8],
    ].entries()) {
      scene.call('TexCoord3f', ...coordinates[i]!).call('Vertex2f', x!, y!);
    }
  });
}

/** Draws with a texture only. */
export function showing(target: number, texture: number, draw: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    scene.call('Enable', target).call('BindTexture', target, texture);
    scene.call('TexEnvi', E.TEXTURE_ENV, E.TEXTURE_ENV_MODE, E.REPLACE);
    draw(scene);
  };
}

function makeKinds(scene: SceneWriter): void {
  scene.call('BindTexture', E.TEXTURE_1D, 1);
  const rgba = [E.RGBA, E.UNSIGNED_BYTE] as const;
  scene.call('TexImage1D', E.TEXTURE_1D, 0, E.RGBA, EDGE, 0, ...rgba, texels(EDGE, 1));
  scene.call('BindTexture', E.TEXTURE_3D, 2);
  const slices = Uint8Array.from([0, 3, 6, 9].flatMap((salt) => [...texels(4, 4, salt)]));
  scene.call('TexImage3D', E.TEXTURE_3D, 0, E.RGBA, 4, 4, 4, 0, ...rgba, slices);
  const box = texels(2, 2, 5);
  scene.call('TexSubImage3D', E.TEXTURE_3D, 0, 1, 2, 3, 2, 2, 1, ...rgba, box);
  scene.call('BindTexture', E.TEXTURE_CUBE_MAP, 3);
  CUBE_FACES.forEach((face, i) => {
    const bytes = texels(EDGE, EDGE, i * 2);
    scene.call('TexImage2D', face, 0, E.RGBA, EDGE, EDGE, 0, ...rgba, bytes);
  });
  scene.call('BindTexture', E.TEXTURE_RECTANGLE, 4);
  const bytes = texels(12, 7);
  scene.call('TexImage2D', E.TEXTURE_RECTANGLE, 0, E.RGBA, 12, 7, 0, ...rgba, bytes);
  const depths = Float32Array.from({ length: 64 }, (_, i) => (i % 8) / 10 + (i >> 3) / 40);
  const depth = E.DEPTH_COMPONENT;
  // Compared textures are separate ones, because Mesa's fixed functions ignore a later change.
  for (const texture of [5, 6, 7, 8]) {
    scene.call('BindTexture', E.TEXTURE_2D, texture);
    scene.call('TexImage2D', E.TEXTURE_2D, 0, depth, EDGE, EDGE, 0, depth, E.FLOAT, depths);
    if (texture === 5) continue;
    scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_COMPARE_MODE, COMPARE_REF);
  }
}

const DIRECTIONS = [
  [1, -1, 1] as const,
  [1, -1, -1] as const,
  [1, 1, -1] as const,
  [1, 1, 1] as const,
];

function compared(texture: number, compare: number, filter: number, mode: number): Cell {
  return showing(E.TEXTURE_2D, texture, (scene) => {
    setFilters(scene, E.TEXTURE_2D, filter);
    scene.call('TexParameteri', E.TEXTURE_2D, COMPARE_FUNC, compare);
    scene.call('TexParameteri', E.TEXTURE_2D, DEPTH_MODE, mode);
    scene.call('Enable', E.BLEND).call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
    scene.call('Color4f', 0.9, 0.6, 0.2, 0.8);
    scene.call('TexEnvi', E.TEXTURE_ENV, E.TEXTURE_ENV_MODE, E.MODULATE);
    drawCorners(scene, [
      [0, 0, 0.3],
      [1, 0, 0.5],
      [1, 1, 0.5],
      [0, 1, 0.7],
    ]);
  });
}

/** Scene of kinds of textures. */
export const TEXTURE_KINDS: Scene = sceneOfCells(
  'texture-kinds',
  48,
  6,
  [
    ...[E.NEAREST, E.LINEAR].flatMap((filter): Cell[] => [
      showing(E.TEXTURE_1D, 1, (scene) => {
        setFilters(scene, E.TEXTURE_1D, filter);
        drawSquare(scene, 0.8, 0, 1.5);
      }),
      showing(E.TEXTURE_3D, 2, (scene) => {
        setFilters(scene, E.TEXTURE_3D, filter);
        scene.call('TexParameteri', E.TEXTURE_3D, WRAP_R, E.CLAMP_TO_EDGE);
        drawCorners(scene, [
          [0, 0, 0],
          [1, 0, 0.9],
          [1.2, 1.1, 1],
          [0, 1.1, 0.2],
        ]);
      }),
      showing(E.TEXTURE_RECTANGLE, 4, (scene) => {
        setFilters(scene, E.TEXTURE_RECTANGLE, filter);
        drawCorners(scene, [
          [-1, -1, 0],
          [13, 0, 0],
          [12, 8, 0],
          [0, 7, 0],
        ]);
      }),
      ...[0, 1, 2, 3, 4, 5].map((turn) =>
        showing(E.TEXTURE_CUBE_MAP, 3, (scene) => {
          setFilters(scene, E.TEXTURE_CUBE_MAP, filter);
          for (const wrap of [E.TEXTURE_WRAP_S, E.TEXTURE_WRAP_T]) {
            scene.call('TexParameteri', E.TEXTURE_CUBE_MAP, wrap, E.CLAMP_TO_EDGE);
          }
          const sign = turn < 3 ? 0.98 : -0.98;
          drawCorners(
            scene,
            DIRECTIONS.map((each) => {
              const turned = [0, 1, 2].map((i) => {
                const value = each[(i + turn) % 3]!;
                return (i + turn) % 3 === 0 ? value : value * sign;
              });
              const flip = turn < 3 ? 1 : -1;
              return [turned[0]! * flip, turned[1]! * flip, turned[2]! * flip] as const;
            }),
          );
        }),
      ),
    ]),
    ...[E.LUMINANCE, E.INTENSITY, E.ALPHA].map((mode) =>
      showing(E.TEXTURE_2D, 5, (scene) => {
        setFilters(scene, E.TEXTURE_2D, E.NEAREST);
        scene.call('TexParameteri', E.TEXTURE_2D, DEPTH_MODE, mode);
        scene.call('Enable', E.BLEND).call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
        scene.call('TexEnvi', E.TEXTURE_ENV, E.TEXTURE_ENV_MODE, E.MODULATE);
        drawSquare(scene);
      }),
    ),
    compared(6, 0x203, E.NEAREST, E.LUMINANCE),
    compared(7, 0x204, E.NEAREST, E.INTENSITY),
    compared(8, 0x206, E.NEAREST, E.ALPHA),
  ],
  makeKinds,
);

/** Internal format, format and type of an upload, and the number of bytes per texel. */
type FormatRow = readonly [number, number, number, number];

/** Rows of upload formats; the last number is the bytes per texel. */
const FORMAT_ROWS: readonly FormatRow[] = [
  ...[E.ALPHA, E.LUMINANCE, E.INTENSITY, E.RGB, E.RGBA, E.LUMINANCE_ALPHA].flatMap(
    (internal): FormatRow[] => [
      [internal, E.RGBA, E.UNSIGNED_BYTE, 4],
      [internal, E.BGRA, E.UNSIGNED_BYTE, 4],
      [internal, E.LUMINANCE_ALPHA, E.UNSIGNED_BYTE, 2],
    ],
  ),
  [E.RGB, E.RGB, E.UNSIGNED_SHORT_5_6_5, 2],
  [E.RGB, E.RGB, E.UNSIGNED_SHORT_5_6_5_REV, 2],
  [E.RGBA, E.RGBA, E.UNSIGNED_SHORT_4_4_4_4, 2],
  [E.RGBA, E.BGRA, E.UNSIGNED_SHORT_4_4_4_4_REV, 2],
  [E.RGBA, E.RGBA, E.UNSIGNED_SHORT_5_5_5_1, 2],
  [E.RGBA, E.BGRA, E.UNSIGNED_SHORT_1_5_5_5_REV, 2],
  [E.RGBA, E.BGRA, E.UNSIGNED_INT_8_8_8_8_REV, 4],
  [E.RGBA, E.RGBA, E.UNSIGNED_INT_8_8_8_8, 4],
  [E.RGB, E.BGR, E.UNSIGNED_BYTE, 3],
  [E.RGBA, E.RGBA, E.UNSIGNED_SHORT, 8],
  [E.SRGB_ALPHA, E.RGBA, E.UNSIGNED_BYTE, 4],
  [E.SRGB, E.RGB, E.UNSIGNED_BYTE, 3],
];

/** Scene of upload formats. */
export const TEXTURE_FORMATS: Scene = sceneOfCells(
  'texture-formats',
  40,
  8,
  FORMAT_ROWS.map(
    ([internal, format, type, texelBytes]): Cell =>
      (scene) => {
        scene.call('Enable', E.TEXTURE_2D).call('BindTexture', E.TEXTURE_2D, 1);
        setFilters(scene, E.TEXTURE_2D, E.NEAREST);
        const bytes = Uint8Array.from(
          { length: 64 * texelBytes },
          (_, i) => ((i * 7919 + (i >> 5) * 37) >> 3) & 255,
        );
        scene.call('TexImage2D', E.TEXTURE_2D, 0, internal, 8, 8, 0, format, type, bytes);
        scene.call('Color4f', 0.75, 0.5, 0.25, 0.7);
        scene.call('Enable', E.BLEND).call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
        drawSquare(scene);
      },
  ),
);

function unpacked(setUp: (scene: SceneWriter) => void): Cell {
  return showing(E.TEXTURE_2D, 1, (scene) => {
    setFilters(scene, E.TEXTURE_2D, E.NEAREST);
    const rgb = [E.RGB, E.UNSIGNED_BYTE] as const;
    scene.call('PixelStorei', E.UNPACK_ALIGNMENT, 1);
    scene.call('TexImage2D', E.TEXTURE_2D, 0, E.RGB, 13, 11, 0, ...rgb, pattern(13 * 11 * 3));
    setUp(scene);
    drawSquare(scene);
  });
}

function pattern(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 37 + (i >> 4) * 11) & 255);
}

/** Scene of memory layouts of uploads. */
export const UNPACKING: Scene = sceneOfCells('unpacking', 48, 4, [
  unpacked(() => {}),
  ...[2, 4, 8].map((alignment) =>
    unpacked((scene) => {
      scene.call('PixelStorei', E.UNPACK_ALIGNMENT, alignment);
      const rgb = [E.RGB, E.UNSIGNED_BYTE] as const;
      scene.call('TexSubImage2D', E.TEXTURE_2D, 0, 2, 3, 5, 4, ...rgb, pattern(64));
    }),
  ),
  unpacked((scene) => {
    scene.call('PixelStorei', E.UNPACK_ROW_LENGTH, 9).call('PixelStorei', E.UNPACK_SKIP_ROWS, 2);
    scene.call('PixelStorei', E.UNPACK_SKIP_PIXELS, 1);
    const rgba = [E.RGBA, E.UNSIGNED_BYTE] as const;
    scene.call('TexSubImage2D', E.TEXTURE_2D, 0, 6, 0, 7, 6, ...rgba, texels(9, 8));
  }),
  unpacked((scene) => {
    scene.call('PixelStorei', E.UNPACK_ROW_LENGTH, 7).call('PixelStorei', E.UNPACK_ALIGNMENT, 8);
    const packed = [E.RGB, E.UNSIGNED_SHORT_5_6_5] as const;
    scene.call('TexSubImage2D', E.TEXTURE_2D, 0, 0, 5, 6, 6, ...packed, pattern(96));
  }),
]);

const WRAPS = [E.REPEAT, E.CLAMP, E.CLAMP_TO_EDGE, E.MIRRORED_REPEAT, CLAMP_TO_BORDER];

function wrapped(s: number, t: number, filter: number): Cell {
  return showing(E.TEXTURE_2D, 1, (scene) => {
    setFilters(scene, E.TEXTURE_2D, filter);
    scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_WRAP_S, s);
    scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_WRAP_T, t);
    scene.call('TexParameterfv', E.TEXTURE_2D, BORDER_COLOR, [0.9, 0.1, 0.6, 0.5]);
    drawCorners(scene, [
      [-0.7, -0.6, 0],
      [1.6, -0.6, 0],
      [1.6, 1.7, 0],
      [-0.7, 1.7, 0],
    ]);
  });
}

/** Creates levels of 16 × 16 texels down to one, each with its own color. */
function makeLevels(scene: SceneWriter): void {
  scene.call('BindTexture', E.TEXTURE_2D, 1);
  const rgba = [E.RGBA, E.UNSIGNED_BYTE] as const;
  scene.call('TexImage2D', E.TEXTURE_2D, 0, E.RGBA, 6, 5, 0, ...rgba, texels(6, 5));
  scene.call('BindTexture', E.TEXTURE_2D, 2);
  for (let level = 0; level < 5; level++) {
    const edge = 16 >> level;
    const color = [level * 60, 255 - level * 50, (level % 2) * 200, 255];
    const bytes = Uint8Array.from({ length: edge * edge * 4 }, (_, i) => color[i % 4]!);
    scene.call('TexImage2D', E.TEXTURE_2D, level, E.RGBA, edge, edge, 0, ...rgba, bytes);
  }
  for (const [texture, generate] of [
    [3, () => scene.call('GenerateMipmap', E.TEXTURE_2D)],
    [4, () => {}],
  ] as const) {
    scene.call('BindTexture', E.TEXTURE_2D, texture);
    if (texture === 4) scene.call('TexParameteri', E.TEXTURE_2D, E.GENERATE_MIPMAP, 1);
    scene.call('TexImage2D', E.TEXTURE_2D, 0, E.RGBA, 32, 32, 0, ...rgba, texels(32));
    generate();
  }
}

function leveled(texture: number, repeats: number, setUp: (scene: SceneWriter) => void): Cell {
  return showing(E.TEXTURE_2D, texture, (scene) => {
    setFilters(scene, E.TEXTURE_2D, E.NEAREST_MIPMAP_NEAREST, E.NEAREST);
    for (const [parameter, initial] of [
      [E.TEXTURE_MIN_LOD, -1000],
      [E.TEXTURE_MAX_LOD, 1000],
      [E.TEXTURE_BASE_LEVEL, 0],
      [E.TEXTURE_MAX_LEVEL, 1000],
      [E.TEXTURE_LOD_BIAS, 0],
    ] as const) {
      scene.call('TexParameterf', E.TEXTURE_2D, parameter, initial);
    }
    setUp(scene);
    drawSquare(scene, 0.8, 0, repeats);
  });
}

const parameter =
  (name: number, value: number) =>
  (scene: SceneWriter): void => {
    scene.call('TexParameterf', E.TEXTURE_2D, name, value);
  };

/** Scene of filters, wrapping and levels of detail. */
export const SAMPLING: Scene = sceneOfCells(
  'sampling',
  40,
  8,
  [
    ...[E.NEAREST, E.LINEAR].flatMap((filter) => [
      ...WRAPS.map((wrap) => wrapped(wrap, wrap, filter)),
      wrapped(E.MIRRORED_REPEAT, CLAMP_TO_BORDER, filter),
      wrapped(E.CLAMP, E.REPEAT, filter),
    ]),
    ...[1, 3, 5, 11].map((repeats) => leveled(2, repeats, () => {})),
    leveled(2, 3, parameter(E.TEXTURE_LOD_BIAS, 1.2)),
    leveled(2, 3, parameter(E.TEXTURE_MIN_LOD, 2.6)),
    leveled(2, 11, parameter(E.TEXTURE_MAX_LOD, 1)),
    leveled(2, 3, parameter(E.TEXTURE_BASE_LEVEL, 2)),
    leveled(2, 20, parameter(E.TEXTURE_MAX_LEVEL, 2)),
    leveled(2, 5, (scene) => {
      setFilters(scene, E.TEXTURE_2D, E.NEAREST_MIPMAP_LINEAR, E.NEAREST);
      scene.call('TexParameterf', E.TEXTURE_2D, E.TEXTURE_MIN_LOD, 1.5);
      scene.call('TexParameterf', E.TEXTURE_2D, E.TEXTURE_MAX_LOD, 1.5);
    }),
    ...[3, 4].map((texture) => leveled(texture, 2, parameter(E.TEXTURE_MIN_LOD, 2))),
  ],
  makeLevels,
);

/** Internal formats and bytes per block. */
const COMPRESSED_ROWS: readonly (readonly [number, number])[] = [
  [0x83f0, 8] as const,
  [0x83f1, 8] as const,
  [0x83f2, 16] as const,
  [0x83f3, 16] as const,
  [0x8c4c, 8] as const,
  [0x8c4f, 16] as const,
  [0x8dbb, 8] as const,
  [0x8dbd, 16] as const,
  [0x8dbc, 8] as const,
  [0x9274, 8] as const,
  [0x9275, 8] as const,
  [0x9276, 8] as const,
  [0x9278, 16] as const,
  [0x9270, 8] as const,
  [0x9272, 16] as const,
  [0x9271, 8] as const,
];

/** Returns blocks of pseudo-random bits, so that all modes of a format occur. */
function makeBlocks(length: number, salt: number): Uint8Array {
  let state = 12345 + salt * 7919;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 24;
  });
}

/** Scene of compressed formats. */
export const COMPRESSED: Scene = sceneOfCells(
  'compressed',
  48,
  4,
  COMPRESSED_ROWS.map(
    ([format, blockBytes], i): Cell =>
      showing(E.TEXTURE_2D, 1, (scene) => {
        setFilters(scene, E.TEXTURE_2D, E.NEAREST);
        const blocks = makeBlocks(36 * blockBytes, i);
        const size = [24, 22, 0, blocks.length] as const;
        scene.call('CompressedTexImage2D', E.TEXTURE_2D, 0, format, ...size, blocks);
        const part = blocks.slice(0, 2 * blockBytes);
        const box = [8, 4, 8, 4] as const;
        const sub = [E.TEXTURE_2D, 0, ...box, format, part.length] as const;
        scene.call('CompressedTexSubImage2D', ...sub, part);
        scene.call('Enable', E.BLEND).call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
        drawSquare(scene);
      }),
  ),
);
