/**
 * Generated texture coordinates, clip planes, polygon modes, offsets, stipple, points, lists,
 * arrays.
 */
import {
  type Cell,
  drawSphere,
  drawSquare,
  lookFromFront,
  type Scene,
  sceneOfCells,
} from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

function makeTexture(scene: SceneWriter): void {
  const edge = 16;
  const bytes = new Uint8Array(edge * edge * 3);
  for (let i = 0; i < edge * edge; i++) {
    const [x, y] = [i % edge, Math.floor(i / edge)];
    bytes.set([x * 17, y * 17, ((x >> 2) ^ (y >> 2)) & 1 ? 220 : 40], i * 3);
  }
  scene.call('BindTexture', E.TEXTURE_2D, 1);
  scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_MIN_FILTER, E.LINEAR);
  scene.call('TexParameteri', E.TEXTURE_2D, E.TEXTURE_MAG_FILTER, E.LINEAR);
  scene.call('TexImage2D', E.TEXTURE_2D, 0, E.RGB, edge, edge, 0, E.RGB, E.UNSIGNED_BYTE, bytes);
}

function generated(setUp: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    lookFromFront(scene);
    scene.call('Enable', E.DEPTH_TEST).call('Enable', E.TEXTURE_2D);
    scene.call('BindTexture', E.TEXTURE_2D, 1);
    scene.call('TexEnvi', E.TEXTURE_ENV, E.TEXTURE_ENV_MODE, E.REPLACE);
    setUp(scene);
    scene.call('Enable', E.TEXTURE_GEN_S).call('Enable', E.TEXTURE_GEN_T);
    scene.call('Rotatef', 35, 1, 1, 0);
    drawSphere(scene);
  };
}

function mode(scene: SceneWriter, which: number): void {
  for (const coordinate of [E.S, E.T]) {
    scene.call('TexGeni', coordinate, E.TEXTURE_GEN_MODE, which);
  }
}

/** Scene of generated texture coordinates. */
export const TEXGEN: Scene = sceneOfCells(
  'texture-coordinates',
  64,
  4,
  [
    generated((scene) => mode(scene, E.EYE_LINEAR)),
    generated((scene) => {
      mode(scene, E.OBJECT_LINEAR);
      scene.call('TexGenfv', E.S, E.OBJECT_PLANE, [0.5, 0.25, 0, 0.5]);
      scene.call('TexGenfv', E.T, E.OBJECT_PLANE, [0, 0.5, 0.5, 0.1]);
    }),
    generated((scene) => {
      mode(scene, E.EYE_LINEAR);
      scene.call('PushMatrix').call('Rotatef', 40, 0, 0, 1);
      scene.call('TexGenfv', E.S, E.EYE_PLANE, [0.5, 0, 0, 0.5]);
      scene.call('TexGenfv', E.T, E.EYE_PLANE, [0, 0.5, 0, 0.5]);
      scene.call('PopMatrix');
    }),
    generated((scene) => mode(scene, E.SPHERE_MAP)),
  ],
  makeTexture,
);

function wire(polygonMode: number, primitive: number): Cell {
  return (scene) => {
    scene.call('PolygonMode', E.FRONT_AND_BACK, polygonMode);
    scene.primitive(primitive, () => {
      const corners = [
        ...[
          [-0.8, -0.7],
          [0.7, -0.8],
          [0.8, 0.6],
          [-0.6, 0.8],
        ],
        ...[
          [-0.3, -0.2],
          [0.3, -0.3],
          [0.35, 0.3],
          [-0.25, 0.2],
        ],
      ];
      for (const [x, y] of corners)
        scene.call('Color3f', x! + 0.8, 0.5, 1).call('Vertex2f', x!, y!);
    });
  };
}

function points(setUp: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    lookFromFront(scene);
    setUp(scene);
    scene.primitive(E.POINTS, () => {
      for (let i = 0; i < 9; i++) {
        scene.call('Color3f', 1, i / 8, 0.2);
        scene.call('Vertex3f', -1.1 + (i % 3) * 1.1, -1.1 + Math.floor(i / 3) * 1.1, 1 - i / 2);
      }
    });
  };
}

/** Scene of clip planes, polygon modes and offsets. */
export const SHAPES: Scene = sceneOfCells(
  'shapes',
  64,
  6,
  [
    (scene) => {
      lookFromFront(scene);
      scene.call('ClipPlane', E.CLIP_PLANE0, [0.7, 0.7, 0, 0.2]).call('Enable', E.CLIP_PLANE0);
      scene.call('Rotatef', 30, 0, 1, 0);
      scene.call('ClipPlane', E.CLIP_PLANE5, [-1, 0, 0.3, 0.6]).call('Enable', E.CLIP_PLANE5);
      scene.call('Color3f', 0.8, 0.6, 0.2);
      drawSphere(scene);
    },
    (scene) => {
      const pattern = Array.from({ length: 128 }, (_, i) => (((i >> 2) & 4) !== 0 ? 0xf0 : 0x3c));
      scene.call('PolygonStipple', pattern).call('Enable', E.POLYGON_STIPPLE);
      scene.call('Color3f', 0.9, 0.9, 0.2);
      drawSquare(scene);
    },
    (scene) => {
      // The second square is in the plane of the first and wins by its offset alone.
      scene.call('Enable', E.DEPTH_TEST).call('Color3f', 0.8, 0.2, 0.2);
      scene.call('Rotatef', 50, 0, 1, 0);
      drawSquare(scene, 0.9);
      scene.call('Enable', E.POLYGON_OFFSET_FILL).call('PolygonOffset', -1, -2);
      scene.call('Color3f', 0.2, 0.8, 0.2);
      drawSquare(scene, 0.5);
    },
    (scene) => {
      scene.call('Enable', E.CULL_FACE).call('CullFace', E.BACK).call('FrontFace', E.CW);
      scene.call('Rectf', -0.8, 0.8, 0.1, -0.2).call('Color3f', 0, 1, 0);
      scene.call('Rectf', -0.1, -0.9, 0.9, 0.1);
    },
    (scene) => {
      scene.call('Enable', E.COLOR_SUM).call('SecondaryColor3f', 0.3, 0, 0.4);
      scene.call('Color3f', 0.4, 0.8, 0.1);
      drawSquare(scene);
    },
    (scene) => {
      scene.call('Enable', E.DEPTH_TEST).call('DepthRange', 0.8, 0.2);
      scene.call('Color3f', 1, 0, 0);
      drawSquare(scene, 0.7, -0.5);
      scene.call('Color3f', 0, 0, 1);
      drawSquare(scene, 0.4, 0.5);
    },
  ],
  makeTexture,
);

/** Scene of outlines and stipple. */
export const OUTLINES: Scene = sceneOfCells('outlines', 64, 4, [
  wire(E.LINE, E.TRIANGLES),
  wire(E.LINE, E.QUADS),
  wire(E.LINE, E.QUAD_STRIP),
  wire(E.LINE, E.TRIANGLE_STRIP),
  wire(E.POINT, E.QUADS),
  (scene) => {
    scene.call('PolygonMode', E.FRONT_AND_BACK, E.LINE);
    scene.primitive(E.POLYGON, () => {
      for (let i = 0; i < 7; i++) {
        scene.call('EdgeFlag', i % 3 !== 1);
        const angle = (i * 2 * Math.PI) / 7;
        scene.call('Vertex2f', 0.8 * Math.cos(angle), 0.8 * Math.sin(angle));
      }
    });
  },
  (scene) => {
    scene.call('LineWidth', 5).call('Color3f', 1, 1, 0);
    scene.primitive(E.LINE_STRIP, () => {
      for (const [x, y] of [
        [-0.8, -0.6],
        [0.7, -0.4],
        [0.3, 0.8],
      ])
        scene.call('Vertex2f', x!, y!);
    });
  },
]);

/** Scene of points. */
export const POINTS: Scene = sceneOfCells(
  'points',
  64,
  2,
  [
    points((scene) => scene.call('PointSize', 1)),
    points((scene) => scene.call('PointSize', 5)),
    points((scene) => {
      scene.call('PointSize', 24);
      scene.call('PointParameterfv', E.POINT_DISTANCE_ATTENUATION, [0, 0, 0.25]);
      scene.call('PointParameterf', E.POINT_SIZE_MIN, 4);
    }),
    points((scene) => {
      scene.call('PointSize', 12).call('Enable', E.POINT_SPRITE).call('Enable', E.TEXTURE_2D);
      scene.call('BindTexture', E.TEXTURE_2D, 1);
      scene.call('TexEnvi', E.POINT_SPRITE, E.COORD_REPLACE, 1);
    }),
  ],
  makeTexture,
);

function pyramid(scene: SceneWriter): void {
  scene.primitive(E.TRIANGLE_FAN, () => {
    scene.call('Color3f', 1, 1, 1).call('Vertex3f', 0, 0, 0.5);
    for (let i = 0; i <= 5; i++) {
      const angle = (i * 2 * Math.PI) / 5;
      scene.call('Color3f', i / 5, 0.3, 1 - i / 5);
      scene.call('Vertex3f', 0.4 * Math.cos(angle), 0.4 * Math.sin(angle), 0);
    }
  });
}

/** Scene of display lists and arrays. */
export const LISTS: Scene = sceneOfCells(
  'display-lists',
  64,
  4,
  [
    (scene) => {
      scene.call('Scalef', 1.8, 1.8, 1).call('CallList', 1);
    },
    (scene) => {
      scene.call('CallList', 2);
    },
    (scene) => {
      scene.call('ListBase', 1).call('Scalef', 0.8, 0.8, 1);
      scene.call('CallLists', 3, E.UNSIGNED_BYTE, Uint8Array.of(2, 0, 2));
    },
    (scene) => {
      scene.call('CallList', 4);
    },
    (scene) => {
      scene.call('InterleavedArrays', E.V2F + 5, 0, interleaved());
      scene.call('Enable', E.LIGHTING).call('Enable', E.LIGHT0);
      scene.call('DrawArrays', E.TRIANGLES, 0, 3);
    },
    (scene) => {
      scene.call('InterleavedArrays', E.V2F + 3, 0, colored());
      scene.call('MultiDrawArrays', E.TRIANGLES, [0, 3], [3, 3], 2);
    },
    (scene) => {
      scene.call('PushAttrib', E.CURRENT_BIT | E.LIGHTING_BIT).call('ShadeModel', E.FLAT);
      scene.call('Color3f', 1, 0, 0).call('PopAttrib');
      scene.call('PushMatrix').call('Scalef', 2, 2, 1).call('PopMatrix');
      pyramid(scene);
    },
    (scene) => {
      // The list was deleted, so it draws nothing.
      scene.call('CallList', 9).call('Color3f', 0, 1, 0);
      drawSquare(scene, 0.2);
    },
  ],
  (scene) => {
    scene.callWithResult('GenLists', 1, 9);
    scene.call('NewList', 1, E.COMPILE);
    pyramid(scene);
    scene.call('EndList');
    scene.call('NewList', 2, E.COMPILE);
    for (const [x, y] of [
      [-0.5, -0.4],
      [0.5, -0.3],
      [0, 0.5],
    ] as const) {
      scene.call('PushMatrix').call('Translatef', x, y, 0).call('CallList', 1).call('PopMatrix');
    }
    scene.call('EndList');
    scene.call('NewList', 3, E.COMPILE);
    scene.call('Translatef', 0.2, 0.3, 0).call('Rotatef', 40, 0, 0, 1).call('CallList', 1);
    scene.call('EndList');
    // A list keeps the vertices that arrays had when it was compiled.
    scene.call('InterleavedArrays', E.V2F + 3, 0, colored());
    scene.call('NewList', 4, E.COMPILE);
    scene.call('DrawArrays', E.TRIANGLES, 0, 6);
    scene.call('EndList');
    for (const array of [E.VERTEX_ARRAY, E.COLOR_ARRAY]) scene.call('DisableClientState', array);
    scene.call('NewList', 9, E.COMPILE);
    drawSquare(scene, 0.9);
    scene.call('EndList').call('DeleteLists', 9, 1);
  },
);

/** Returns normals and positions of a triangle. */
function interleaved(): Uint8Array {
  const rows = [0, 0, 1, -0.8, -0.8, 0, 0.6, 0, 0.8, 0.8, -0.7, 0, 0, 0.8, 0.6, 0, 0.8, 0];
  return new Uint8Array(Float32Array.from(rows).buffer);
}

/** Returns byte colors and positions of two triangles. */
function colored(): Uint8Array {
  const view = new DataView(new ArrayBuffer(6 * 16));
  [
    ...[
      [-0.9, -0.9],
      [0, -0.9],
      [-0.4, 0.1],
    ],
    ...[
      [0.1, -0.2],
      [0.9, 0],
      [0.4, 0.9],
    ],
  ].forEach(([x, y], i) => {
    view.setUint32(i * 16, [0xff0000ff, 0xff00ff00, 0xffff0000][i % 3]!, true);
    view.setFloat32(i * 16 + 4, x!, true);
    view.setFloat32(i * 16 + 8, y!, true);
  });
  return new Uint8Array(view.buffer);
}

/** A letter of 8 × 12 bits, rows from the bottom. */
const LETTER = Uint8Array.of(0, 0xc3, 0xc3, 0xc3, 0xff, 0xc3, 0xc3, 0x66, 0x66, 0x3c, 0x18, 0);

/** Scene of bitmaps and pixel rectangles. */
export const PIXELS: Scene = sceneOfCells('pixel-rectangles', 64, 4, [
  (scene) => {
    scene.call('PixelStorei', E.UNPACK_ALIGNMENT, 1).call('Color3f', 1, 0.8, 0);
    scene.call('RasterPos2f', -0.7, 0.2).call('Color3f', 0, 0, 1);
    for (let i = 0; i < 3; i++) scene.call('Bitmap', 8, 12, 0, 2, 11, -6, LETTER);
  },
  (scene) => {
    scene.call('PixelStorei', E.UNPACK_ALIGNMENT, 1);
    scene.call('RasterPos2f', -0.5, -0.625).call('PixelZoom', 2.2, 3);
    const bytes = Uint8Array.from({ length: 16 * 12 * 3 }, (_, i) => (i * 37) & 255);
    scene.call('DrawPixels', 16, 12, E.RGB, E.UNSIGNED_BYTE, bytes);
  },
  (scene) => {
    scene.call('RasterPos2f', 0.4, 0.4).call('PixelZoom', -2, -2);
    scene.call('Enable', E.ALPHA_TEST).call('AlphaFunc', E.GREATER, 0.5);
    const bytes = Uint8Array.from({ length: 16 * 16 * 4 }, (_, i) => (i * 13) & 255);
    scene.call('DrawPixels', 16, 16, E.RGBA, E.UNSIGNED_BYTE, bytes);
  },
  (scene) => {
    // Outside the view volume, so nothing is drawn.
    scene.call('RasterPos2f', 1.2, 0).call('Bitmap', 8, 12, 0, 0, -20, 0, LETTER);
    scene.call('WindowPos2f', 210, 30).call('PixelStorei', E.UNPACK_ALIGNMENT, 1);
    scene.call('Bitmap', 8, 12, 0, 0, 0, 0, LETTER);
  },
]);
