// Page that draws a model with three.js, as a reference for the images of Tessera. The script of
// the browser calls `drawModel`.
import {
  ACESFilmicToneMapping,
  AgXToneMapping,
  AnimationMixer,
  Color,
  LinearToneMapping,
  Matrix4,
  NeutralToneMapping,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  WebGLRenderer,
} from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { HDRLoader } from 'three/addons/loaders/HDRLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';

const TONE_MAPPINGS = {
  neutral: NeutralToneMapping,
  aces: ACESFilmicToneMapping,
  agx: AgXToneMapping,
  linear: LinearToneMapping,
};

let renderer;
let environment;
let loader;

// Creates the renderer and filters the environment.
globalThis.startRenderer = async ({
  environmentUrl,
  widthPx,
  heightPx,
  toneMapping,
  isAntialiased,
}) => {
  renderer = new WebGLRenderer({ antialias: isAntialiased, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(widthPx, heightPx, false);
  renderer.toneMapping = TONE_MAPPINGS[toneMapping];
  const panorama = await new HDRLoader().loadAsync(environmentUrl);
  environment = new PMREMGenerator(renderer).fromEquirectangular(panorama).texture;
  loader = new GLTFLoader();
  loader.setDRACOLoader(new DRACOLoader().setDecoderPath('/three/examples/jsm/libs/draco/gltf/'));
  loader.setKTX2Loader(
    new KTX2Loader().setTranscoderPath('/three/examples/jsm/libs/basis/').detectSupport(renderer),
  );
  loader.setMeshoptDecoder(MeshoptDecoder);
};

// Draws a model with the given camera. Returns the texels, lowest row first, as Base64.
globalThis.drawModel = async ({ modelUrl, viewMatrix, projectionMatrix, background }) => {
  const scene = new Scene();
  scene.environment = environment;
  scene.background = background === null ? environment : new Color().setRGB(...background, 'srgb');
  const model = await loader.loadAsync(modelUrl);
  scene.add(model.scene);
  model.scene.traverse(({ material }) => {
    // Unlit colors are those of the display (as in model-viewer).
    if (material?.isMeshBasicMaterial) material.toneMapped = false;
  });
  if (model.animations.length > 0) {
    const mixer = new AnimationMixer(model.scene);
    mixer.clipAction(model.animations[0]).play();
    mixer.setTime(0);
  }

  const camera = new PerspectiveCamera();
  camera.matrixAutoUpdate = false;
  camera.matrixWorldAutoUpdate = false;
  camera.matrixWorldInverse.copy(new Matrix4().fromArray(viewMatrix));
  camera.matrixWorld.copy(camera.matrixWorldInverse).invert();
  camera.matrix.copy(camera.matrixWorld);
  camera.projectionMatrix.fromArray(projectionMatrix);
  camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
  renderer.render(scene, camera);

  const gl = renderer.getContext();
  const { drawingBufferWidth: widthPx, drawingBufferHeight: heightPx } = gl;
  const texels = new Uint8Array(widthPx * heightPx * 4);
  gl.readPixels(0, 0, widthPx, heightPx, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  model.scene.traverse(({ geometry, material }) => {
    geometry?.dispose();
    material?.dispose();
  });
  let binary = '';
  for (let at = 0; at < texels.length; at += 32_768) {
    binary += String.fromCharCode(...texels.subarray(at, at + 32_768));
  }
  return [widthPx, heightPx, btoa(binary)];
};
