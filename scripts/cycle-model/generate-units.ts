/**
 * Generates the wiring of the chip: the class that creates all queues, ports, shared parts and
 * modules.
 */
import { HOST_PARTS, PORTS, QUEUES, SHARED_PARTS } from '../../packages/chip/src/table/units.ts';
import type { ExportedNames } from './exported-names.ts';
import { ImportLines } from './import-lines.ts';
import { NAMED_UNITS, type NamedUnit, numberOf, unitCount, unitNamed } from './unit-names.ts';

/** Path of the generated file, relative to the sources of the package. */
export const UNITS_FILE = 'chip-units.generated.ts';

/** Returns the body of the file, imports included. */
export function generateUnits(names: ExportedNames): string {
  return new UnitsGenerator(names).generate();
}

class UnitsGenerator {
  readonly #names: ExportedNames;
  readonly #imports = new ImportLines(UNITS_FILE);

  constructor(names: ExportedNames) {
    this.#names = names;
  }

  generate(): string {
    const body = this.#class();
    return `${this.#imports}\n\n${body}`;
  }

  #class(): string {
    const shared = Object.entries(SHARED_PARTS);
    const fields = [
      ...shared.map(([name, { type }]) => `readonly ${name}: ${this.#type(type)};`),
      ...NAMED_UNITS.map(({ field, type, isPerCore }) =>
        isPerCore
          ? `readonly ${field}: readonly ${this.#type(type)}[];`
          : `readonly ${field}: ${this.#type(type)};`,
      ),
    ];
    const hostParts = Object.entries(HOST_PARTS);
    const assigned = [...shared.map(([name]) => name), ...NAMED_UNITS.map(({ field }) => field)];
    return `/** All modules of a chip with their queues, ports and shared parts. */
export class ChipUnits {
  /** Schedule of the modules. */
  readonly schedule: ${this.#type('Schedule')};
  /** Modules by number. */
  readonly modules: readonly ${this.#type('Module')}[];
  readonly queues: readonly ${this.#type('Queue')}[];
  ${fields.join('\n  ')}

  // one function because it is generated, and a constructor must assign all fields
  constructor(${hostParts.map(([name, type]) => `${name}: ${this.#type(type)}`).join(', ')}) {
    const coreCount = spec.smCount;

    // 1. Numbers of the modules, from the end of the pipeline.
    ${NAMED_UNITS.map((unit) => `const ${unit.id} = ${numberOf(unit)};`).join('\n    ')}
    const schedule = new ${this.#value('Schedule')}(${unitCount()});

    // 2. Queues.
    const links = new ${this.#value('Linker')}(schedule);
    ${this.#queues()}

    // 3. Shared parts.
    ${shared.map(([name, row]) => `const ${name} = ${this.#create(row.type, (p) => this.#option(p, 'options' in row ? row.options : {}))};`).join('\n    ')}
    for (let i = 0; i < memory.queues.length; i++) links.queues.push(memory.queues[i]!);

    // 4. Ports to memory.
    ${this.#ports()}

    // 5. Modules, each after the modules that its constructor takes.
    ${this.#sortByNeed()
      .map((unit) => this.#unit(unit))
      .join('\n    ')}

    const modules: Module[] = [];
    ${NAMED_UNITS.map(({ field, isPerCore }) =>
      isPerCore
        ? `for (let i = 0; i < coreCount; i++) modules.push(${field}[i]!);`
        : `modules.push(${field});`,
    ).join('\n    ')}

    this.schedule = schedule;
    this.modules = modules;
    this.queues = links.queues;
    ${assigned.map((name) => `this.${name} = ${name};`).join('\n    ')}
  }
}
`;
  }

  #queues(): string {
    return Object.entries(QUEUES)
      .map(([name, { from, to, capacity }]) => {
        const [producer, consumer] = [unitNamed(from), unitNamed(to)];
        const entries = this.#expression(capacity);
        if (!isPerCoreQueue(name)) {
          return `const ${name} = links.link('${name}', ${producer.id}, ${consumer.id}, ${entries});`;
        }
        const steps = [producer, consumer].map(
          ({ id, isPerCore }) => `${id}, ${isPerCore ? 1 : 0}`,
        );
        return `const ${name} = links.linkEach('${name}', coreCount, ${steps.join(', ')}, ${entries});`;
      })
      .join('\n    ');
  }

  #ports(): string {
    const clients = this.#imports.value('MEMORY_CLIENT', 'records/client-numbers.generated.ts');
    return Object.entries(PORTS)
      .map(([name, { client, owner, tickets }]) => {
        const { id, isPerCore } = unitNamed(owner);
        const connect = (number: string) =>
          `memory.connect(${clients}.${client}, ${number}, ${this.#expression(tickets)})`;
        if (!isPerCore) return `const ${name} = ${connect(id)};`;
        return `const ${name}: ${this.#type('ClientPort')}[] = [];
    for (let i = 0; i < coreCount; i++) ${name}.push(${connect(`${id} + i`)});`;
      })
      .join('\n    ');
  }

  #unit(unit: NamedUnit): string {
    if (unit.madeBy !== null) return `const ${unit.field} = ${unit.madeBy};`;
    const create = this.#create(unit.type, (parameter) => this.#part(parameter, unit));
    if (!unit.isPerCore) return `const ${unit.field} = ${create};`;
    return `const ${unit.field}: ${this.#type(unit.type)}[] = [];
    for (let i = 0; i < coreCount; i++) {
      ${unit.field}.push(${create});
    }`;
  }

  /** Sorts modules so that each follows those that its constructor takes. */
  #sortByNeed(): NamedUnit[] {
    const sorted: NamedUnit[] = [];
    const add = (unit: NamedUnit): void => {
      if (sorted.includes(unit)) return;
      const parameters = unit.madeBy === null ? this.#names.parametersOf(unit.type) : [];
      const parts = parameters.map((parameter) => unit.parts[parameter] ?? parameter);
      const needed = parts.map((part) => part.replace(/\..*$/, ''));
      for (const other of NAMED_UNITS) if (needed.includes(other.name)) add(other);
      sorted.push(unit);
    };
    for (const unit of NAMED_UNITS) add(unit);
    return sorted;
  }

  /** Returns the argument for a parameter of a module's constructor. */
  #part(parameter: string, unit: NamedUnit): string {
    if (parameter === 'id') return unit.isPerCore ? `${unit.id} + i` : unit.id;
    if (parameter === 'name') return unit.isPerCore ? `\`${unit.path}[\${i}]\`` : `'${unit.path}'`;
    if (parameter === 'core') return 'i';
    const [part, member] = (unit.parts[parameter] ?? parameter).split('.') as [string, string?];
    const other = NAMED_UNITS.find(({ name }) => name === part);
    const name = other?.field ?? part;
    const isOfCore =
      unit.isPerCore && (other?.isPerCore || isPerCoreQueue(part) || isPerCorePort(part));
    return `${name}${isOfCore ? '[i]!' : ''}${member === undefined ? '' : `.${member}`}`;
  }

  /** Returns the argument for a parameter of a shared part's constructor. */
  #option(parameter: string, options: Readonly<Record<string, string>>): string {
    return this.#expression(options[parameter] ?? parameter);
  }

  #create(type: string, argumentOf: (parameter: string) => string): string {
    const options = this.#names.has(type) ? this.#names.optionsOf(type) : null;
    if (options !== null) {
      const fields = options.map((option) => {
        const argument = argumentOf(option);
        return argument === option ? option : `${option}: ${argument}`;
      });
      return `new ${this.#value(type)}({ ${fields.join(', ')} })`;
    }
    const parameters = this.#names.has(type) ? this.#names.parametersOf(type) : [];
    return `new ${this.#value(type)}(${parameters.map(argumentOf).join(', ')})`;
  }

  /** Imports the exported names that an expression of the table uses. */
  #expression(text: string): string {
    for (const [name] of text.matchAll(/(?<![\w.])[A-Za-z]\w*/g)) {
      if (this.#names.has(name)) this.#value(name);
    }
    return text;
  }

  #value(name: string): string {
    return this.#imports.value(name, this.#fileOf(name));
  }

  #type(name: string): string {
    return this.#imports.type(name, this.#fileOf(name));
  }

  #fileOf(name: string): string {
    if (name === 'TimingSpec') return 'records/timing-spec.generated.ts';
    return this.#names.fileOf(name);
  }
}

function isPerCoreQueue(name: string): boolean {
  const queue = Object.entries(QUEUES).find(([each]) => each === name)?.[1];
  return queue !== undefined && [queue.from, queue.to].some((end) => unitNamed(end).isPerCore);
}

function isPerCorePort(name: string): boolean {
  const port = Object.entries(PORTS).find(([each]) => each === name)?.[1];
  return port !== undefined && unitNamed(port.owner).isPerCore;
}
