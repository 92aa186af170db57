import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { root } from '../architecture/source.ts';
import { faultsOf, typescriptBlocks } from '../support/typescript-blocks.ts';

const folder = join(root, 'clients/typescript');
const MAX_BYTES = 33_000;

describe('tenon-client as npm publishes it', () => {
  let place: string;
  let installed: string;
  let tarball: Buffer;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'tenon-client-'));
    // `npm pack` builds it.
    const packed = execFileSync('npm', ['pack', '--silent', '--json', '--pack-destination', place], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    tarball = readFileSync(join(place, filename));
    installed = join(place, 'node_modules/tenon-client');
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(place, filename), '-C', installed, '--strip-components=1']);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  const files = (): string[] => readdirSync(installed, { recursive: true, encoding: 'utf8' });
  const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;

  it('has a README and a licence, ES modules without side effects, and no dependency', () => {
    expect(files()).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts']));
    expect(manifest()).toMatchObject({ type: 'module', sideEffects: false });
    expect(Object.keys(manifest()).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });

  const bundled = (entry: string): Promise<string> =>
    build({
      stdin: { contents: `export * from '${entry}'`, resolveDir: place },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      platform: 'browser',
    }).then(({ outputFiles }) => outputFiles[0]!.text);

  // For workers and other servers without node: modules.
  it.each([
    ['tenon-client', 13_500],
    ['tenon-client/webhooks', 4_500],
  ])('%s bundles for a worker, into at most %i bytes', async (entry, most) => {
    const text = await bundled(entry);
    expect(text.length).toBeGreaterThan(1_000);
    expect(text.length).toBeLessThanOrEqual(most);
  });

  // Unpacked, of all entries together but the fixtures for tests.
  it(`has at most ${String(MAX_BYTES)} bytes of JavaScript`, () => {
    const bytes = files()
      .filter((file) => file.endsWith('.js') && !file.endsWith('testing.js'))
      .reduce((sum, file) => sum + statSync(join(installed, file)).size, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it('passes publint with its strict rules', async () => {
    const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, manifest()))).toEqual([]);
  });

  it('passes attw with the profile of ES modules', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(tarball));
    if (!analysis.types) throw new Error('the package has no types');
    const isIgnored = (problem: object): boolean =>
      'resolutionKind' in problem && (problem.resolutionKind === 'node10' || problem.resolutionKind === 'node16-cjs');
    expect(analysis.problems.filter((problem) => !isIgnored(problem))).toEqual([]);
    expect(Object.keys(analysis.entrypoints)).toEqual([
      '.',
      './webhooks',
      './express',
      './fastify',
      './testing',
      './package.json',
    ]);
  });

  it('runs from each of its entries', () => {
    const script = join(place, 'use.mjs');
    writeFileSync(
      script,
      `import { Tenon, TenonError } from 'tenon-client';
       import { receiver, sign } from 'tenon-client/webhooks';
       import { toExpress } from 'tenon-client/express';
       import { toFastify } from 'tenon-client/fastify';
       import { eventOf } from 'tenon-client/testing';
       const tenon = new Tenon({ store: 'https://shop.example', clientId: 'a', clientSecret: 'b' });
       const hooks = receiver({ secrets: ['whsec_AAAA'] });
       const body = JSON.stringify(eventOf('ping'));
       const headers = await sign('whsec_AAAA', { id: '1', body });
       const { status } = await hooks.fetch(new Request('https://x', { method: 'POST', headers, body }));
       console.log(status, tenon.products !== undefined, TenonError.name, typeof toExpress(hooks), typeof toFastify(hooks, '/'));`,
    );
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim()).toBe('204 true TenonError function function');
  });

  it('has a README whose code compiles against it, strict and with exactOptionalPropertyTypes', () => {
    for (const name of ['@types', 'express', 'fastify', 'pg']) {
      symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
    }
    const blocks = typescriptBlocks(readFileSync(join(installed, 'README.md'), 'utf8'));
    expect(blocks.length).toBeGreaterThan(5);
    expect(faultsOf(blocks, place)).toEqual([]);
    expect(faultsOf(["import { Tenon } from 'tenon-client';\nnew Tenon({ store: 1 });"], place)).toHaveLength(1);
  });

  /** Calls this for each declaration of the package, but for what is generated. */
  const forEachDeclaration = (look: (node: ts.Node, file: string) => void): void => {
    for (const file of files().filter((name) => name.endsWith('.d.ts') && !name.includes('generated'))) {
      const source = ts.createSourceFile(file, readFileSync(join(installed, file), 'utf8'), ts.ScriptTarget.ES2023, true);
      ts.forEachChild(source, (node) => look(node, file));
    }
  };

  it('has an example for each public method of its classes', () => {
    const methods = new Map<string, boolean>();
    forEachDeclaration((node) => {
      if (!ts.isClassDeclaration(node)) return;
      for (const member of node.members) {
        const isCalled =
          ts.isMethodDeclaration(member) ||
          (ts.isPropertyDeclaration(member) && member.type && ts.isFunctionTypeNode(member.type));
        if (!isCalled || ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Protected) continue;
        const name = `${node.name?.text ?? ''}.${member.name.getText()}`;
        const hasExample = ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'example');
        // An example at one overload is enough.
        methods.set(name, methods.get(name) === true || hasExample);
      }
    });
    expect([...methods.keys()]).toEqual(
      expect.arrayContaining(['Tenon.forStore', 'Products.list', 'Receiver.handle', 'Receiver.fetch']),
    );
    expect([...methods].filter(([, hasExample]) => !hasExample)).toEqual([]);
  });

  it('exports nothing without a doc comment', () => {
    const undocumented: string[] = [];
    forEachDeclaration((node, file) => {
      const isExported =
        ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (isExported && ts.getJSDocCommentsAndTags(node).length === 0)
        undocumented.push(`${file}: ${node.getText().slice(0, 60)}`);
    });
    expect(undocumented).toEqual([]);
  });
});
