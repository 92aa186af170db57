import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isExactNumber } from '../../../src/domain/values/exact-number.ts';

describe('a number that a double keeps exactly', () => {
  it.each([
    '0',
    '0.000',
    '0e999',
    '12345678901e-20',
    '5e-324',
    '1.10',
    '-12.50e3',
    '1E+2',
    '9007199254740992',
    '9007199254740994',
    '999999999999.99',
    '1.7976931348623157e308',
    '-5e-324',
    '1e21',
    '100000000000000000000000',
    '0.1',
    `0.${'0'.repeat(20)}1`,
    `-0.${'0'.repeat(20)}1`,
    `0.${'0'.repeat(20)}`,
    '1234567890.12345600',
    '1.79769313486231570e308',
    '1E+300',
    '1.0e+300',
    '0.10E-299',
  ])('%s is kept', (text) => {
    expect(isExactNumber(text)).toBe(true);
  });

  it.each([
    '-0',
    '-0.00',
    '-0e5',
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '0.12345678901234567891',
    '0.10000000000000000001',
    '1234567890.12345678',
    '1e-400',
    '123e-324',
    '123E-324',
    '-123e-324',
    '-1e999',
    '1e999',
    '1'.repeat(1000),
  ])('%s is not', (text) => {
    expect(isExactNumber(text)).toBe(false);
  });

  it('every double that JSON.stringify writes is kept', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(isExactNumber(JSON.stringify(number))).toBe(true);
      }),
    );
  });

  it('every decimal of 15 significant digits is kept', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), fc.integer({ min: -30, max: 30 }), (digits, power) => {
        expect(isExactNumber(`${digits}e${power}`)).toBe(true);
      }),
    );
  });
});
