/**
 * Turns a surface of the scene into draws: geometry, program, uniforms, state. The camera is set
 * later.
 */
import type { Node, Primitive } from '@gltf-transform/core';
import type { AttributeSource, Draw, PipelineState, UniformValue } from '@tessera/frame';
import { defaultPipelineState } from '@tessera/frame';
import { type Ball, transformBall } from '../math/ball.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { determinant3, type Matrix4, multiplyMatrices, normalMatrix3 } from '../math/matrix.ts';
import { countVertices, type SceneSurface } from './collect-surfaces.ts';
import { readsTexCoord, type SurfaceFeatures } from './features/surface-features.ts';
import { floatValues, rawValues } from './format/accessor-values.ts';
import type { ImportWarnings } from './import-warnings.ts';
import { type Instances, readInstances } from './instancing.ts';
import { lowestPoint } from './lowest-point.ts';
import { chooseMorphTargets } from './morphing.ts';
import { jointMatrices, morphWeights, type Pose } from './pose.ts';
import { ATTRIBUTE_INPUTS, type GeometryReader, topologyOf } from './primitive-geometry.ts';
import type { Model } from './read-model.ts';
import { needsTangentFrame } from './shaders/physical/shading-normal.ts';
import { surfaceProgram } from './shaders/surface-program.ts';
import { boxSkinnedVertices, inflate, jointCapacity, packJointMatrices } from './skinning.ts';
import {
  type MaterialContext,
  makeSurfaceMaterial,
  type SurfaceMaterial,
} from './surface-material.ts';

/** Draw without the uniforms of the camera and of the light. */
export interface SurfaceDraw {
  readonly draw: Draw;
  readonly features: SurfaceFeatures;
  readonly isBlended: boolean;
  readonly isUnlit: boolean;
  /** Whether both sides of the surface are visible. */
  readonly isDoubleSided: boolean;
  /**
   * Matrix from the vertices, as the shader transforms them, to the world; `null` for skinned
   * surfaces, whose joints lead to the world.
   */
  readonly toWorld: Matrix4 | null;
  /** Bounding box of the posed surface in the world. */
  readonly box: BoundingBox;
  /** Ball around the posed surface in the world; `null` if only the box is known. */
  readonly ball: Ball | null;
  /** Returns the height of the lowest vertex in the world, which is computed at each call. */
  readonly lowest: () => number;
}

/** Shared inputs of all surfaces of one import. */
export interface SurfaceContext extends MaterialContext {
  readonly model: Model;
  readonly pose: Pose;
  readonly geometry: GeometryReader;
  readonly warnings: ImportWarnings;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly maxInstances: number;
}

/**
 * Returns one draw, or several if some instances mirror the surface and others do not. One function
 * because each step needs the results of all before it.
 */
export function makeSurfaceDraws(surface: SceneSurface, context: SurfaceContext): SurfaceDraw[] {
  const { model, pose, geometry, builder, warnings } = context;
  const { node, primitive, positions, material, isUnlit } = surface;
  const path = model.pathOf(primitive);
  const skin = node.getSkin();

  // 1. Convert the material and choose the attributes that it and the light need.
  const surfaceMaterial = makeSurfaceMaterial(material, isUnlit, context);
  const { full } = surfaceMaterial;
  const semantics = chooseSemantics(surface, surfaceMaterial, path, warnings);
  const hasNormals = semantics.includes('NORMAL');
  const hasTangents = semantics.includes('TANGENT');
  const attributes = listAttributes(primitive, semantics, geometry);

  // 2. Read instances, joints and morph targets.
  const localBox = geometry.box(positions, `${path}.attributes.POSITION`);
  const instances = readSurfaceInstances(surface, context);
  const joints = skin && jointMatrices(model, pose, skin);
  const morphing = chooseMorphTargets(
    primitive,
    path,
    morphWeights(pose, node),
    semantics.length + (instances === null ? 0 : INSTANCE_INPUTS),
    { normals: hasNormals, tangents: hasTangents },
    geometry,
    warnings,
  );

  // 3. Choose the program and set its uniforms.
  const features: SurfaceFeatures = {
    full,
    isUnlit,
    alphaMode: material.getAlphaMode(),
    hasNormals,
    hasTangents,
    hasColors: semantics.includes('COLOR_0'),
    textures: surfaceMaterial.textureFeatures,
    jointCapacity: joints === null ? 0 : jointCapacity(joints.length),
    morphTargetCount: morphing.weights.length,
    morphTarget: morphing.features,
    isInstanced: instances !== null,
  };
  const world = worldOf(node, context);
  const uniforms = {
    ...surfaceMaterial.uniforms,
    ...placementUniforms(world, joints, hasNormals),
    ...morphUniforms(morphing.weights),
    ...(full?.layers.has('transmission') ? { u_modelScale: scalesOf(world) } : {}),
  };

  // 4. Make one draw for each run of instances with the same facing.
  const isMirrored = determinant3(joints?.[0] ?? world) < 0;
  const vertices = {
    programIndex: builder.addProgram(surfaceProgram(features)),
    topology: topologyOf(primitive),
    first: 0,
    count: countVertices(primitive, positions),
    indices: geometry.indices(primitive, positions.getCount(), path),
    uniforms,
    textures: surfaceMaterial.textures,
  };
  const box =
    joints === null
      ? inflate(localBox, morphing.bulge)
      : boxSkinnedVertices(primitive, path, joints, morphing.bulge);
  const toWorld = joints === null ? world : null;
  const isRigid = joints === null && instances === null && morphing.weights.length === 0;
  const ball = isRigid ? transformBall(world, geometry.ball(positions, localBox)) : null;
  const runs = instances?.runs ?? [{ first: 0, count: 1, isMirrored: false, attributes: {} }];
  return runs.map((run) => ({
    draw: {
      ...vertices,
      instanceCount: run.count,
      attributes: { ...attributes, ...morphing.attributes, ...run.attributes },
      state: surfaceState(context, surface, isMirrored !== run.isMirrored),
    },
    features,
    isBlended: material.getAlphaMode() === 'BLEND',
    isUnlit,
    isDoubleSided: material.getDoubleSided(),
    toWorld,
    box: placeBox(box, toWorld, instances, run.first, run.count),
    ball,
    lowest: () =>
      lowestPoint({
        positions: floatValues(positions),
        displacements: morphing.displacements.map((target) => ({
          values: floatValues(target.positions),
          weight: target.weight,
        })),
        instances: instances?.matrices.slice(run.first, run.first + run.count) ?? null,
        toWorld,
        skin: joints && { matrices: joints, ...readSkin(primitive) },
      }),
  }));
}

/**
 * Returns the semantics of the attributes that the surface's program reads; warns of missing ones.
 */
function chooseSemantics(
  { node, primitive, isUnlit }: SceneSurface,
  { textureFeatures, full }: SurfaceMaterial,
  path: string,
  warnings: ImportWarnings,
): string[] {
  const has = (semantic: string): boolean => primitive.getAttribute(semantic) !== null;
  const hasNormals = has('NORMAL') && !isUnlit;
  const semantics = ['POSITION'];
  if (hasNormals) semantics.push('NORMAL');
  const isBent =
    textureFeatures.normal !== undefined ||
    (full !== null && needsTangentFrame({ textures: textureFeatures }, full.layers));
  const hasTangents = hasNormals && has('TANGENT') && isBent;
  if (hasTangents) semantics.push('TANGENT');
  if (has('COLOR_0')) semantics.push('COLOR_0');
  for (const set of [0, 1] as const) {
    if (!readsTexCoord({ textures: textureFeatures, full, hasTangents }, set)) continue;
    semantics.push(`TEXCOORD_${set}`);
    if (!has(`TEXCOORD_${set}`)) {
      warnings.add(`${path}: the material reads TEXCOORD_${set}, which is missing`);
    }
  }
  if (node.getSkin() !== null) {
    semantics.push('JOINTS_0', 'WEIGHTS_0');
    if (has('JOINTS_1') || has('WEIGHTS_1')) {
      warnings.add(
        `${path}: JOINTS_1 and WEIGHTS_1 are ignored, only the first four joints are used`,
      );
    }
  }
  return semantics;
}

function readSkin(primitive: Primitive) {
  const [joints, weights] = ['JOINTS_0', 'WEIGHTS_0'].map((name) => primitive.getAttribute(name)!);
  return { joints: rawValues(joints!), weights: floatValues(weights!) };
}

function worldOf(node: Node, { model, pose }: SurfaceContext): Matrix4 {
  const world = pose.worldMatrices.get(node);
  if (world === undefined) throw new Error(`${model.pathOf(node)} is not in the scene`);
  return world;
}

function listAttributes(
  primitive: Primitive,
  semantics: readonly string[],
  geometry: GeometryReader,
): Record<string, AttributeSource> {
  const attributes: Record<string, AttributeSource> = {};
  for (const semantic of semantics) {
    const accessor = primitive.getAttribute(semantic);
    if (accessor) attributes[ATTRIBUTE_INPUTS[semantic]] = geometry.attribute(accessor);
  }
  return attributes;
}

function readSurfaceInstances(
  { node, instancing }: SceneSurface,
  { model, geometry, maxInstances }: SurfaceContext,
): Instances | null {
  if (instancing === null) return null;
  const path = `${model.pathOf(node)}.extensions.EXT_mesh_gpu_instancing`;
  return readInstances(geometry, instancing, path, maxInstances);
}

function morphUniforms(weights: readonly number[]): Record<string, UniformValue> {
  return weights.length === 0 ? {} : { 'u_morphWeights[0]': Float32Array.from(weights) };
}

/** Returns the uniforms that place vertices in the world. */
function placementUniforms(
  world: Matrix4,
  joints: readonly Matrix4[] | null,
  hasNormals: boolean,
): Record<string, UniformValue> {
  if (joints !== null) return { 'u_joints[0]': packJointMatrices(joints) };
  const u_model = Float32Array.from(world);
  return hasNormals
    ? { u_model, u_normalMatrix: Float32Array.from(normalMatrix3(world)) }
    : { u_model };
}

/** Returns the lengths of the axes of a matrix. */
function scalesOf(m: Matrix4): Float32Array {
  return Float32Array.of(
    Math.hypot(m[0], m[1], m[2]),
    Math.hypot(m[4], m[5], m[6]),
    Math.hypot(m[8], m[9], m[10]),
  );
}

/** Returns the uniform that places a draw in the clip space of a camera or a light. */
export function clipUniforms(
  worldToClip: Matrix4,
  toWorld: Matrix4 | null,
): Record<string, UniformValue> {
  return toWorld === null
    ? { u_viewProjection: Float32Array.from(worldToClip) }
    : { u_modelViewProjection: Float32Array.from(multiplyMatrices(worldToClip, toWorld)) };
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

/** Blending of a color over what is behind it, by its alpha. */
export const OVER_BLEND: PipelineState['blend'] = {
  isEnabled: true,
  color: { equation: 'add', source: 'src-alpha', destination: 'one-minus-src-alpha' },
  alpha: { equation: 'add', source: 'one', destination: 'one-minus-src-alpha' },
  constant: [0, 0, 0, 0],
};

/**
 * Returns the state of a draw. Blending mixes encoded colors, as browsers do with a non-linear
 * canvas.
 */
function surfaceState(
  context: SurfaceContext,
  { material }: SceneSurface,
  isMirrored: boolean,
): PipelineState {
  const state = defaultPipelineState(context.widthPx, context.heightPx);
  const isBlended = material.getAlphaMode() === 'BLEND';
  return {
    ...state,
    cullMode: material.getDoubleSided() ? 'none' : 'back',
    frontFace: isMirrored ? 'clockwise' : 'counter-clockwise',
    depth: { isTestEnabled: true, isWriteEnabled: !isBlended, compare: 'less' },
    blend: isBlended ? OVER_BLEND : state.blend,
  };
}
