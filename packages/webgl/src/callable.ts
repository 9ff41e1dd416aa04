/**
 * The package as `require` returns it: the function `createContext`, as in headless-gl, with all
 * other exports as its properties.
 */
import { createContext, createServiceContext } from './create-context.ts';
import { WEBGL_CLASSES } from './webgl-classes.ts';

/** Function that creates contexts, with the other exports of the package. */
export const callable = Object.assign(createContext, {
  createContext,
  createServiceContext,
  ...WEBGL_CLASSES,
});
