import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { trimmedPackages } from './trimmed-packages.ts';

/**
 * `npm pack` puts the package.json of this folder into the tarball. Before it, `write` replaces the
 * file by what an installed package needs; after it, `restore` brings the file back.
 */
type Fields = Readonly<Record<string, unknown>>;
type Manifest = Fields & { readonly scripts: Readonly<Record<string, string>>; readonly dependencies: Fields };

const FOR_DEVELOPMENT = new Set(['devDependencies', 'allowScripts', 'overrides', 'scarfSettings', 'workspaces']);

/** What the package needs for one setting alone. It is 22 MB, so who sets that setting installs it. */
const OPTIONAL = ['@aws-sdk/client-s3'];

const without = (fields: Fields, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));

/** The manifest of the tarball: without what is for development, and what dist/node_modules has. */
export const packedManifest = (manifest: Manifest): Fields => ({
  ...without(manifest, FOR_DEVELOPMENT),
  // npm reads the file again after it has packed. With more scripts it would ask each user to approve them.
  scripts: { postpack: manifest.scripts['postpack'] },
  dependencies: without(manifest.dependencies, new Set([...trimmedPackages, ...OPTIONAL])),
  peerDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, manifest.dependencies[name]])),
  peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, { optional: true }])),
});

const FILE = fileURLToPath(new URL('../package.json', import.meta.url));
/** The manifest of the checkout while the other is in its place. One that a killed `npm pack` left is the right one. */
const KEPT = `${FILE}.kept`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (existsSync(KEPT)) renameSync(KEPT, FILE);
  if (process.argv[2] === 'write') {
    const text = readFileSync(FILE, 'utf8');
    writeFileSync(KEPT, text);
    writeFileSync(FILE, `${JSON.stringify(packedManifest(JSON.parse(text) as Manifest), null, 2)}\n`);
  }
}
