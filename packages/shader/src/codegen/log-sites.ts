/**
 * Places of a program at which the execution log gets a record, and the cost of the code between
 * them. A record marks what a warp does not do in every run: a texture lookup, a loop, or the entry
 * into a section that a branch skips.
 *
 * A section is a side of a condition, or the rest of a body after lanes may have left it or
 * discarded. A warp skips it if none of its lanes is active. In a program that discards, only lanes
 * that still draw count, so that a warp ends when all have discarded. Short sections without
 * lookups and loops are executed under the mask instead, because a branch would cost more.
 */
import type { IsaProgram, IssueCost, LogSite, LogSites } from '@tessera/frame';
import { decodeInstructions, type Instruction } from '../isa/instruction.ts';
import {
  addCost,
  InOrderIssue,
  NO_COST,
  type OperationTimings,
  UNIT_TIMINGS,
} from '../isa/operation-timings.ts';
import { type IsaNode, parseStructure } from '../isa/structure.ts';
import { containsLoop, instructionsOf, mayDiscard, mayLeave } from '../isa/structure-properties.ts';
import { LookupWaits } from './lookup-waits.ts';

/**
 * Minimum number of instructions of a section that is skipped by a branch. LLVM's AMDGPU back end
 * has the same default (`amdgpu-skip-threshold`).
 */
const MIN_SKIPPED_INSTRUCTIONS = 12;

export type { LogSite, LogSites };

/** Sites with the parts of the program's structure that they belong to. */
export interface NumberedSites extends LogSites {
  readonly siteByInstruction: ReadonlyMap<Instruction, number>;
  readonly siteByLoop: ReadonlyMap<IsaNode, number>;
  /** Site of a section by its first node. */
  readonly siteBySection: ReadonlyMap<IsaNode, number>;
  /** Places of the instructions, in their order. */
  readonly places: readonly InstructionPlace[];
}

/** Place of an instruction among the sites of its program. */
export interface InstructionPlace {
  /**
   * Innermost loop or section around it, whose rounds or entries are the times that a warp issues
   * it; −1 for an instruction that each warp issues once.
   */
  readonly site: number;
  /** Its own site if it is a lookup, otherwise −1. */
  readonly lookup: number;
  /** Cycles for which a warp waits for results of earlier instructions when it issues this one. */
  readonly stallCycles: number;
}

const sitesByTimings = new WeakMap<OperationTimings, WeakMap<IsaProgram, LogSites>>();

/** Returns the sites of a program, cached because every draw needs them. */
export function findLogSites(
  program: IsaProgram,
  timings: OperationTimings = UNIT_TIMINGS,
): LogSites {
  let sitesByProgram = sitesByTimings.get(timings);
  if (sitesByProgram === undefined) {
    sitesByProgram = new WeakMap();
    sitesByTimings.set(timings, sitesByProgram);
  }
  const known = sitesByProgram.get(program);
  if (known !== undefined) return known;
  const nodes = parseStructure(decodeInstructions(program.code, program.literals));
  const { sites, cost } = numberSites(nodes, timings);
  sitesByProgram.set(program, { sites, cost });
  return { sites, cost };
}

/** Returns the place of each instruction of a program. */
export function findInstructionPlaces(
  program: IsaProgram,
  timings: OperationTimings = UNIT_TIMINGS,
): readonly InstructionPlace[] {
  const instructions = decodeInstructions(program.code, program.literals);
  const { places } = numberSites(parseStructure(instructions), timings);
  if (places.length !== instructions.length) {
    throw new Error(
      `log sites: ${places.length} of ${instructions.length} instructions were issued`,
    );
  }
  return places;
}

/** Numbers the sites of a program's structure. */
export function numberSites(
  nodes: readonly IsaNode[],
  timings: OperationTimings = UNIT_TIMINGS,
): NumberedSites {
  return new SiteFinder(timings).run(nodes);
}

/** Loop around the current code, or the program itself. */
interface Level {
  site: number;
  /** Issue of the code outside of sections, and inside each open section. */
  readonly issue: InOrderIssue;
  readonly sections: { readonly site: number; readonly issue: InOrderIssue }[];
}

/** Site whose costs refer to sections that have not ended yet. */
interface FoundSite {
  readonly kind: LogSite['kind'];
  readonly slot: number;
  readonly levels: readonly Level[];
  readonly before: readonly IssueCost[];
  /** Open sections by level. */
  readonly inside: readonly (readonly number[])[];
  readonly lookupsInFlight: number;
  roundCost: IssueCost;
}

class SiteFinder {
  readonly #timings: OperationTimings;
  readonly #found: FoundSite[] = [];
  readonly #levels: Level[];
  readonly #siteByInstruction = new Map<Instruction, number>();
  readonly #siteByLoop = new Map<IsaNode, number>();
  readonly #siteBySection = new Map<IsaNode, number>();
  readonly #waits = new LookupWaits();
  /** Loop, section or program that each instruction belongs to, its own site and its stall. */
  readonly #issued: {
    readonly owner: { readonly site: number };
    lookup: number;
    readonly stallCycles: number;
  }[] = [];

  constructor(timings: OperationTimings) {
    this.#timings = timings;
    this.#levels = [{ site: -1, issue: new InOrderIssue(timings), sections: [] }];
  }

  run(nodes: readonly IsaNode[]): NumberedSites {
    this.#walk(nodes);
    const sites = this.#found.map(({ levels, before, inside, ...site }) => ({
      ...site,
      loops: levels.slice(1).map(({ site }) => site),
      costs: before.map((cost, level) =>
        inside[level]!.reduce(
          (sum, section) => addCost(sum, this.#found[section]!.roundCost, -1),
          cost,
        ),
      ),
    }));
    return {
      sites,
      cost: this.#levels[0]!.issue.cost,
      siteByInstruction: this.#siteByInstruction,
      siteByLoop: this.#siteByLoop,
      siteBySection: this.#siteBySection,
      places: this.#issued.map(({ owner: { site }, lookup, stallCycles }) => ({
        site,
        lookup,
        stallCycles,
      })),
    };
  }

  #walk(nodes: readonly IsaNode[]): void {
    for (const [position, node] of nodes.entries()) {
      this.#walkNode(node);
      const rest = nodes.slice(position + 1);
      if (rest.length === 0 || !hasRest(node)) continue;
      this.#section(rest, () => this.#walk(rest));
      return;
    }
  }

  #walkNode(node: IsaNode): void {
    switch (node.kind) {
      case 'straight':
        for (const instruction of node.instructions) this.#issueStraight(instruction);
        return;
      case 'if':
        this.#control('if', node.condition);
        this.#section(node.then, () => this.#walk(node.then));
        if (node.else.length > 0) {
          this.#control('else');
          this.#section(node.else, () => this.#walk(node.else));
        }
        this.#control('endif');
        return;
      case 'block':
        this.#control('block');
        this.#walk(node.body);
        this.#control('endblock');
        return;
      case 'loop':
        this.#control('loop');
        this.#loop(node);
        return;
      case 'exit':
      case 'continue':
        this.#control(node.kind);
    }
  }

  #issueStraight(instruction: Instruction): void {
    this.#issueNext(instruction);
    if (instruction.mnemonic !== 'tex') return;
    this.#siteByInstruction.set(instruction, this.#found.length);
    this.#issued.at(-1)!.lookup = this.#found.length;
    this.#addSite(
      'lookup',
      instruction.immediates[0]!,
      NO_COST,
      this.#waits.endClause(instruction),
    );
    // The warp waits for the texels.
    this.#issue.awaitResults();
  }

  #section(nodes: readonly IsaNode[], walk: () => void): void {
    const [first] = nodes;
    if (first === undefined || !isSkipped(nodes)) {
      this.#waits.walkMasked(walk);
      return;
    }
    const level = this.#levels.at(-1)!;
    const site = this.#found.length;
    this.#siteBySection.set(first, site);
    this.#addSite('section', -1, NO_COST);
    this.#issue.awaitResults();
    const issue = new InOrderIssue(this.#timings);
    level.sections.push({ site, issue });
    this.#waits.awaitAll();
    walk();
    this.#waits.awaitAll();
    level.sections.pop();
    this.#found[site]!.roundCost = issue.cost;
  }

  #loop(node: Extract<IsaNode, { kind: 'loop' }>): void {
    this.#issue.awaitResults();
    const level: Level = { site: -1, issue: new InOrderIssue(this.#timings), sections: [] };
    this.#levels.push(level);
    this.#waits.awaitAll();
    this.#walk(node.body);
    this.#control('endloop');
    this.#waits.awaitAll();
    this.#levels.pop();
    level.site = this.#found.length;
    this.#siteByLoop.set(node, level.site);
    this.#addSite('loop', -1, level.issue.cost);
  }

  /** Issue of the innermost code. */
  get #issue(): InOrderIssue {
    const level = this.#levels.at(-1)!;
    return level.sections.at(-1)?.issue ?? level.issue;
  }

  #control(mnemonic: Instruction['mnemonic'], ...sources: Instruction['sources']): void {
    this.#issueNext({ mnemonic, result: -1, immediates: [], sources });
  }

  #issueNext(instruction: Instruction): void {
    const stallCycles = this.#issue.issue(instruction);
    this.#waits.issue(instruction);
    const level = this.#levels.at(-1)!;
    this.#issued.push({ owner: level.sections.at(-1) ?? level, lookup: -1, stallCycles });
  }

  #addSite(kind: LogSite['kind'], slot: number, roundCost: IssueCost, lookupsInFlight = 0): void {
    const levels = [...this.#levels];
    const before = levels.map(({ issue, sections }) =>
      sections.reduce((sum, section) => addCost(sum, section.issue.cost), issue.cost),
    );
    const inside = levels.map(({ sections }) => sections.map(({ site }) => site));
    this.#found.push({ kind, slot, levels, before, inside, roundCost, lookupsInFlight });
  }
}

/** Whether the code after `node` may have fewer lanes than that before it. */
function hasRest(node: IsaNode): boolean {
  return mayLeave(node) || mayDiscard(node);
}

/** Whether a branch skips `nodes` if no lane executes them. */
function isSkipped(nodes: readonly IsaNode[]): boolean {
  if (nodes.some(containsLoop)) return true;
  const instructions = nodes.flatMap(instructionsOf);
  return (
    instructions.length >= MIN_SKIPPED_INSTRUCTIONS ||
    instructions.some(({ mnemonic }) => mnemonic === 'tex')
  );
}
