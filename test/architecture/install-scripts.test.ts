import { expect, it } from 'vitest';

import { textOf } from './source.ts';

interface Manifest {
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const manifest = JSON.parse(textOf('package.json')) as Manifest;
const { packages } = JSON.parse(textOf('package-lock.json')) as {
  packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
};
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const withScripts = Object.entries(packages)
  .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript === true)
  .map(([path]) => nameOf(path));

it('allowScripts lists every dependency with an install script, so that npm ci prints no warning', () => {
  expect(withScripts).toContain('esbuild');
  expect(withScripts.filter((name) => !(name in manifest.allowScripts))).toEqual([]);
});

it('allowScripts names only packages that have an install script', () => {
  expect(Object.keys(manifest.allowScripts).filter((name) => !withScripts.includes(name))).toEqual([]);
});
