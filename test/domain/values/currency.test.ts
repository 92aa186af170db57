import { expect, it } from 'vitest';

import { currencyRule, isActiveCurrency, isCurrency } from '../../../src/domain/values/currency.ts';

/** The codes of three letters from AAA to ZZZ. */
const codes = Array.from({ length: 26 ** 3 }, (_, n) =>
  [n / 676, (n / 26) % 26, n % 26].map((at) => String.fromCharCode(65 + Math.floor(at))).join(''),
);
const active = codes.filter(isActiveCurrency);

it('the active currencies are those of ISO 4217, list one, that are money', () => {
  expect(active).toHaveLength(164);
  for (const code of ['EUR', 'USD', 'JPY', 'VND', 'CHF', 'XAF', 'XCG', 'ZWG', 'SLE', 'CLF']) expect(active).toContain(code);
  for (const code of ['ZZZ', 'XXX', 'XTS', 'XAU', 'XDR', 'DEM', 'BGN', 'EURO', 'eur', ''])
    expect(isActiveCurrency(code)).toBe(false);
});

it('a price may also be in a currency that was withdrawn since 2010', () => {
  expect(codes.filter((code) => isCurrency(code) && !active.includes(code))).toEqual([
    'ANG',
    'BGN',
    'BYR',
    'CUC',
    'EEK',
    'HRK',
    'LTL',
    'LVL',
    'MRO',
    'SLL',
    'STD',
    'VEF',
    'ZMK',
    'ZWL',
  ]);
});

it('every active currency is one that Node.js knows, but for units of account and the newest', () => {
  const known = new Set([
    ...Intl.supportedValuesOf('currency'),
    ...'BOV CHE CHW CLF COU MXV USN UYI UYW'.split(' '),
    'VED',
    'XCG',
    'ZWG',
  ]);
  expect(active.filter((code) => !known.has(code))).toEqual([]);
});

it('what is said of another code has the code', () => {
  expect(currencyRule('EURO')).toBe('must be a currency of ISO 4217, such as EUR, and "EURO" is not one');
});
