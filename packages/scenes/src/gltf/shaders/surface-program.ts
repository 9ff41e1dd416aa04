/** Assembles the surface shaders: version line, defines, text of the stage. */
import type { ProgramSource } from '@tessera/frame';
import { type SurfaceFeatures, writeDefines } from '../features/surface-features.ts';
import { writePhysicalFragmentShader } from './physical/physical-fragment-shader.ts';
import { NORMAL_FRAGMENT_GLSL, writeSurfaceFragmentShader } from './surface-fragment-shader.ts';
import { writeSurfaceVertexShader } from './surface-vertex-shader.ts';

/** Returns the program of surfaces with these features. Equal features give equal text. */
export function surfaceProgram(features: SurfaceFeatures): ProgramSource {
  const head = `#version 300 es\n${writeDefines(features)}`;
  return {
    vertexSource: head + writeSurfaceVertexShader(features),
    fragmentSource:
      head +
      (features.full === null
        ? writeSurfaceFragmentShader(features.isUnlit)
        : writePhysicalFragmentShader(features, features.full)),
  };
}

/** Returns the program that draws the normals of the triangles of a surface. */
export function normalProgram(features: SurfaceFeatures): ProgramSource {
  const head = `#version 300 es\n${writeDefines(features)}`;
  return {
    vertexSource: head + writeSurfaceVertexShader(features),
    fragmentSource: head + NORMAL_FRAGMENT_GLSL,
  };
}
