import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm pack` puts the package.json of this folder into the tarball. Before it, `write` replaces the
 * file by what an installed package needs; after it, `restore` brings the file back.
 */
type Fields = Readonly<Record<string, unknown>>;
type Manifest = Fields & { readonly scripts: Readonly<Record<string, string>>; readonly dependencies: Fields };

const FOR_DEVELOPMENT = new Set(['devDependencies', 'allowScripts', 'overrides', 'workspaces']);

/** Loaded as native code, which npm chooses by platform. dist/node_modules has what is loaded of the others. */
const NATIVE = new Set(['sharp']);

const chosen = (fields: Fields, isChosen: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isChosen(name)));

/** The manifest of the tarball. */
export const packedManifest = (manifest: Manifest): Fields => ({
  ...chosen(manifest, (name) => !FOR_DEVELOPMENT.has(name)),
  // npm reads the file again after it has packed. With more scripts it would ask each user to approve them.
  scripts: { postpack: manifest.scripts['postpack'] },
  dependencies: chosen(manifest.dependencies, (name) => NATIVE.has(name)),
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
