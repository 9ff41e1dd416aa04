/**
 * A glTF 2.0 model whose JSON was checked: indices refer to what exists, defaults are filled in, numbers
 * are finite. `parse/` makes it; everything behind trusts it. Names follow the specification.
 */
import type { ComponentType, SamplerState, Topology } from '@tessera/frame';
import type { Matrix4 } from '../math/matrix.ts';
import type { Quaternion, Vec3 } from '../math/vector.ts';

export interface GltfBuffer {
  readonly byteLength: number;
  /** `null`: the binary chunk of the .glb. */
  readonly uri: string | null;
  /** The extension that would make the bytes of a buffer without any. */
  readonly compression: string | null;
}

export interface GltfBufferView {
  readonly bufferIndex: number;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  /** `null`: elements are tightly packed. */
  readonly strideBytes: number | null;
}

export const ACCESSOR_TYPES = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
} as const;
export type AccessorType = keyof typeof ACCESSOR_TYPES;

/** Where `count` elements of a view begin. */
export interface ElementRange {
  readonly bufferViewIndex: number;
  readonly offsetBytes: number;
}

export interface GltfSparse {
  readonly count: number;
  readonly indices: ElementRange & { readonly componentType: 'uint8' | 'uint16' | 'uint32' };
  readonly values: ElementRange;
}

export interface GltfAccessor {
  readonly componentType: Exclude<ComponentType, 'int32'>;
  readonly type: AccessorType;
  readonly count: number;
  readonly isNormalized: boolean;
  /** `null`: all elements are zero, except those that `sparse` gives. */
  readonly elements: ElementRange | null;
  readonly sparse: GltfSparse | null;
}

export interface GltfImage {
  /** A data: URI or the name of a file; `null` when the image is in a buffer view. */
  readonly uri: string | null;
  readonly bufferViewIndex: number | null;
}

export interface GltfTexture {
  readonly imageIndex: number;
  readonly sampler: SamplerState;
}

/** KHR_texture_transform: scale, then rotation, then offset of texture coordinates. */
export interface TextureTransform {
  readonly offset: readonly [number, number];
  /** Radians, counter-clockwise. */
  readonly rotation: number;
  readonly scale: readonly [number, number];
}

/** A material's use of a texture. */
export interface TextureUse {
  readonly textureIndex: number;
  /** TEXCOORD_0 or TEXCOORD_1. */
  readonly texCoord: 0 | 1;
  readonly transform: TextureTransform | null;
}

export type AlphaMode = 'OPAQUE' | 'MASK' | 'BLEND';

/** The textures of a material and the colour space of each. */
export const TEXTURE_SLOTS = {
  baseColor: { isSrgb: true },
  metallicRoughness: { isSrgb: false },
  normal: { isSrgb: false },
  occlusion: { isSrgb: false },
  emissive: { isSrgb: true },
} as const;
export type TextureSlot = keyof typeof TEXTURE_SLOTS;

export interface GltfMaterial {
  readonly baseColorFactor: readonly number[];
  readonly metallicFactor: number;
  readonly roughnessFactor: number;
  /** Includes KHR_materials_emissive_strength. */
  readonly emissiveFactor: readonly number[];
  readonly normalScale: number;
  readonly occlusionStrength: number;
  readonly alphaMode: AlphaMode;
  readonly alphaCutoff: number;
  readonly isDoubleSided: boolean;
  readonly isUnlit: boolean;
  readonly textures: Readonly<Partial<Record<TextureSlot, TextureUse>>>;
}

/** Accessor indices by attribute semantic. */
export type AttributeAccessors = Readonly<Record<string, number>>;

export interface GltfPrimitive {
  /** Place in the JSON, for messages. */
  readonly path: string;
  readonly topology: Topology;
  readonly attributes: AttributeAccessors;
  readonly indices: number | null;
  readonly materialIndex: number | null;
  readonly targets: readonly AttributeAccessors[];
}

export interface GltfMesh {
  readonly primitives: readonly GltfPrimitive[];
  /** Default weights of the morph targets. */
  readonly weights: readonly number[];
}

/** Translation, rotation and scale, or one matrix. */
export type NodeTransform =
  | {
      readonly kind: 'trs';
      readonly translation: Vec3;
      readonly rotation: Quaternion;
      readonly scale: Vec3;
    }
  | { readonly kind: 'matrix'; readonly matrix: Matrix4 };

export interface GltfNode {
  readonly children: readonly number[];
  readonly transform: NodeTransform;
  readonly meshIndex: number | null;
  readonly skinIndex: number | null;
  readonly cameraIndex: number | null;
  readonly weights: readonly number[] | null;
  /** EXT_mesh_gpu_instancing: accessors of TRANSLATION, ROTATION, SCALE. */
  readonly instancing: AttributeAccessors | null;
}

export interface GltfSkin {
  readonly joints: readonly number[];
  /** Accessor of one matrix a joint; `null` means identities. */
  readonly inverseBindMatrices: number | null;
}

export type GltfCamera =
  | {
      readonly kind: 'perspective';
      readonly yfov: number;
      readonly znear: number;
      readonly zfar: number | null;
    }
  | {
      readonly kind: 'orthographic';
      readonly ymag: number;
      readonly znear: number;
      readonly zfar: number;
    };

export type AnimationPath = 'translation' | 'rotation' | 'scale' | 'weights';
export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

export interface GltfChannel {
  /** Place in the JSON, for messages. */
  readonly path: string;
  readonly nodeIndex: number;
  readonly target: AnimationPath;
  readonly interpolation: Interpolation;
  readonly inputAccessor: number;
  readonly outputAccessor: number;
}

export interface GltfModel {
  readonly buffers: readonly GltfBuffer[];
  readonly bufferViews: readonly GltfBufferView[];
  readonly accessors: readonly GltfAccessor[];
  readonly images: readonly GltfImage[];
  readonly textures: readonly GltfTexture[];
  readonly materials: readonly GltfMaterial[];
  readonly meshes: readonly GltfMesh[];
  readonly nodes: readonly GltfNode[];
  readonly skins: readonly GltfSkin[];
  readonly cameras: readonly GltfCamera[];
  readonly animations: readonly (readonly GltfChannel[])[];
  /** Root nodes of each scene. */
  readonly scenes: readonly (readonly number[])[];
  readonly defaultScene: number;
  /** Extensions that the model uses and that the picture leaves out. */
  readonly ignoredExtensions: readonly string[];
}
