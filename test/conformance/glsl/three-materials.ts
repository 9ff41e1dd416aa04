/**
 * Shader programs of three.js' built-in materials. The library's renderer draws scenes with each
 * material on a recording context, so the sources are those that a page would send, including
 * chunks and prefix.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type ContextLimits,
  createRecordingContext,
  type RecordedProgram,
  type Recording,
} from './recording-context.ts';

/** An object of the library, with the fields that are used here. */
interface ThreeObject {
  [property: string]: unknown;
  add(...children: ThreeObject[]): void;
}

type ThreeConstructor = new (...parameters: unknown[]) => ThreeObject;

interface ThreeRenderer {
  shadowMap: { enabled: boolean };
  toneMapping: number;
  localClippingEnabled: boolean;
  render(scene: ThreeObject, camera: ThreeObject): void;
}

type Three = Record<string, ThreeConstructor> & {
  readonly REVISION: string;
  readonly ACESFilmicToneMapping: number;
  readonly EquirectangularReflectionMapping: number;
  readonly ShaderLib: Record<string, Record<string, unknown>>;
};

/** A program and the object that was drawn when it was created. */
export interface ThreeProgram {
  readonly title: string;
  readonly vertexSource: string;
  readonly fragmentSource: string;
}

const MESH_MATERIALS = [
  'MeshBasicMaterial',
  'MeshLambertMaterial',
  'MeshPhongMaterial',
  'MeshToonMaterial',
  'MeshStandardMaterial',
  'MeshPhysicalMaterial',
  'MeshMatcapMaterial',
  'MeshNormalMaterial',
  'MeshDepthMaterial',
  'ShadowMaterial',
];

/** Factors of the physical material that enable parts of its shader. */
const PHYSICAL_FACTORS = [
  'clearcoat',
  'sheen',
  'transmission',
  'thickness',
  'iridescence',
  'anisotropy',
  'dispersion',
];

interface Variant {
  readonly title: string;
  readonly isLit?: boolean;
  readonly hasMaps?: boolean;
  /** Whether the factors of {@link PHYSICAL_FACTORS} are above zero. */
  readonly hasFactors?: boolean;
  readonly hasFog?: boolean;
  readonly hasClipping?: boolean;
  readonly isSkinned?: boolean;
  readonly isMorphed?: boolean;
  readonly isInstanced?: boolean;
  readonly isFlat?: boolean;
  readonly hasLogarithmicDepth?: boolean;
}

const VARIANTS: readonly Variant[] = [
  { title: 'plain' },
  { title: 'lights and shadows', isLit: true },
  { title: 'maps', hasMaps: true },
  {
    title: 'fog, clipping, flat shading',
    isLit: true,
    hasFog: true,
    hasClipping: true,
    isFlat: true,
  },
  { title: 'physical factors', isLit: true, hasFactors: true },
  { title: 'morphing', isLit: true, isMorphed: true },
  { title: 'skinning', isLit: true, isSkinned: true },
  {
    title: 'instances, logarithmic depth',
    isLit: true,
    isInstanced: true,
    hasLogarithmicDepth: true,
  },
];

/** Loads three.js from `folder` and returns the revision and the programs of all scenes. */
export async function readThreePrograms(
  folder: string,
  glVersion: 1 | 2,
  limits: ContextLimits,
): Promise<{ revision: string; programs: ThreeProgram[] }> {
  const path = join(folder, 'build', 'three.module.js');
  const three = (await import(pathToFileURL(path).href)) as Three;
  const programs: ThreeProgram[] = [];
  const draw = (title: string, variant: Variant, fill: (scene: ThreeObject) => void): void => {
    const recording: Recording = { shaders: [], programs: [] };
    drawScene(three, recording, glVersion, limits, variant, fill);
    programs.push(...recording.programs.flatMap((program) => toProgram(title, program)));
  };
  for (const variant of VARIANTS) {
    for (const name of MESH_MATERIALS) {
      draw(`${name}, ${variant.title}`, variant, (scene) => {
        scene.add(makeMesh(three, makeMaterial(three, name, variant), variant));
      });
    }
    draw(`points, lines, sprites, ${variant.title}`, variant, (scene) => {
      scene.add(...makeOthers(three, variant));
    });
  }
  for (const [name, entry] of Object.entries(three.ShaderLib)) {
    const { vertexShader, fragmentShader, uniforms } = entry;
    draw(`ShaderLib.${name}`, { title: '' }, (scene) => {
      const material = new three.ShaderMaterial!({
        vertexShader,
        fragmentShader,
        uniforms,
        defines: { DEPTH_PACKING: 3200, USE_ENVMAP: '', ENVMAP_TYPE_CUBE: '' },
        extensions: { derivatives: true, shaderTextureLOD: true, fragDepth: true },
      });
      scene.add(makeMesh(three, material, { title: '' }));
    });
  }
  draw('background', { title: '' }, (scene) => {
    const texture = makeTexture(three);
    texture.mapping = three.EquirectangularReflectionMapping;
    scene.background = texture;
    scene.environment = texture;
  });
  return { revision: three.REVISION, programs };
}

function toProgram(title: string, { vertex, fragment }: RecordedProgram): ThreeProgram[] {
  if (vertex === undefined || fragment === undefined) return [];
  return [{ title, vertexSource: vertex.source, fragmentSource: fragment.source }];
}

function drawScene(
  three: Three,
  recording: Recording,
  glVersion: 1 | 2,
  limits: ContextLimits,
  variant: Variant,
  fill: (scene: ThreeObject) => void,
): void {
  const context = createRecordingContext(recording, limits, 64, 64, glVersion);
  const canvas = {
    width: 64,
    height: 64,
    style: {},
    addEventListener() {},
    getContext: () => context,
  };
  const renderer = new three.WebGLRenderer!({
    canvas,
    context,
    logarithmicDepthBuffer: variant.hasLogarithmicDepth === true,
  }) as unknown as ThreeRenderer;
  renderer.shadowMap.enabled = true;
  renderer.toneMapping = three.ACESFilmicToneMapping;
  renderer.localClippingEnabled = true;
  const scene = new three.Scene!();
  if (variant.hasFog) scene.fog = new three.FogExp2!(0x808080, 0.1);
  if (variant.isLit) addLights(three, scene);
  fill(scene);
  const camera = new three.PerspectiveCamera!(60, 1, 0.1, 100);
  (camera.position as { z: number }).z = 5;
  renderer.render(scene, camera);
}

function addLights(three: Three, scene: ThreeObject): void {
  for (const name of ['DirectionalLight', 'PointLight', 'SpotLight']) {
    const light = new three[name]!(0xffffff, 1);
    light.castShadow = true;
    scene.add(light);
  }
  for (const name of ['AmbientLight', 'HemisphereLight', 'RectAreaLight']) {
    scene.add(new three[name]!(0xffffff, 1));
  }
}

function makeTexture(three: Three): ThreeObject {
  const texture = new three.DataTexture!(new Uint8Array(16), 2, 2);
  texture.needsUpdate = true;
  return texture;
}

function makeMaterial(three: Three, name: string, variant: Variant): ThreeObject {
  const material = new three[name]!({ transparent: true });
  if (variant.isFlat && 'flatShading' in material) material.flatShading = true;
  if (variant.hasClipping) material.clippingPlanes = [new three.Plane!()];
  if (variant.hasMaps) {
    for (const property of Object.keys(material)) {
      if (/(^m|M)ap$|^matcap$/.test(property) && property !== 'envMap') {
        material[property] = makeTexture(three);
      }
    }
    const environment = makeTexture(three);
    environment.mapping = three.EquirectangularReflectionMapping;
    if ('envMap' in material) material.envMap = environment;
  }
  if (variant.hasFactors) {
    // These are accessors in the physical material.
    for (const factor of PHYSICAL_FACTORS) if (factor in material) material[factor] = 0.5;
  }
  return material;
}

function makeMesh(three: Three, material: ThreeObject, variant: Variant): ThreeObject {
  const geometry = new three.BoxGeometry!() as ThreeObject & {
    attributes: Record<string, { count: number }>;
    morphAttributes: Record<string, unknown[]>;
    setAttribute(name: string, attribute: ThreeObject): void;
  };
  const { count } = geometry.attributes.position!;
  const attribute = (size: number): ThreeObject =>
    new three.BufferAttribute!(new Float32Array(count * size), size);
  if (variant.hasMaps) {
    geometry.setAttribute('tangent', attribute(4));
    geometry.setAttribute('uv1', attribute(2));
  }
  // The shadow material has a uniform with the name of the attribute.
  if (variant.hasFog && material.type !== 'ShadowMaterial') {
    geometry.setAttribute('color', attribute(4));
    material.vertexColors = true;
  }
  if (variant.isMorphed) {
    geometry.morphAttributes.position = [attribute(3)];
    geometry.morphAttributes.normal = [attribute(3)];
  }
  let mesh: ThreeObject;
  if (variant.isSkinned) {
    geometry.setAttribute('skinIndex', new three.BufferAttribute!(new Uint16Array(count * 4), 4));
    geometry.setAttribute('skinWeight', attribute(4));
    const skinned = new three.SkinnedMesh!(geometry, material) as ThreeObject & {
      bind(skeleton: ThreeObject): void;
    };
    const bone = new three.Bone!();
    skinned.add(bone);
    skinned.bind(new three.Skeleton!([bone]));
    mesh = skinned;
  } else if (variant.isInstanced) {
    mesh = new three.InstancedMesh!(geometry, material, 2);
    mesh.instanceColor = new three.InstancedBufferAttribute!(new Float32Array(6), 3);
  } else {
    mesh = new three.Mesh!(geometry, material);
  }
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  return mesh;
}

function makeOthers(three: Three, variant: Variant): ThreeObject[] {
  const geometry = new three.BoxGeometry!();
  const parameters = variant.hasMaps
    ? { map: makeTexture(three), alphaMap: makeTexture(three) }
    : {};
  return [
    new three.Points!(geometry, new three.PointsMaterial!(parameters)),
    new three.LineSegments!(geometry, new three.LineBasicMaterial!()),
    new three.LineSegments!(geometry, new three.LineDashedMaterial!()),
    new three.Sprite!(new three.SpriteMaterial!(parameters)),
  ];
}
