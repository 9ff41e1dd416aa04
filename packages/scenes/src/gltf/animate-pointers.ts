/**
 * Animates any property of a model (KHR_animation_pointer). Sampled values replace those of the
 * JSON, and the frame is made of the model that results. So an extension's properties are animated
 * as soon as the importer reads the extension.
 */
import type { AnimationSampler, GLTF } from '@gltf-transform/core';
import { sampleSampler } from './animate.ts';
import { extensionOf } from './check/check-extensions.ts';
import { JsonPlace } from './check/json-place.ts';
import { findPointerTarget, parseJsonPointer } from './format/json-pointer.ts';
import type { ImportWarnings } from './import-warnings.ts';
import type { Model } from './read-model.ts';

/** Members of a model whose properties change an image and can be animated. */
const ANIMATED_MEMBERS = ['nodes', 'meshes', 'materials', 'cameras', 'extensions'] as const;

/**
 * Returns JSON at a time of an animation, which is to be checked again. JSON without animated
 * properties is returned as it is.
 *
 * @param json JSON of the model, which is not changed.
 * @param model Model with the samplers of the animation.
 * @throws {RenderError} MODEL_INVALID if a pointer or a sampler is not valid.
 */
export function animateProperties(
  json: GLTF.IGLTF,
  model: Model,
  animationIndex: number,
  timeSeconds: number,
  warnings: ImportWarnings,
): GLTF.IGLTF {
  const animation = json.animations?.[animationIndex];
  const channels = model.root.listAnimations()[animationIndex]?.listChannels() ?? [];
  const animated = (animation?.channels ?? []).flatMap((channel, i) => {
    const path = `animations[${animationIndex}].channels[${i}].target`;
    const place = pointerOf(new JsonPlace(channel.target, path));
    const sampler = channels[i].getSampler();
    return place === null || sampler === null ? [] : [{ place, sampler }];
  });
  if (animated.length === 0) return json;
  const copy = { ...json };
  for (const member of ANIMATED_MEMBERS) {
    if (json[member] !== undefined)
      Object.assign(copy, { [member]: structuredClone(json[member]) });
  }
  for (const { place, sampler } of animated) {
    setValue(copy, place, sampler, model.pathOf(sampler), timeSeconds, warnings);
  }
  return copy;
}

/** Returns the pointer of a channel's target, `null` if it animates a node. */
function pointerOf(target: JsonPlace): JsonPlace | null {
  return extensionOf(target, 'KHR_animation_pointer')?.get('pointer') ?? null;
}

function setValue(
  json: GLTF.IGLTF,
  place: JsonPlace,
  sampler: AnimationSampler,
  samplerPath: string,
  timeSeconds: number,
  warnings: ImportWarnings,
): void {
  const pointer = place.string();
  const keys = parseJsonPointer(pointer) ?? place.fail(`"${pointer}" is not a JSON pointer`);
  if (!ANIMATED_MEMBERS.some((member) => member === keys[0])) {
    warnings.add(`${place.path}: ${pointer} is not animated`);
    return;
  }
  const target = findPointerTarget(json, keys);
  const { container, key } = target ?? place.fail(`${pointer} does not exist in the model`);
  const isRotation = keys.length === 3 && keys[0] === 'nodes' && key === 'rotation';
  const values = sampleSampler(sampler, samplerPath, isRotation, timeSeconds);
  const before = container[key];
  // Visibility is the only property of true and false that an image depends on.
  const isBoolean = typeof before === 'boolean' || key === 'visible';
  const isArray = Array.isArray(before) || key === 'weights' || values.length > 1;
  container[key] = isBoolean ? values[0] !== 0 : isArray ? values : values[0];
}
