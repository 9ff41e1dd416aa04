/** Number of components of an element by the type of the accessor (glTF 2.0, 3.6.2.3). */
export const COMPONENTS_BY_TYPE = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
} as const;

/** Element type of an accessor. */
export type AccessorType = keyof typeof COMPONENTS_BY_TYPE;
