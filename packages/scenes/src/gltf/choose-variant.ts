/** Chooses one of the variants of a model's materials (KHR_materials_variants). */
import type { GLTF } from '@gltf-transform/core';
import { RenderError } from '@tessera/frame';

interface Variants {
  readonly variants: readonly { readonly name: string }[];
}

interface Mappings {
  readonly mappings: readonly { readonly material: number; readonly variants: readonly number[] }[];
}

/**
 * Returns checked JSON in which primitives have the materials of a variant. Primitives that the
 * variant does not name keep theirs.
 *
 * @param name Name of the variant.
 * @throws {RenderError} REQUEST_INVALID if the model has no such variant.
 */
export function chooseVariant(json: GLTF.IGLTF, name: string): GLTF.IGLTF {
  // The checks accepted the extension objects.
  const { variants = [] } = (json.extensions?.KHR_materials_variants ?? {}) as Partial<Variants>;
  const index = variants.findIndex((variant) => variant.name === name);
  if (index === -1) {
    const names = variants.map((variant) => `"${variant.name.slice(0, 40)}"`).slice(0, 20);
    const known = names.length === 0 ? 'no variants' : names.join(', ');
    throw new RenderError(
      'REQUEST_INVALID',
      `variant: "${name.slice(0, 80)}" does not exist; the model has ${known}`,
    );
  }
  const meshes = (json.meshes ?? []).map((mesh) => ({
    ...mesh,
    primitives: mesh.primitives.map((primitive) => {
      const { mappings = [] } = (primitive.extensions?.KHR_materials_variants ??
        {}) as Partial<Mappings>;
      const mapping = mappings.find((one) => one.variants.includes(index));
      return mapping === undefined ? primitive : { ...primitive, material: mapping.material };
    }),
  }));
  return { ...json, meshes };
}
