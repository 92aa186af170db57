import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/**', 'data/**', 'src/generated/**', 'clients/typescript/src/generated/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [js.configs.recommended, tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ['error', 12],
      // `!= null` is the one way to ask for both null and undefined.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }],
      // Wrong for Latin-1 text in Node 20 once V8 has optimised the call.
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'Use parseUrl of src/domain/values/url.ts.' },
        { object: 'URL', property: 'parse', message: 'Use parseUrl of src/domain/values/url.ts.' },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // A number in a message reads as itself; what must not slip in is an object or a null.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Ports are objects of closures, which are taken apart freely; nothing here reads `this` but a few small classes.
      '@typescript-eslint/unbound-method': 'off',
      // An empty string is often as good as none.
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      // `() => void work()` says as much as a block.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'clients/*/src/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 150, skipBlankLines: true, skipComments: true }], 'no-console': 'error' },
  },
  // JavaScript that runs without a loader. tsc checks it, undefined names included.
  { files: ['src/**/*.mjs'], extends: [js.configs.recommended], rules: { complexity: ['error', 12], 'no-undef': 'off' } },
  {
    // A client writes what these expressions read. One that backtracks lets a header of 15 KB stop every other request.
    files: ['src/**/*.ts', 'src/**/*.mjs', 'clients/*/src/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false, ignoreSticky: false }],
    },
  },
  {
    files: ['console/**/*.{ts,tsx}'],
    ignores: ['console/build.ts'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'max-lines': ['error', { max: 150, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      // TanStack Router's way to lead elsewhere.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
      // The bundle has no code of the server. The types of its answers come from the schemas.
      '@typescript-eslint/no-restricted-imports': ['error', { patterns: [{ group: ['**/src/**'], allowTypeImports: true }] }],
    },
  },
  { files: ['src/**/*.ts', 'clients/*/src/**/*.ts'], ignores: ['src/adapters/http/**'], rules: { 'max-params': ['error', 5] } },
  { files: ['src/adapters/http/**/*.ts'], rules: { 'max-params': ['error', 4] } },
  { files: ['src/adapters/{cli,wiring}/**/*.ts', 'src/main.ts', 'clients/*/src/**/*.ts'], rules: { 'no-console': 'off' } },
  // Config files are read by tools that want a default export.
  { files: ['*.config.ts', 'test/support/global-setup.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'clients/*/test/**/*.ts'],
    rules: {
      // JSON bodies in assertions are `any` by supertest's types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['test/**/*.ts', 'clients/*/test/**/*.ts'],
    ignores: ['test/support/global-setup.ts', 'test/campaigns/{faults,hostile}/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        {
          selector: 'CallExpression[callee.object.name="vi"][callee.property.name=/^wait(For|Until)$/][arguments.length=1]',
          message:
            'It gives up after a second, which is too short on a busy machine. Use eventually() of test/support/eventually.ts.',
        },
      ],
    },
  },
  // A fake keeps the promise of its port though it has nothing to wait for.
  {
    files: ['src/adapters/memory/**/*.ts', 'test/**/*.ts', 'clients/*/test/**/*.ts'],
    rules: { '@typescript-eslint/require-await': 'off' },
  },
);
