/** package.json of a published package. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileNameOf } from './build-bundles.ts';
import { type PublishedPackage, SCOPE } from './published-packages.ts';

/** Returns the manifest. All packages have the version of the repository. */
export function buildManifest(root: string, published: PublishedPackage): object {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, description, entries, command, dependencies } = published;
  const peers = {
    ...Object.fromEntries(
      published.optionalPeers.map((peer) => [`${SCOPE}/${peer}`, `^${version}`]),
    ),
    ...published.optionalPackages,
  };
  const peerNames = Object.keys(peers);
  const exported = Object.keys(entries).map((entry) => {
    const file = fileNameOf(entry);
    return [entry, { types: `./dist/types/${file}.d.ts`, default: `./dist/${file}.js` }];
  });
  return {
    name: `${SCOPE}/${name}`,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=20.19' },
    files: ['dist', 'README.md', 'LICENSE'],
    sideEffects: true,
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    ...(command === undefined ? {} : { bin: { [command.name]: './dist/cli.js' } }),
    dependencies,
    ...(peerNames.length === 0
      ? {}
      : {
          peerDependencies: peers,
          peerDependenciesMeta: Object.fromEntries(
            peerNames.map((peer) => [peer, { optional: true }]),
          ),
        }),
    publishConfig: { access: 'public', provenance: true },
  };
}
