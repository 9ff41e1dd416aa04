/**
 * MapLibre GL: raster tiles from files below GeoJSON that a worker reads: fills, dashed lines,
 * circles, a heat map and extruded buildings in a pitched map.
 */
import * as maplibregl from 'maplibre-gl';

// A module that is bundled, or not loaded over HTTP, cannot find the worker beside it.
maplibregl.setWorkerUrl(import.meta.resolve('maplibre-gl/dist/maplibre-gl-worker.mjs'));
const container = document.createElement('div');
container.style.width = `${innerWidth}px`;
container.style.height = `${innerHeight}px`;
document.body.appendChild(container);

function square(longitude, latitude, size, properties) {
  const [west, east] = [longitude - size, longitude + size];
  const [south, north] = [latitude - size, latitude + size];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
}
function collection(features) {
  return { type: 'FeatureCollection', features };
}
const buildings = Array.from({ length: 25 }, (_, i) =>
  square((i % 5) * 12 - 34, Math.floor(i / 5) * 8 - 20, 2, {
    height: 200_000 + ((i * 7) % 11) * 120_000,
    color: ['#c0573f', '#d9a441', '#5f8f9b', '#7d6b91'][i % 4],
  }),
);
const route = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'LineString',
    coordinates: Array.from({ length: 30 }, (_, i) => [i * 3 - 45, 18 * Math.sin(i / 4)]),
  },
};
const places = Array.from({ length: 12 }, (_, i) => ({
  type: 'Feature',
  properties: { size: 4 + (i % 4) * 2 },
  geometry: { type: 'Point', coordinates: [i * 8 - 44, 30 - (i % 3) * 6] },
}));

new maplibregl.Map({
  container,
  center: [0, 4],
  zoom: 2,
  pitch: 45,
  bearing: 15,
  attributionControl: false,
  interactive: false,
  fadeDuration: 0,
  style: {
    version: 8,
    sources: {
      tiles: {
        type: 'raster',
        tiles: [`${new URL('./files/tiles', import.meta.url).href}/{z}-{x}-{y}.png`],
        tileSize: 256,
        maxzoom: 1,
        minzoom: 1,
      },
      buildings: { type: 'geojson', data: collection(buildings) },
      route: { type: 'geojson', data: route, lineMetrics: true },
      places: { type: 'geojson', data: collection(places) },
    },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': '#20304a' } },
      { id: 'tiles', type: 'raster', source: 'tiles', paint: { 'raster-fade-duration': 0 } },
      {
        id: 'ground',
        type: 'fill',
        source: 'buildings',
        paint: { 'fill-color': '#f4e4c0', 'fill-outline-color': '#403020', 'fill-opacity': 0.8 },
      },
      {
        id: 'route',
        type: 'line',
        source: 'route',
        layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': '#e03c31', 'line-width': 5, 'line-dasharray': [2, 1.5] },
      },
      {
        id: 'heat',
        type: 'heatmap',
        source: 'places',
        paint: { 'heatmap-radius': 30, 'heatmap-opacity': 0.6 },
      },
      {
        id: 'places',
        type: 'circle',
        source: 'places',
        paint: {
          'circle-radius': ['get', 'size'],
          'circle-color': '#ffffff',
          'circle-stroke-color': '#0b4f6c',
          'circle-stroke-width': 2,
        },
      },
      {
        id: 'buildings',
        type: 'fill-extrusion',
        source: 'buildings',
        paint: {
          'fill-extrusion-color': ['get', 'color'],
          'fill-extrusion-height': ['get', 'height'],
          'fill-extrusion-opacity': 0.9,
        },
      },
    ],
  },
});
