/** Appends calls to a list and keeps track of the objects that they create and delete. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { ArgumentMaker } from './argument-maker.ts';
import type { Argument, Call, ObjectKind } from './call-list.ts';
import { type KnownObject, KnownObjects } from './known-objects.ts';

/** Kinds of objects by the call that creates them. */
const CREATED: Readonly<Record<string, ObjectKind>> = {
  createBuffer: 'buffer',
  createFramebuffer: 'framebuffer',
  createProgram: 'program',
  createQuery: 'query',
  createQueryEXT: 'timerQuery',
  createRenderbuffer: 'renderbuffer',
  createSampler: 'sampler',
  createShader: 'shader',
  createTexture: 'texture',
  createTransformFeedback: 'transformFeedback',
  createVertexArray: 'vertexArray',
  createVertexArrayOES: 'vertexArray',
  fenceSync: 'sync',
  getUniformLocation: 'location',
};

/** Calls of one list while it is generated. */
export class CallRecorder {
  readonly version: 1 | 2;
  readonly random: SeededRandom;
  readonly objects: KnownObjects;
  readonly maker: ArgumentMaker;
  readonly calls: Call[] = [];

  constructor(random: SeededRandom, version: 1 | 2) {
    this.version = version;
    this.random = random;
    this.objects = new KnownObjects(random);
    this.maker = new ArgumentMaker(random, this.objects, version);
  }

  /** Appends a call. Returns the object that it creates, or null. */
  call(name: string, given: readonly Argument[], extension?: string): KnownObject | null {
    const kind = CREATED[name];
    const result = kind === undefined ? undefined : this.objects.nextResult();
    this.calls.push({
      name,
      ...(extension === undefined ? {} : { extension }),
      arguments: given,
      ...(result === undefined ? {} : { result }),
    });
    if (name.startsWith('delete')) this.#markDeleted(given[0]);
    if (name === 'getExtension' && typeof given[0] === 'string') {
      this.maker.extensions.add(given[0]);
    }
    return kind === undefined ? null : this.objects.add({ kind, result: result! });
  }

  /** Appends a call that creates an object and returns the object. */
  create(name: string, given: readonly Argument[] = [], extension?: string): KnownObject {
    return this.call(name, given, extension)!;
  }

  /** Appends a call with suitable arguments for the kinds of a signature. */
  suitable(name: string, kinds: readonly string[]): void {
    this.call(
      name,
      kinds.map((kind) => this.maker.suitable(kind)),
    );
  }

  #markDeleted(argument: Argument | undefined): void {
    if (typeof argument !== 'object' || argument === null || !('ref' in argument)) return;
    const object = this.objects.of(argument.ref);
    if (object !== null) object.isDeleted = true;
  }
}

/** Returns an argument that refers to an object. */
export function refer(object: KnownObject | null): Argument {
  return object === null ? null : { ref: object.result };
}
