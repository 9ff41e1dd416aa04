/** Model that one frame is made of: a variant of its materials, at a time of an animation. */
import { animateProperties } from './animate-pointers.ts';
import type { CheckedModel } from './check/check-model.ts';
import { chooseVariant } from './choose-variant.ts';
import type { ImportWarnings } from './import-warnings.ts';
import { type Model, readModel } from './read-model.ts';

/** Options that determine the content of a model. */
export interface FrameModelOptions {
  readonly variant?: string | undefined;
  readonly animationIndex?: number | undefined;
  readonly timeSeconds?: number | undefined;
}

/**
 * Returns the model of a frame; the opened one if nothing in its JSON changes.
 *
 * @throws {RenderError} REQUEST_INVALID if the variant does not exist, MODEL_INVALID if an animated
 *   value is not valid for its property.
 */
export async function readFrameModel(
  opened: Model,
  checked: CheckedModel,
  { variant, animationIndex = 0, timeSeconds = 0 }: FrameModelOptions,
  warnings: ImportWarnings,
): Promise<Model> {
  const chosen = variant === undefined ? checked.json : chooseVariant(checked.json, variant);
  const json = animateProperties(chosen, opened, animationIndex, timeSeconds, warnings);
  if (json === checked.json) return opened;
  checked.checkProperties(json);
  return readModel({ ...checked, json });
}
