/** Puts the surface shaders together: version line, defines, text of the stage. */
import type { ProgramSource } from '@tessera/frame';
import { type SurfaceFeatures, writeDefines } from './surface-features.ts';
import { writeSurfaceFragmentShader } from './surface-fragment-shader.ts';
import { writeSurfaceVertexShader } from './surface-vertex-shader.ts';

/** The program of surfaces with these features; equal features give equal text. */
export function surfaceProgram(features: SurfaceFeatures): ProgramSource {
  const head = `#version 300 es\n${writeDefines(features)}`;
  return {
    vertexSource: head + writeSurfaceVertexShader(features),
    fragmentSource: head + writeSurfaceFragmentShader(features.isUnlit),
  };
}
