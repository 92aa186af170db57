import { describe, expect, it } from 'vitest';

import { portError } from '../../src/adapters/prisma/connection/unavailable.ts';
import { DatabaseUnavailable } from '../../src/domain/ports/transaction.ts';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });
const ofForeignKey = (constraint: string): Error => Object.assign(withCode('23503'), { constraint });
const OF_PRISMA = Object.assign(new Error('P2010'), { meta: { driverAdapterError: { cause: { originalCode: '25006' } } } });

describe('an error of the database is an outage', () => {
  const sockets = [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOENT',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'EADDRNOTAVAIL',
  ];
  const names = ['ENOTFOUND', 'EAI_AGAIN'];
  const servers = ['08006', '57P01', '57014', '53300', '25P03', '25006'];
  it.each([...sockets, ...names, ...servers])('with the code %s', (code) => {
    expect(portError(withCode(code))).toBeInstanceOf(DatabaseUnavailable);
  });

  it('also where Prisma has the code', () => {
    expect(portError(OF_PRISMA)).toBeInstanceOf(DatabaseUnavailable);
  });

  it.each(['products_store_id_fkey', 'media_imports_store_id_installation_id_fkey'])(
    'where the store or the app of a request is gone: %s',
    (constraint) => {
      expect(portError(ofForeignKey(constraint))).toBeInstanceOf(DatabaseUnavailable);
    },
  );
});

it.each(['23505', '22021', '42P01', 'ERR_INVALID_ARG_TYPE'])('an error with the code %s stays what it is', (code) => {
  const error = withCode(code);
  expect(portError(error)).toBe(error);
});

it('a row that lacks another row of its store stays an error', () => {
  const error = ofForeignKey('products_store_id_category_id_fkey');
  expect(portError(error)).toBe(error);
});
