/** Limits of the service on parameters that bound the work of shaders. */
import { DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import { RenderError, type SpecSummary } from '@tessera/frame';
import type { Config } from '../config/config.ts';

/** Variables that {@link refuseLargeBudgets} reads. */
export type InstructionLimits = Pick<
  Config,
  'TESSERA_INVOCATION_INSTRUCTIONS' | 'TESSERA_FRAME_INSTRUCTIONS'
>;

/**
 * Rejects a specification with budgets above those of the service. Otherwise a request could keep
 * chiplets in a loop for as long as it wants.
 *
 * @param place Name of the field of the request, for errors.
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
export function refuseLargeBudgets(
  { parameters }: SpecSummary,
  config: InstructionLimits,
  place: string,
): void {
  const limits = [
    ['invocationInstructionBudget', 'TESSERA_INVOCATION_INSTRUCTIONS'],
    ['runInstructionBudget', 'TESSERA_FRAME_INSTRUCTIONS'],
  ] as const;
  for (const [name, variable] of limits) {
    // Presets pass, also where a frame may execute less than their budget.
    const limit = Math.max(DEFAULT_CHIPLET_SPEC[name], config[variable]);
    const budget = Number(parameters[name]);
    if (budget <= limit) continue;
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `${place}: ${name}: ${budget} instructions; this service permits ${limit} (${variable})`,
    );
  }
}
