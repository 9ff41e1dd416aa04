/**
 * Redeclarations of the colors of GLSL with an interpolation, such as `flat in vec4 gl_Color;`
 * (OpenGL Shading Language 1.30, section 7.6). They take precedence over the shade model.
 */

/** Interpolation of a color that a program declares; `null` for that of the shade model. */
export type DeclaredInterpolation = 'flat' | 'smooth' | 'noperspective' | null;

/** Interpolation of both colors of a program. */
export interface ColorInterpolation {
  readonly primary: DeclaredInterpolation;
  readonly secondary: DeclaredInterpolation;
}

/** Colors without a declared interpolation. */
export const SHADE_MODEL_COLORS: ColorInterpolation = { primary: null, secondary: null };

const REDECLARATION =
  /(?:\b(?:flat|smooth|noperspective|centroid|invariant)\s+)+(?:in|out|varying)\s+vec4\s+gl_(?:Front|Back)?(?:Secondary)?Color\s*;/g;

/** Returns the interpolation that a program declares for its colors, in either shader. */
export function findColorInterpolation(
  vertexSource: string | null,
  fragmentSource: string | null,
): ColorInterpolation {
  const statements = `${vertexSource ?? ''}\n${fragmentSource ?? ''}`.match(REDECLARATION) ?? [];
  const find = (isSecondary: boolean): DeclaredInterpolation => {
    for (const statement of statements) {
      if (statement.includes('Secondary') !== isSecondary) continue;
      const found = /\b(flat|smooth|noperspective)\b/.exec(statement)?.[1];
      if (found !== undefined) return found as DeclaredInterpolation;
    }
    return null;
  };
  return { primary: find(false), secondary: find(true) };
}

/** Source without redeclarations of colors, and these statements. */
export interface SplitSource {
  readonly source: string;
  readonly redeclarations: readonly string[];
}

/** Removes the redeclarations of colors from a source without a change of its lines. */
export function splitRedeclarations(source: string): SplitSource {
  const redeclarations: string[] = [];
  const rest = source.replace(REDECLARATION, (statement) => {
    redeclarations.push(statement);
    return statement.replace(/[^\n]/g, ' ');
  });
  return { source: rest, redeclarations };
}
