import assert from 'node:assert/strict';
import test from 'node:test';
import { ANONYMOUS, type Caller, SCOPES, type Scope } from '../../src/access/caller.ts';
import { type AccessNeed, decideAccess, type Proof } from '../../src/access/decide-access.ts';

const withScopes = (...scopes: Scope[]): Caller => ({
  ...{ kind: 'KEY', name: 'ci', scopes, owner: 'KEY ci', teams: [] },
});

const PROVED: Record<string, Omit<Proof, 'isCreator'> & Partial<Proof>> = {
  stranger: { caller: ANONYMOUS, linkToken: 'NONE' },
  'wrong key': { caller: 'INVALID_KEY', linkToken: 'NONE' },
  'key without scopes': { caller: withScopes(), linkToken: 'NONE' },
  'right key': { caller: withScopes('read'), linkToken: 'NONE' },
  'other scope': { caller: withScopes('create', 'manage', 'metrics'), linkToken: 'NONE' },
  'key that created the link': { caller: withScopes(), isCreator: true, linkToken: 'NONE' },
  'foreign token and such a key': { caller: withScopes(), isCreator: true, linkToken: 'FOREIGN' },
  token: { caller: ANONYMOUS, linkToken: 'MATCHES' },
  'foreign token': { caller: ANONYMOUS, linkToken: 'FOREIGN' },
  'foreign token and right key': { caller: withScopes('read'), linkToken: 'FOREIGN' },
  'token and other scope': { caller: withScopes('create'), linkToken: 'MATCHES' },
  'token and wrong key': { caller: 'INVALID_KEY', linkToken: 'MATCHES' },
};

const decisions = (mode: 'open' | 'keys', need: AccessNeed) =>
  Object.fromEntries(
    Object.entries(PROVED).map(([name, proof]) => [
      name,
      decideAccess(mode, need, { isCreator: false, ...proof }),
    ]),
  );

const WRONG = {
  'wrong key': 'INVALID_KEY',
  'foreign token': 'FOREIGN_TOKEN',
  'foreign token and right key': 'FOREIGN_TOKEN',
  'foreign token and such a key': 'FOREIGN_TOKEN',
  'token and wrong key': 'INVALID_KEY',
};
const ALL_ALLOWED = Object.fromEntries(Object.keys(PROVED).map((name) => [name, 'ALLOWED']));

test('with keys, a scope needs a key that has it, the key that created the link, or its token', () => {
  assert.deepEqual(decisions('keys', 'read'), {
    ...ALL_ALLOWED,
    ...WRONG,
    stranger: 'SIGN_IN_REQUIRED',
    'key without scopes': 'INSUFFICIENT_SCOPE',
    'other scope': 'INSUFFICIENT_SCOPE',
  });
});

test('with keys, a sign-in needs any key', () => {
  assert.deepEqual(decisions('keys', 'sign-in'), { ...ALL_ALLOWED, ...WRONG, stranger: 'SIGN_IN_REQUIRED' });
});

test('in open mode everything is allowed, except with credentials that are wrong', () => {
  for (const need of ['optional', 'sign-in', ...SCOPES] as const) {
    assert.deepEqual(decisions('open', need), { ...ALL_ALLOWED, ...WRONG }, need);
  }
});

test('a route that needs nothing ignores credentials, and one with optional credentials refuses wrong ones', () => {
  for (const mode of ['open', 'keys'] as const) {
    assert.deepEqual(decisions(mode, 'nothing'), ALL_ALLOWED);
    assert.deepEqual(decisions(mode, 'optional'), { ...ALL_ALLOWED, ...WRONG });
  }
});
