/** Checks the variants of materials (KHR_materials_variants). */
import { extensionOf } from './check-extensions.ts';
import type { JsonPlace } from './json-place.ts';

const NAME = 'KHR_materials_variants';

/** Checks the names of the variants, and the materials that primitives have in them. */
export function checkVariants(
  root: JsonPlace,
  meshes: readonly JsonPlace[],
  materialCount: number,
): void {
  const extension = extensionOf(root, NAME);
  const variants = extension?.get('variants').array() ?? [];
  if (extension !== null && variants.length === 0) extension.get('variants').fail('is empty');
  for (const variant of variants) variant.get('name').string();
  for (const primitive of meshes.flatMap((mesh) => mesh.list('primitives'))) {
    const mappings = extensionOf(primitive, NAME)?.get('mappings') ?? null;
    if (mappings === null) continue;
    if (mappings.array().length === 0) mappings.fail('is empty');
    const seen = new Set<number>();
    for (const mapping of mappings.array()) {
      mapping.get('material').index(materialCount, 'materials');
      const used = mapping.get('variants');
      if (used.array().length === 0) used.fail('is empty');
      for (const variant of used.array()) {
        const index = variant.index(variants.length, 'variants');
        if (seen.has(index)) variant.fail(`the primitive has variant ${index} twice`);
        seen.add(index);
      }
    }
  }
}
