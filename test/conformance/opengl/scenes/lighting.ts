/** Lights, materials and the lighting model, on a sphere of quads. */
import { type Cell, drawSphere, lookFromFront, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

function lit(setUp: (scene: SceneWriter) => void, draw: Cell = drawSphere): Cell {
  return (scene) => {
    lookFromFront(scene);
    scene.call('Enable', E.DEPTH_TEST).call('Enable', E.LIGHTING).call('Enable', E.LIGHT0);
    scene.call('Lightfv', E.LIGHT0, E.POSITION, [0.4, 0.7, 1, 0]);
    setUp(scene);
    draw(scene);
  };
}

function shiny(scene: SceneWriter): void {
  scene.call('Materialfv', E.FRONT_AND_BACK, E.AMBIENT, [0.3, 0.1, 0.2, 1]);
  scene.call('Materialfv', E.FRONT_AND_BACK, E.DIFFUSE, [0.7, 0.5, 0.2, 0.6]);
  scene.call('Materialfv', E.FRONT_AND_BACK, E.SPECULAR, [0.9, 0.8, 0.7, 1]);
  scene.call('Materialf', E.FRONT_AND_BACK, E.SHININESS, 12);
}

function positional(scene: SceneWriter): void {
  shiny(scene);
  scene.call('Lightfv', E.LIGHT0, E.POSITION, [1.2, 1, 1.5, 1]);
}

/** Draws the inside of an open bowl, so that both faces are visible. */
function drawBowl(scene: SceneWriter): void {
  scene.call('Rotatef', 50, 1, 0.3, 0);
  scene.call('ClipPlane', E.CLIP_PLANE0, [0, 0, -1, 0.2]).call('Enable', E.CLIP_PLANE0);
  drawSphere(scene);
}

/** Scene of lights, materials and lighting models. */
export const LIGHTING: Scene = sceneOfCells('lighting', 64, 6, [
  lit(() => {}),
  lit(shiny),
  lit(positional),
  lit((scene) => {
    positional(scene);
    scene.call('Lightf', E.LIGHT0, E.CONSTANT_ATTENUATION, 0.5);
    scene.call('Lightf', E.LIGHT0, E.LINEAR_ATTENUATION, 0.25);
    scene.call('Lightf', E.LIGHT0, E.QUADRATIC_ATTENUATION, 0.125);
  }),
  lit((scene) => {
    positional(scene);
    scene.call('Lightfv', E.LIGHT0, E.SPOT_DIRECTION, [-1.2, -1, -1.5]);
    scene.call('Lightf', E.LIGHT0, E.SPOT_CUTOFF, 20);
    scene.call('Lightf', E.LIGHT0, E.SPOT_EXPONENT, 6);
  }),
  lit((scene) => {
    positional(scene);
    scene.call('LightModeli', E.LIGHT_MODEL_LOCAL_VIEWER, 1);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('Enable', E.LIGHT0 + 3).call('Lightfv', E.LIGHT0 + 3, E.POSITION, [-2, 0, 1, 1]);
    scene.call('Lightfv', E.LIGHT0 + 3, E.DIFFUSE, [0.1, 0.3, 0.9, 1]);
    scene.call('Lightfv', E.LIGHT0 + 3, E.SPECULAR, [0.2, 0.9, 0.2, 1]);
    scene.call('Lightfv', E.LIGHT0 + 3, E.AMBIENT, [0.1, 0, 0.1, 1]);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('LightModeli', E.LIGHT_MODEL_COLOR_CONTROL, E.SEPARATE_SPECULAR_COLOR);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('LightModeli', E.LIGHT_MODEL_TWO_SIDE, 1);
    scene.call('Materialfv', E.BACK, E.DIFFUSE, [0.1, 0.8, 0.3, 1]);
    scene.call('Materialf', E.BACK, E.SHININESS, 40);
  }, drawBowl),
  lit(shiny, drawBowl),
  lit((scene) => {
    scene.call('ColorMaterial', E.FRONT_AND_BACK, E.AMBIENT_AND_DIFFUSE);
    scene.call('Enable', E.COLOR_MATERIAL).call('Color3f', 0.2, 0.9, 0.5);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('ColorMaterial', E.FRONT, E.SPECULAR);
    scene.call('Enable', E.COLOR_MATERIAL).call('Color3f', 0.1, 0.2, 0.9);
  }),
  lit((scene) => {
    // The tracked color stays when tracking is disabled.
    scene.call('ColorMaterial', E.FRONT_AND_BACK, E.DIFFUSE).call('Enable', E.COLOR_MATERIAL);
    scene.call('Color3f', 0.9, 0.3, 0.1).call('Disable', E.COLOR_MATERIAL);
    scene.call('Color3f', 0, 0, 1);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('Scalef', 0.6, 0.9, 0.7).call('Enable', E.NORMALIZE);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('Scalef', 0.6, 0.6, 0.6).call('Enable', E.RESCALE_NORMAL);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('Scalef', 0.8, 0.8, 0.8);
  }),
  lit((scene) => {
    shiny(scene);
    scene.call('ShadeModel', E.FLAT);
  }),
  lit((scene) => {
    scene.call('Materialfv', E.FRONT, E.EMISSION, [0.3, 0, 0.4, 1]);
    scene.call('LightModelfv', E.LIGHT_MODEL_AMBIENT, [0.6, 0.5, 0.1, 1]);
    scene.call('Disable', E.LIGHT0);
  }),
]);
