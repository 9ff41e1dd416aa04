/**
 * The parsers: modules that read what a client, a peer or a disk supplies. Their branches guide the
 * fuzzer, and the table of coverage lists them. Writers, and code that only sees checked input, are
 * not parsers.
 */
import type { KindName } from '../kinds/kind-table.ts';

/** Parser: its modules and the kinds of inputs that reach it. */
export interface Parser {
  readonly name: string;
  readonly kinds: readonly KindName[];
  /** Matches paths relative to the repository. */
  readonly modules: RegExp;
}

/** All parsers, in the order of the table. */
export const PARSERS: readonly Parser[] = [
  {
    name: 'MessagePack and messages between processes',
    kinds: ['wire'],
    modules: /^packages\/wire\/src\/(codec\/(unpack|codec)|validation\/[a-z-]+)\.ts$/,
  },
  {
    name: 'native frames',
    kinds: ['native'],
    modules:
      /^packages\/(frame\/src\/(native-(frame|parsers)|frame-checks)|wire\/src\/codec\/native-frame)\.ts$/,
  },
  {
    name: 'checks of frames',
    kinds: ['native'],
    modules: /^packages\/frame\/src\/validate-[a-z]+\.ts$/,
  },
  {
    name: 'GLSL: preprocessor',
    kinds: ['glsl'],
    modules: /^packages\/shader\/src\/glsl\/preprocess\/[a-z-]+\.ts$/,
  },
  {
    name: 'GLSL: grammar and checks',
    kinds: ['glsl'],
    modules: /^packages\/shader\/src\/glsl\/(check-shader|(parse|check|link)\/[a-z-]+)\.ts$/,
  },
  {
    name: 'ARB assembly programs',
    kinds: ['assembly'],
    modules:
      /^packages\/gl\/src\/assembly\/(translate-assembly|assembly-syntax|assembly-variables|state-bindings|texture-instructions|instructions)\.ts$/,
  },
  {
    name: 'glTF: container and checks',
    kinds: ['gltf'],
    modules:
      /^packages\/scenes\/src\/gltf\/(read-model|(check|format)\/[a-z-]+|compression\/[a-z-]+)\.ts$/,
  },
  {
    name: 'images of models',
    kinds: ['image'],
    modules: /^packages\/scenes\/src\/gltf\/images\/[a-z0-9-]+\.ts$/,
  },
  {
    name: 'environments (HDR, EXR)',
    kinds: ['image'],
    modules: /^packages\/scenes\/src\/lighting\/(read-radiance-(hdr|exr)|exr-(chunks|header))\.ts$/,
  },
  {
    name: 'captures: container and calls',
    kinds: ['capture'],
    modules: /^packages\/gl\/src\/apitrace\/format\/[a-z-]+\.ts$/,
  },
  {
    name: 'captures: arguments',
    kinds: ['capture'],
    modules:
      /^packages\/gl\/src\/apitrace\/calls\/(call-arguments|call-vectors|recorded-names|join-shader-source|border-color|call-roles|declared-uniforms)\.ts$/,
  },
  {
    name: 'forms',
    kinds: ['form'],
    modules: /^services\/coordinator\/src\/http\/(frames\/frame-body|protocol\/uploads)\.ts$/,
  },
  {
    name: 'rows of the journal',
    kinds: ['rows'],
    modules:
      /^services\/coordinator\/src\/(frames\/frame-rows|specs\/(spec-store|upgrade-spec)|studies\/upgrade-request|store\/stored-row)\.ts$/,
  },
  {
    name: 'WebGL calls',
    kinds: ['webgl'],
    modules:
      /^packages\/webgl\/src\/((calls|extensions|rules)\/([a-z]+\/)?[a-z0-9-]+|context\/(arguments|convert-arguments)|pixels\/pixel-[a-z]+)\.ts$/,
  },
];

/** Returns the parser that a module belongs to, or undefined. */
export function parserOf(path: string): Parser | undefined {
  return PARSERS.find(({ modules }) => modules.test(path));
}

/** Whether the branches of a module guide inputs of a kind. */
export function guides(path: string, kind: KindName): boolean {
  return parserOf(path)?.kinds.includes(kind) === true;
}
