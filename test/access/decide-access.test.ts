import assert from 'node:assert/strict';
import test from 'node:test';
import { ANONYMOUS, type Caller, SCOPES, type Scope } from '../../src/core/model/people/caller.ts';
import {
  type AccessNeed,
  decideAccess,
  holderOf,
  type Proof,
} from '../../src/core/model/people/decide-access.ts';

const withScopes = (...scopes: Scope[]): Caller => ({
  ...{ kind: 'KEY', name: 'ci', scopes, owner: 'KEY ci', teams: [] },
});

const PROVED: Record<string, Omit<Proof, 'relation'> & Partial<Proof>> = {
  stranger: { caller: ANONYMOUS, linkToken: 'NONE' },
  'wrong key': { caller: 'INVALID_KEY', linkToken: 'NONE' },
  'key without scopes': { caller: withScopes(), linkToken: 'NONE' },
  'right key': { caller: withScopes('read'), linkToken: 'NONE' },
  'other scope': { caller: withScopes('create', 'manage', 'metrics'), linkToken: 'NONE' },
  'owner of the link': { caller: withScopes(), relation: 'OWNER', linkToken: 'NONE' },
  'member of its team': { caller: withScopes(), relation: 'MEMBER', linkToken: 'NONE' },
  'foreign token and its owner': { caller: withScopes(), relation: 'OWNER', linkToken: 'FOREIGN' },
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
      decideAccess(mode, need, { relation: 'NONE', ...proof }),
    ]),
  );

const WRONG = {
  'wrong key': 'INVALID_KEY',
  'foreign token': 'FOREIGN_TOKEN',
  'foreign token and right key': 'FOREIGN_TOKEN',
  'foreign token and its owner': 'FOREIGN_TOKEN',
  'token and wrong key': 'INVALID_KEY',
};
const ALL_ALLOWED = Object.fromEntries(Object.keys(PROVED).map((name) => [name, 'ALLOWED']));

test('a scope needs a key that has it, the owner of the link, a member of its team, or its token, where access is by keys', () => {
  assert.deepEqual(decisions('keys', 'read'), {
    ...ALL_ALLOWED,
    ...WRONG,
    stranger: 'SIGN_IN_REQUIRED',
    'key without scopes': 'INSUFFICIENT_SCOPE',
    'other scope': 'INSUFFICIENT_SCOPE',
  });
});

test('a sign-in needs any key where access is by keys', () => {
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

test('only who may create links has the access of an owner or a member', () => {
  const nothing = { owner: null, teams: [] };
  assert.deepEqual(holderOf(ANONYMOUS), nothing);
  assert.deepEqual(holderOf(withScopes('read', 'manage', 'metrics', 'admin')), nothing);
  const creating = withScopes('create');
  assert.equal(holderOf(creating), creating);
});
