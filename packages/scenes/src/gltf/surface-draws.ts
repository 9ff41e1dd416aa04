/** Turns a surface of the scene into draws: geometry, program, uniforms, state; the camera is set later. */
import type { AttributeSource, Draw, PipelineState, UniformValue } from '@tessera/frame';
import { defaultPipelineState } from '@tessera/frame';
import type { FrameBuilder } from '../frame-builder.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { determinant3, type Matrix4, multiplyMatrices, normalMatrix3 } from '../math/matrix.ts';
import { countVertices, type SceneSurface } from './collect-surfaces.ts';
import type { GltfModel } from './gltf-model.ts';
import type { ImportWarnings } from './import-warnings.ts';
import { type Instances, readInstances } from './instancing.ts';
import type { ModelStorage } from './model-storage.ts';
import { chooseMorphTargets } from './morphing.ts';
import { jointMatrices, morphWeights, type Pose } from './pose.ts';
import { ATTRIBUTE_INPUTS, type GeometryReader } from './primitive-geometry.ts';
import type { SurfaceFeatures } from './shaders/surface-features.ts';
import { surfaceProgram } from './shaders/surface-program.ts';
import { boxSkinnedVertices, inflate, jointCapacity, packJointMatrices } from './skinning.ts';
import { makeSurfaceMaterial } from './surface-material.ts';
import type { TextureLoader } from './texture-loader.ts';

/** A draw without the uniforms that belong to the camera. */
export interface SurfaceDraw {
  readonly draw: Draw;
  readonly isBlended: boolean;
  readonly isUnlit: boolean;
  /** From the vertices as the shader moves them to the world; `null` when joints lead there. */
  readonly toWorld: Matrix4 | null;
  /** Around the posed surface, in the world. */
  readonly box: BoundingBox;
}

/** What all surfaces of one import are made from. */
export interface SurfaceContext {
  readonly model: GltfModel;
  readonly pose: Pose;
  readonly storage: ModelStorage;
  readonly geometry: GeometryReader;
  readonly loader: TextureLoader;
  readonly builder: FrameBuilder;
  readonly warnings: ImportWarnings;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly maxInstances: number;
}

/** One draw, or several when some instances mirror the surface and others do not. */
export function makeSurfaceDraws(surface: SceneSurface, context: SurfaceContext): SurfaceDraw[] {
  const { model, pose, storage, geometry, builder, warnings } = context;
  const { nodeIndex, primitive, material, isUnlit } = surface;
  const node = model.nodes[nodeIndex];
  const has = primitive.attributes;

  // 1. Material and the attributes that it and the light need.
  const surfaceMaterial = makeSurfaceMaterial(material, isUnlit, context.loader, builder);
  const hasNormals = has.NORMAL !== undefined && !isUnlit;
  const hasTangents =
    hasNormals && has.TANGENT !== undefined && surfaceMaterial.textureFeatures.normal !== undefined;
  const semantics = ['POSITION'];
  if (hasNormals) semantics.push('NORMAL');
  if (hasTangents) semantics.push('TANGENT');
  if (has.COLOR_0 !== undefined) semantics.push('COLOR_0');
  for (const set of [0, 1]) {
    const users = Object.values(surfaceMaterial.textureFeatures);
    if (!users.some((use) => use.texCoord === set)) continue;
    semantics.push(`TEXCOORD_${set}`);
    if (has[`TEXCOORD_${set}`] === undefined) {
      warnings.add(`${primitive.path}: the material reads TEXCOORD_${set}, which is missing`);
    }
  }
  if (node.skinIndex !== null) semantics.push('JOINTS_0', 'WEIGHTS_0');
  const attributes: Record<string, AttributeSource> = {};
  for (const semantic of semantics) {
    if (has[semantic] === undefined) continue;
    attributes[ATTRIBUTE_INPUTS[semantic]] = geometry.attribute(has[semantic]);
  }

  // 2. What moves the vertices.
  const localBox = geometry.box(has.POSITION, `${primitive.path}.attributes.POSITION`);
  const instances =
    node.instancing === null
      ? null
      : readInstances(
          model,
          storage,
          geometry,
          node.instancing,
          `nodes[${nodeIndex}].extensions.EXT_mesh_gpu_instancing`,
          context.maxInstances,
        );
  const joints =
    node.skinIndex === null ? null : jointMatrices(model, pose, storage, node.skinIndex);
  const morphing = chooseMorphTargets(
    primitive,
    morphWeights(model, pose, nodeIndex),
    semantics.length + (instances === null ? 0 : INSTANCE_INPUTS),
    { normals: hasNormals, tangents: hasTangents },
    geometry,
    warnings,
  );

  // 3. Program and uniforms.
  const features: SurfaceFeatures = {
    isUnlit,
    alphaMode: material.alphaMode,
    hasNormals,
    hasTangents,
    hasColors: has.COLOR_0 !== undefined,
    textures: surfaceMaterial.textureFeatures,
    jointCapacity: joints === null ? 0 : jointCapacity(joints.length),
    morphTargetCount: morphing.weights.length,
    morphTarget: morphing.features,
    isInstanced: instances !== null,
  };
  const world = pose.worldMatrices.get(nodeIndex);
  if (world === undefined) throw new Error(`node ${nodeIndex} has no place in the scene`);
  const uniforms: Record<string, UniformValue> = { ...surfaceMaterial.uniforms };
  if (joints !== null) {
    uniforms['u_joints[0]'] = packJointMatrices(joints);
  } else {
    uniforms.u_model = Float32Array.from(world);
    if (hasNormals) uniforms.u_normalMatrix = Float32Array.from(normalMatrix3(world));
  }
  if (morphing.weights.length > 0) {
    uniforms['u_morphWeights[0]'] = Float32Array.from(morphing.weights);
  }

  // 4. A draw for each run of instances that face alike.
  const isMirrored = determinant3(joints?.[0] ?? world) < 0;
  const vertices = {
    programIndex: builder.addProgram(surfaceProgram(features)),
    topology: primitive.topology,
    first: 0,
    count: countVertices(model, primitive),
    indices: geometry.indices(primitive),
    uniforms,
    textures: surfaceMaterial.textures,
  };
  const box =
    joints === null
      ? inflate(localBox, morphing.bulge)
      : boxSkinnedVertices(primitive, storage, joints, morphing.bulge);
  const toWorld = joints === null ? world : null;
  const isBlended = material.alphaMode === 'BLEND';
  const runs = instances?.runs ?? [{ first: 0, count: 1, isMirrored: false, attributes: {} }];
  return runs.map((run) => ({
    draw: {
      ...vertices,
      instanceCount: run.count,
      attributes: { ...attributes, ...morphing.attributes, ...run.attributes },
      state: surfaceState(context, surface, isMirrored !== run.isMirrored),
    },
    isBlended,
    isUnlit,
    toWorld,
    box: placeBox(box, toWorld, instances, run.first, run.count),
  }));
}

/** Vertex inputs of an instance: translation, rotation, scale. */
const INSTANCE_INPUTS = 3;

function placeBox(
  box: BoundingBox,
  toWorld: Matrix4 | null,
  instances: Instances | null,
  first: number,
  count: number,
): BoundingBox {
  if (toWorld === null) return box;
  if (instances === null) return box.transformed(toWorld);
  const all = new BoundingBox();
  for (const matrix of instances.matrices.slice(first, first + count)) {
    all.addBox(box.transformed(multiplyMatrices(toWorld, matrix)));
  }
  return all;
}

/** Blending mixes the encoded colours, as browsers do with a canvas that is not linear. */
function surfaceState(
  context: SurfaceContext,
  { material }: SceneSurface,
  isMirrored: boolean,
): PipelineState {
  const state = defaultPipelineState(context.widthPx, context.heightPx);
  const isBlended = material.alphaMode === 'BLEND';
  return {
    ...state,
    cullMode: material.isDoubleSided ? 'none' : 'back',
    frontFace: isMirrored ? 'clockwise' : 'counter-clockwise',
    depth: { isTestEnabled: true, isWriteEnabled: !isBlended, compare: 'less' },
    blend: isBlended
      ? {
          isEnabled: true,
          color: { equation: 'add', source: 'src-alpha', destination: 'one-minus-src-alpha' },
          alpha: { equation: 'add', source: 'one', destination: 'one-minus-src-alpha' },
          constant: [0, 0, 0, 0],
        }
      : state.blend,
  };
}
