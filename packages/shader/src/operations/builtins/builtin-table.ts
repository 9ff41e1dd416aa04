/** Built-in functions without side effects. */
import type { BuiltinFunction } from './builtin-function.ts';
import { COMMON_FUNCTIONS } from './common-functions.ts';
import { EXPONENTIAL_FUNCTIONS } from './exponential-functions.ts';
import { GEOMETRIC_FUNCTIONS } from './geometric-functions.ts';
import { MATRIX_FUNCTIONS } from './matrix-functions.ts';
import { PACKING_FUNCTIONS } from './packing-functions.ts';
import { TRIGONOMETRIC_FUNCTIONS } from './trigonometric-functions.ts';

/** Built-in functions whose result depends on their arguments alone, by name. */
export const BUILTIN_FUNCTIONS: ReadonlyMap<string, BuiltinFunction> = new Map(
  Object.entries({
    ...COMMON_FUNCTIONS,
    ...EXPONENTIAL_FUNCTIONS,
    ...GEOMETRIC_FUNCTIONS,
    ...MATRIX_FUNCTIONS,
    ...PACKING_FUNCTIONS,
    ...TRIGONOMETRIC_FUNCTIONS,
  }),
);
