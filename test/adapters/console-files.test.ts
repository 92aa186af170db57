import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundleConsole, type ConsoleBundle } from '../../src/adapters/http/console/files/bundle-console.ts';
import { MANIFEST, openConsoleFiles } from '../../src/adapters/http/console/files/console-files.ts';

let folder = '';
let made: ConsoleBundle;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-console-'));
  await writeFile(join(folder, 'page.ts'), "export const page = (): string => 'of a page';\n");
  await writeFile(join(folder, 'main.css'), ':root { color: light-dark(black, white); }\n');
  await writeFile(
    join(folder, 'main.tsx'),
    "import './main.css';\nvoid import('./page.ts').then(({ page }) => console.log(page(), process.env.NODE_ENV));\n",
  );
  made = await bundleConsole(join(folder, 'main.tsx'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();
const missing = () => pathToFileURL(join(folder, 'missing/'));

describe('the bundle', () => {
  it('has one script with its pages, and a stylesheet, whose names change with their content', async () => {
    const unhashed = [...made.files.keys()].map((name) => name.replace(/-[A-Z0-9]{8}\./, '.'));
    expect(unhashed.sort()).toEqual(['main.css', 'main.js']);
    expect(textOf(made.files.get(made.script))).toContain('of a page');
    await writeFile(join(folder, 'other.tsx'), 'console.log(1);\n');
    const other = await bundleConsole(join(folder, 'other.tsx'));
    expect(other).toMatchObject({ stylesheet: null, script: expect.not.stringContaining(made.script) as string });
  });

  it('is for production, and its styles keep both themes', () => {
    expect(textOf(made.files.get(made.script))).toContain('"production"');
    expect(textOf(made.files.get(made.stylesheet ?? ''))).toContain('light-dark(');
  });

  it('reports a source that is not valid', async () => {
    await writeFile(join(folder, 'broken.tsx'), 'const = ;\n');
    await expect(bundleConsole(join(folder, 'broken.tsx'))).rejects.toThrow('broken.tsx');
  });
});

describe('the files', () => {
  it('are bundled once, and compressed', async () => {
    let bundles = 0;
    const load = openConsoleFiles({
      prebuilt: missing(),
      bundle: async () => {
        bundles += 1;
        return made;
      },
    });
    const [one, other] = await Promise.all([load(), load()]);
    expect([one === other, await load()]).toEqual([true, one]);
    expect(bundles).toBe(1);
    const script = one.assets.get(made.script);
    expect(script?.type).toBe('text/javascript; charset=utf-8');
    expect(gunzipSync(script?.gzipped ?? '').equals(script?.bytes ?? new Uint8Array())).toBe(true);
    expect(one.assets.get(made.stylesheet ?? '')?.type).toBe('text/css; charset=utf-8');
  });

  it('are read where the build wrote them, and then nothing is bundled', async () => {
    const prebuilt = join(folder, 'prebuilt');
    await mkdir(prebuilt);
    const { files, ...manifest } = made;
    for (const [name, bytes] of files) await writeFile(join(prebuilt, name), bytes);
    await writeFile(join(prebuilt, MANIFEST), JSON.stringify(manifest));
    const load = openConsoleFiles({
      prebuilt: pathToFileURL(`${prebuilt}/`),
      bundle: () => Promise.reject(new Error('bundled')),
    });
    const { assets, page } = await load();
    expect([...assets.keys()].sort()).toEqual([...files.keys()].sort());
    expect(page('merchant')).toContain(`src="/console/assets/${made.script}"`);
  });

  it('are made again after a failure', async () => {
    const answers = [() => Promise.reject(new Error('a slip of the pen')), () => Promise.resolve(made)];
    const load = openConsoleFiles({ prebuilt: missing(), bundle: () => answers.shift()!() });
    await expect(load()).rejects.toThrow('a slip of the pen');
    expect((await load()).assets.size).toBe(2);
  });

  it.each([
    ['merchant', '/console/assets/'],
    ['app', '/apps/console/assets/'],
  ] as const)('have a page for the %s, without inline code', async (kind, assets) => {
    const page = (await openConsoleFiles({ prebuilt: missing(), bundle: async () => made })()).page(kind);
    expect(page).toContain(`<meta name="tenon-console" content="${kind}">`);
    expect(page).toContain(`<script type="module" src="${assets}${made.script}"></script>`);
    expect(page).toContain(`<link rel="stylesheet" href="${assets}${made.stylesheet ?? ''}">`);
    expect(page).toContain('<meta name="color-scheme" content="light dark">');
    expect(page).not.toMatch(/<style| style=| on[a-z]+=|<script(?![^>]* src=)/);
  });
});
