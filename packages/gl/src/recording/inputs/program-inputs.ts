/** Attributes and samplers of programs, cached across frames. */
import type { DrawProgram } from '../../fixed/draw-programs.ts';
import { AttributeElements } from './attribute-sources.ts';
import { SamplerElements } from './sampler-elements.ts';

/** Attributes and samplers of a program, with the values that its last draw read. */
export interface ProgramInputs {
  readonly attributes: AttributeElements;
  readonly samplers: SamplerElements;
}

/** Cache of inputs by program. */
export class ProgramInputCache {
  readonly #known = new WeakMap<DrawProgram, ProgramInputs>();
  #last: DrawProgram | null = null;
  #inputs: ProgramInputs | null = null;

  inputsOf(program: DrawProgram): ProgramInputs {
    if (this.#last === program) return this.#inputs!;
    let inputs = this.#known.get(program);
    if (inputs === undefined) {
      inputs = {
        attributes: new AttributeElements(program.attributes),
        samplers: new SamplerElements(program),
      };
      this.#known.set(program, inputs);
    }
    this.#last = program;
    this.#inputs = inputs;
    return inputs;
  }
}
