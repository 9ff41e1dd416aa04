/**
 * Waits of a warp for its texture lookups, after `s_waitcnt vmcnt(n)` of AMD's RDNA 2 ISA. Results
 * return in the order of the lookups, so "at most n in flight" means
 * that all but the latest n have returned.
 *
 * A warp waits at the start of a clause, the code between two lookups, for all results that the
 * clause uses. It waits for every lookup in a clause with the start or end of a loop or section, or
 * with a discard: elsewhere a lookup of the straight code may be missing from the warp's trace,
 * which would shift the count. Components of a texel that no instruction reads are not written, as
 * with the mask `DMASK` of AMD's image instructions, so nothing waits for them.
 */
import type { Instruction } from '../isa/instruction.ts';
import { instructionInfo } from '../isa/instructions.ts';

/** Finds the waits of a program whose instructions are passed in order. */
export class LookupWaits {
  /** Number of lookups since the warp last waited for all. */
  #issued = 0;
  /** Number of bodies around the current code that run under a mask without being a section. */
  #masks = 0;
  /** Upper bound on the lookups in flight at the start of the current clause. */
  #inFlight = 0;
  /** Lookup that writes a register, counted from the last wait for all. */
  readonly #lookupByRegister = new Map<number, number>();

  /** Adds an instruction of the current clause. Its lookup, if it is one, is not in flight yet. */
  issue({ mnemonic, result, sources }: Instruction): void {
    if (mnemonic === 'discard') this.awaitAll();
    for (const source of sources) if (source.kind === 'register') this.#await(source.index);
    const { resultCount } = instructionInfo(mnemonic);
    for (let i = 0; i < resultCount; i++) {
      // A component that all lanes overwrite is read by none. Under a mask, other lanes keep it.
      if (this.#masks > 0) this.#await(result + i);
      else this.#lookupByRegister.delete(result + i);
    }
  }

  /**
   * Ends the current clause with `lookup`, which was issued last.
   *
   * @returns Number of lookups that may be in flight when the clause starts.
   */
  endClause(lookup: Instruction): number {
    const inFlight = this.#inFlight;
    const { resultCount } = instructionInfo(lookup.mnemonic);
    for (let i = 0; i < resultCount; i++) {
      this.#lookupByRegister.set(lookup.result + i, this.#issued);
    }
    this.#issued++;
    this.#inFlight = this.#issued;
    return inFlight;
  }

  /** Lets the current clause wait for all lookups before it. */
  awaitAll(): void {
    this.#issued = 0;
    this.#inFlight = 0;
    this.#lookupByRegister.clear();
  }

  /** Enters code that runs under a mask and is no section, for all instructions of `walk`. */
  walkMasked(walk: () => void): void {
    this.#masks++;
    walk();
    this.#masks--;
  }

  #await(register: number): void {
    const lookup = this.#lookupByRegister.get(register);
    if (lookup === undefined) return;
    this.#inFlight = Math.min(this.#inFlight, this.#issued - lookup - 1);
  }
}
