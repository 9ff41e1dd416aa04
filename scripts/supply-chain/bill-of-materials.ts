/**
 * Bill of materials of what the services run: CycloneDX 1.5, from package-lock.json alone. It has
 * the packages of all platforms, and neither a time nor a random number, so that the same lock file
 * gives the same bytes.
 *
 * `npm sbom --omit dev` of npm 11 leaves out packages that development needs as well, such as pg
 * and ajv, and names the project after its folder.
 */
import type { LockedPackage } from './locked-packages.ts';

/** A component of CycloneDX. */
export interface BomComponent {
  readonly type: 'application' | 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly scope?: 'required' | 'optional';
  readonly purl: string;
  readonly licenses?: readonly ({ license: { id: string } } | { expression: string })[];
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
}

/** A bill of materials in CycloneDX 1.5. */
export interface BillOfMaterials {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.5';
  readonly version: 1;
  readonly metadata: { readonly component: BomComponent };
  readonly components: readonly BomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Fields of the package.json of the project. */
export interface ProjectManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const refOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;
const purlOf = ({ name, version }: { name: string; version: string }) =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;
const licensesOf = (license: string) =>
  / (AND|OR|WITH) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];

/** Returns the component of a package. `copies` are its folders, of which any may be required. */
function componentOf(copies: readonly LockedPackage[]): BomComponent {
  const [first] = copies as [LockedPackage];
  const hash = first.integrity?.replace(/^sha512-/, '');
  return {
    type: 'library',
    'bom-ref': refOf(first),
    name: first.name,
    version: first.version,
    scope: copies.every(({ isOptional }) => isOptional) ? 'optional' : 'required',
    purl: purlOf(first),
    ...(first.license === null ? {} : { licenses: licensesOf(first.license) }),
    ...(hash === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
}

/**
 * Returns the bill of materials of the packages that are not for development alone, sorted by name
 * and version. A package that is in several folders is one component.
 */
export function makeBillOfMaterials(
  project: ProjectManifest,
  packages: readonly LockedPackage[],
): BillOfMaterials {
  const shipped = packages.filter(({ isDevelopment }) => !isDevelopment);
  const byPath = new Map(shipped.map((locked) => [locked.path, locked]));
  const byRef = Map.groupBy(shipped, refOf);
  const refs = [...byRef.keys()].sort();
  const dependsOn = (paths: readonly string[]) =>
    [...new Set(paths.flatMap((path) => byPath.get(path) ?? []).map(refOf))].sort();
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': refOf(project),
        name: project.name,
        version: project.version,
        purl: purlOf(project),
        licenses: licensesOf(project.license),
      },
    },
    components: refs.map((ref) => componentOf(byRef.get(ref)!)),
    dependencies: [
      {
        ref: refOf(project),
        dependsOn: dependsOn(
          shipped.filter(({ isWorkspace }) => isWorkspace).map(({ path }) => path),
        ),
      },
      ...refs.map((ref) => ({
        ref,
        dependsOn: dependsOn(byRef.get(ref)!.flatMap(({ dependencyPaths }) => dependencyPaths)),
      })),
    ],
  };
}
