/** deck.gl: layers of points, arcs, polygons and an icon of a file on a canvas of its own. */
import { Deck } from '@deck.gl/core';
import { ArcLayer, BitmapLayer, PolygonLayer, ScatterplotLayer } from '@deck.gl/layers';

const places = Array.from({ length: 30 }, (_, i) => ({
  position: [-122.45 + 0.03 * Math.cos(i * 2.4) * Math.sqrt(i), 37.78 + 0.012 * Math.sin(i * 2.4)],
  size: 200 + (i % 5) * 120,
}));

new Deck({
  initialViewState: { longitude: -122.45, latitude: 37.78, zoom: 10, pitch: 40, bearing: 20 },
  controller: true,
  layers: [
    new BitmapLayer({
      id: 'ground',
      bounds: [-122.55, 37.72, -122.35, 37.84],
      image: new URL('./files/crate.png', import.meta.url).href,
      opacity: 0.6,
    }),
    new PolygonLayer({
      id: 'blocks',
      data: Array.from({ length: 6 }, (_, i) => ({
        contour: [0, 1, 2, 3].map((corner) => [
          -122.52 + i * 0.025 + (corner === 1 || corner === 2 ? 0.014 : 0),
          37.745 + (corner > 1 ? 0.014 : 0),
        ]),
        height: 1500 + i * 700,
      })),
      extruded: true,
      getPolygon: ({ contour }) => contour,
      getElevation: ({ height }) => height,
      getFillColor: ({ height }) => [height / 25, 140, 200],
    }),
    new ScatterplotLayer({
      id: 'places',
      data: places,
      getRadius: ({ size }) => size,
      getFillColor: [255, 140, 0],
      stroked: true,
      getLineColor: [40, 20, 0],
      lineWidthMinPixels: 1,
    }),
    new ArcLayer({
      id: 'arcs',
      data: places.slice(1, 12),
      getSourcePosition: () => places[0].position,
      getTargetPosition: ({ position }) => position,
      getSourceColor: [0, 128, 200],
      getTargetColor: [200, 0, 80],
      getWidth: 3,
    }),
  ],
});
