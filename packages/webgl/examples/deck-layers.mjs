/**
 * deck.gl: extruded polygons, arcs, points and paths over a grid, seen by an orbiting camera.
 */
import { Deck, OrbitView } from '@deck.gl/core';
import { ArcLayer, PathLayer, PolygonLayer, ScatterplotLayer } from '@deck.gl/layers';

/** Caption of the page that shows this program. */
export const title = 'deck.gl layers';

/** @param {{ canvas: HTMLCanvasElement, gl: WebGL2RenderingContext }} page */
export async function main({ canvas, gl }) {
  const { width, height } = canvas;
  let frame = 0;
  const deck = await new Promise((resolve, reject) => {
    const loading = new Deck({
      gl,
      width,
      height,
      views: new OrbitView({ orbitAxis: 'Z' }),
      initialViewState: { target: [0, 0, 0], rotationX: 30, rotationOrbit: 20, zoom: 1.5 },
      layers: makeLayers(frame),
      onAfterRender: () => deck.setProps({ layers: makeLayers(++frame) }),
      onLoad: () => resolve(loading),
      onError: reject,
    });
  });
}

function makeLayers(frame) {
  const points = Array.from({ length: 24 }, (_, i) => {
    const angle = (i / 24) * 2 * Math.PI;
    return { angle, position: [80 * Math.cos(angle), 80 * Math.sin(angle), 0] };
  });
  return [
    new PolygonLayer({
      id: 'towers',
      data: points.filter((_, i) => i % 3 === 0),
      extruded: true,
      getPolygon: ({ angle }) => square(50 * Math.cos(angle), 50 * Math.sin(angle), 9),
      getElevation: ({ angle }) => 20 + 15 * Math.sin(angle * 2 + frame * 0.3),
      getFillColor: ({ angle }) => [120 + 100 * Math.cos(angle), 140, 120 + 100 * Math.sin(angle)],
      updateTriggers: { getElevation: frame },
    }),
    new ScatterplotLayer({
      id: 'points',
      data: points,
      getPosition: ({ position }) => position,
      getRadius: 4,
      getFillColor: [250, 200, 80],
    }),
    new ArcLayer({
      id: 'arcs',
      data: points.filter((_, i) => i % 4 === 0),
      getSourcePosition: ({ position }) => position,
      getTargetPosition: ({ position: [x, y] }) => [-y * 0.4, x * 0.4, 0],
      getSourceColor: [80, 200, 250],
      getTargetColor: [250, 80, 120],
      getWidth: 3,
    }),
    new PathLayer({
      id: 'ring',
      data: [{ path: [...points, points[0]].map(({ position }) => position) }],
      getPath: ({ path }) => path,
      getColor: [200, 200, 220],
      getWidth: 2,
    }),
  ];
}

function square(x, y, half) {
  return [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
  ];
}
