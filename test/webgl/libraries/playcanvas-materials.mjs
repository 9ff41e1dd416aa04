/**
 * PlayCanvas: physically based materials with a texture from a file, a directional light with
 * shadows, a spot light, transparency and tone mapping.
 */
import * as pc from 'playcanvas';

const canvas = document.querySelector('canvas');
const app = new pc.Application(canvas, { graphicsDeviceOptions: { antialias: true } });
app.setCanvasFillMode(pc.FILLMODE_FILL_WINDOW);
app.setCanvasResolution(pc.RESOLUTION_AUTO);
app.scene.ambientLight = new pc.Color(0.2, 0.22, 0.26);

const assets = [
  new pc.Asset('crate', 'texture', { url: new URL('./files/crate.png', import.meta.url).href }),
];
new pc.AssetListLoader(assets, app.assets).load(() => {
  app.start();

  const material = (options) => Object.assign(new pc.StandardMaterial(), options);
  const add = (type, surface, position, scale) => {
    surface.update();
    const entity = new pc.Entity(type);
    entity.addComponent('render', { type, material: surface });
    entity.setLocalPosition(...position);
    entity.setLocalScale(...scale);
    app.root.addChild(entity);
    return entity;
  };
  add('plane', material({ diffuse: new pc.Color(0.6, 0.58, 0.55) }), [0, 0, 0], [14, 1, 14]);
  const crate = material({ diffuseMap: assets[0].resource, gloss: 0.3 });
  const box = add('box', crate, [-2.2, 0.8, 0], [1.6, 1.6, 1.6]);
  const metal = material({
    ...{ diffuse: new pc.Color(0.9, 0.6, 0.2), metalness: 0.7, gloss: 0.7, useMetalness: true },
  });
  add('sphere', metal, [0, 0.9, 0.6], [1.8, 1.8, 1.8]);
  const glow = { emissive: new pc.Color(0.1, 0.3, 0.6), emissiveIntensity: 0.6 };
  add(
    'cone',
    material({ diffuse: new pc.Color(0.2, 0.4, 0.8), ...glow }),
    [2, 0.8, 0],
    [1, 1.6, 1],
  );
  const glass = { opacity: 0.5, blendType: pc.BLEND_NORMAL };
  add(
    'cylinder',
    material({ diffuse: new pc.Color(0.3, 0.8, 0.5), ...glass }),
    [1, 0.6, 2.2],
    [0.8, 1.2, 0.8],
  );
  add('capsule', material({ diffuse: new pc.Color(0.8, 0.3, 0.4) }), [-0.8, 1, -2], [1, 1, 1]);

  const camera = new pc.Entity('camera');
  camera.addComponent('camera', {
    clearColor: new pc.Color(0.5, 0.6, 0.75),
    farClip: 60,
    toneMapping: pc.TONEMAP_ACES,
  });
  camera.setPosition(3, 4, 8);
  camera.lookAt(0, 0.6, 0);
  app.root.addChild(camera);

  const sun = new pc.Entity('sun');
  sun.addComponent('light', {
    ...{ type: 'directional', castShadows: true, shadowDistance: 30, shadowResolution: 256 },
    ...{ intensity: 1.2, normalOffsetBias: 0.05, shadowBias: 0.2 },
  });
  sun.setEulerAngles(50, 30, 0);
  app.root.addChild(sun);
  const lamp = new pc.Entity('lamp');
  lamp.addComponent('light', {
    ...{ type: 'spot', color: new pc.Color(1, 0.8, 0.4), intensity: 3, range: 12 },
    ...{ innerConeAngle: 20, outerConeAngle: 35 },
  });
  lamp.setPosition(-4, 5, 3);
  lamp.setEulerAngles(-45, -50, 0);
  app.root.addChild(lamp);

  app.on('update', (dt) => box.rotate(0, 30 * dt, 0));
  box.rotate(0, 25, 0);
});
