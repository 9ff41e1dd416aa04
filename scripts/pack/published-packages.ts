/** Packages that `npm run pack` makes for programs outside of this repository. */

/** Scope of all packages. The plain name `tessera` on npm belongs to another program. */
export const SCOPE = '@tessera-gpu';

/** A published package. */
export interface PublishedPackage {
  readonly name: string;
  readonly description: string;
  /** Sources by name of the export; `.` is the main one. */
  readonly entries: Readonly<Record<string, string>>;
  /** Source of the command, and its name. */
  readonly command?: { readonly name: string; readonly source: string };
  /** Packages from the registry that users install with it, by range. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Published packages that a user installs for a part of it. */
  readonly optionalPeers: readonly string[];
  /** Packages from the registry that a user has for a part of it, by range. */
  readonly optionalPackages?: Readonly<Record<string, string>>;
  /** Workspaces that are other published packages, by name. */
  readonly externalWorkspaces: Readonly<Record<string, string>>;
}

/** Versions 7 of undici run on Node 20 too. Sources are tested with the version that is pinned. */
const UNDICI = { undici: '^7.16.0' } as const;

/** Decoders of models, which read their WebAssembly modules from their own folders. */
const MODEL_DECODERS = {
  '@jsquash/avif': '2.1.1',
  '@jsquash/jpeg': '1.6.0',
  '@jsquash/webp': '1.5.0',
  draco3d: '1.5.9',
  'ktx2-encoder': '0.6.0',
} as const;

/** All published packages. */
export const PUBLISHED_PACKAGES: readonly PublishedPackage[] = [
  {
    name: 'client',
    description: 'Typed HTTP client of the Tessera render service',
    entries: { '.': 'packages/client/src/index.ts' },
    dependencies: UNDICI,
    optionalPeers: [],
    externalWorkspaces: {},
  },
  {
    name: 'core',
    description: 'A simulated GPU made of chiplets: frames in, images and cycles out',
    entries: { '.': 'packages/core/src/index.ts' },
    dependencies: MODEL_DECODERS,
    optionalPeers: [],
    externalWorkspaces: {},
  },
  {
    name: 'webgl',
    description: 'WebGL 1 and 2 without a GPU or a browser, on a simulated GPU',
    entries: {
      '.': 'packages/webgl/src/index.ts',
      './dom': 'packages/webgl/src/dom/index.ts',
      './image-matcher': 'packages/experiments/src/images/image-matcher.ts',
      './vitest': 'packages/experiments/src/images/vitest-matcher.ts',
    },
    dependencies: {},
    optionalPeers: ['client'],
    // Earlier versions declare matchers with other parameters.
    optionalPackages: { vitest: '>=5' },
    externalWorkspaces: { '@tessera/client': 'client' },
  },
  {
    name: 'cli',
    description: 'The command line of Tessera: renders models, captures and WebGL programs',
    entries: {},
    command: { name: 'tessera', source: 'packages/experiments/src/cli.ts' },
    dependencies: { ...UNDICI, ...MODEL_DECODERS },
    optionalPeers: [],
    externalWorkspaces: {},
  },
];
