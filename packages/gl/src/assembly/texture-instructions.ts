/** Texture lookups of assembly programs (ARB_fragment_program, section 3.11.6). */
import { refuseAssembly } from './assembly-syntax.ts';

interface Target {
  readonly sampler: string;
  readonly lookup: string;
  /** Coordinates without projection. */
  readonly components: string;
  readonly isRectangle: boolean;
}

const target = (sampler: string, lookup: string, components: string): Target => ({
  sampler,
  lookup,
  components,
  isRectangle: sampler.includes('Rect'),
});

const TARGETS: ReadonlyMap<string, Target> = new Map([
  ['1D', target('sampler1D', 'texture1D', 'x')],
  ['2D', target('sampler2D', 'texture2D', 'xy')],
  ['3D', target('sampler3D', 'texture3D', 'xyz')],
  ['CUBE', target('samplerCube', 'textureCube', 'xyz')],
  ['RECT', target('sampler2DRect', 'texture2DRect', 'xy')],
  ['SHADOW1D', target('sampler1DShadow', 'shadow1D', 'xyz')],
  ['SHADOW2D', target('sampler2DShadow', 'shadow2D', 'xyz')],
  ['SHADOWRECT', target('sampler2DRectShadow', 'shadow2DRect', 'xyz')],
]);

/** Samplers of one program. */
export class AssemblyTextures {
  readonly #samplers = new Map<string, { readonly target: Target; readonly unit: number }>();

  isLookup(instruction: string): boolean {
    return ['TEX', 'TXP', 'TXB'].includes(instruction);
  }

  /**
   * Returns the expression of a lookup.
   *
   * @param image Image unit, such as `texture[2]`.
   */
  lookup(instruction: string, coordinates: string, image: string, targetName: string): string {
    const [, unitText = '0'] = /^texture(?:\[\s*(\d+)\s*\])?$/.exec(image) ?? refuseAssembly(image);
    const found = TARGETS.get(targetName) ?? refuseAssembly(`texture target ${targetName}`);
    const unit = Number(unitText);
    const name = `assembly_Texture${unit}`;
    const known = this.#samplers.get(name);
    if (known !== undefined && known.target !== found) {
      refuseAssembly(`texture unit ${unit} has two targets`);
    }
    this.#samplers.set(name, { target: found, unit });
    const { lookup, components, isRectangle } = found;
    const plain = `(${coordinates}).${components}`;
    if (instruction === 'TEX') return `${lookup}(${name}, ${plain})`;
    if (instruction === 'TXP') {
      return targetName === 'CUBE'
        ? `${lookup}(${name}, ${plain} / (${coordinates}).w)`
        : `${lookup}Proj(${name}, ${coordinates})`;
    }
    // Rectangles have one level, so a bias has no effect.
    if (isRectangle) return `${lookup}(${name}, ${plain})`;
    return `${lookup}(${name}, ${plain}, (${coordinates}).w)`;
  }

  directives(): string[] {
    const hasRectangle = [...this.#samplers.values()].some((each) => each.target.isRectangle);
    return hasRectangle ? ['#extension GL_ARB_texture_rectangle : enable'] : [];
  }

  declarations(): string[] {
    return [...this.#samplers].map(([name, each]) => `uniform ${each.target.sampler} ${name};`);
  }

  unitByName(): ReadonlyMap<string, number> {
    return new Map([...this.#samplers].map(([name, { unit }]) => [name, unit]));
  }
}
