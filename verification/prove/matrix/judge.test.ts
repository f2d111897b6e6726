import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOperation } from '@swath/contract/registry.ts'
import { humanScopes } from '@swath/contract/scopes.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { expectAnswer } from './expectations.ts'
import type { MatrixAnswer, MatrixPrincipal, Target } from './facts.ts'
import { compareAbsent, findRevealed, judgeAnswer, normalize } from './judge.ts'

const answer = (status: number, problem: string | null = null, body = '{}'): MatrixAnswer => ({
  status,
  problem,
  headers: 'content-type: application/json',
  body,
})

const viewer: MatrixPrincipal = {
  name: 'viewer',
  credential: { bearer: async () => '' },
  facts: {
    isAccepted: true,
    kind: 'human',
    scopes: humanScopes,
    role: 'member',
    projects: { own: 'viewer', otherProject: null },
  },
  own: null,
}
const key: MatrixPrincipal = {
  ...viewer,
  facts: { ...viewer.facts, kind: 'api_key', scopes: ['*:read'], role: 'owner' },
}
const anonymous: MatrixPrincipal = { ...viewer, credential: {}, facts: { ...viewer.facts, isAccepted: false } }

/** What is wrong with an answer of an operation. */
const judge = (principal: MatrixPrincipal, id: string, target: Target, one: MatrixAnswer): string | null => {
  const operation = findOperation(id)!
  return judgeAnswer(
    expectAnswer({ principal, operation, target, isFilter: false, isMixed: false, isOtherRoute: false, isTile: false }),
    operation,
    one,
  )
}

test('right answers pass', () => {
  assert.equal(judge(anonymous, 'items.get', 'own', answer(401, 'unauthenticated')), null)
  assert.equal(judge(key, 'items.update', 'own', answer(403, 'insufficient-scope')), null)
  assert.equal(judge(key, 'admin.orgs.list', 'none', answer(403, 'insufficient-scope')), null)
  assert.equal(judge(viewer, 'items.get', 'own', answer(200)), null)
  assert.equal(judge(viewer, 'items.get', 'other project', answer(403, 'not-a-member')), null)
  assert.equal(judge(viewer, 'items.update', 'own', answer(403, 'not-a-member')), null)
  assert.equal(judge(viewer, 'items.get', 'other organization', answer(404, 'not-found')), null)
})

test('a removed check of who acts in person is seen', () => {
  const impersonator: MatrixPrincipal = { ...viewer, facts: { ...viewer.facts, kind: 'impersonation' } }
  const program: MatrixPrincipal = { ...viewer, facts: { ...viewer.facts, isDelegated: true } }
  for (const principal of [impersonator, program, { ...key, facts: { ...key.facts, scopes: ['users:read'] } }]) {
    assert.ok(judge(principal, 'users.sessions.list', 'none', answer(200)))
    assert.equal(judge(principal, 'users.sessions.list', 'none', answer(403, 'user-required')), null)
  }
})

test('a removed check of the token, the scope, the caller or the permission is seen', () => {
  assert.ok(judge(anonymous, 'items.get', 'own', answer(200)))
  assert.ok(judge(key, 'items.update', 'own', answer(200)))
  assert.ok(judge(key, 'items.update', 'own', answer(422, 'validation')), 'the body was read before the scope')
  assert.ok(judge({ ...key, facts: { ...key.facts, scopes: ['*:write'] } }, 'api_keys.create', 'none', answer(200)))
  assert.ok(judge(viewer, 'organizations.audit.list', 'none', answer(200)))
})

test('a query without the organization or without the project is seen', () => {
  assert.ok(judge(viewer, 'items.get', 'other organization', answer(200)))
  assert.ok(judge(viewer, 'items.get', 'other project', answer(200)))
  assert.ok(judge(viewer, 'items.get', 'deleted', answer(200)))
})

test('a write of who may only read is seen', () => {
  assert.ok(judge(viewer, 'items.update', 'own', answer(200)))
})

test('another problem, an undeclared one and an internal error are seen', () => {
  assert.ok(judge(viewer, 'items.get', 'other organization', answer(403, 'not-a-member')))
  assert.ok(judge(viewer, 'items.get', 'own', answer(402, 'past-due')))
  assert.ok(judge(viewer, 'items.get', 'other organization', answer(500, 'internal')))
  assert.ok(judge(viewer, 'items.get', 'own', answer(401, 'unauthenticated')))
})

test('a list that has something of the ids is seen', () => {
  const operation = findOperation('items.batch_delete')!
  const expectation = { kind: 'empty' } as const
  const rows = (deleted: boolean): MatrixAnswer => answer(200, null, JSON.stringify({ results: [{ deleted }] }))
  assert.equal(judgeAnswer(expectation, operation, rows(false)), null)
  assert.ok(judgeAnswer(expectation, operation, rows(true)))
  assert.ok(judgeAnswer(expectation, operation, answer(200, null, '{"surprise":[]}')))
})

test('an id or a marker of others in the body or in a header is seen, unless the caller has sent it', () => {
  const [secret, sent] = [newId(), newId()]
  const secrets = { ids: new Set([secret, sent]), markers: ['OfAnother'] }
  assert.deepEqual(findRevealed(secrets, answer(404, 'not-found', `"${secret}"`), ''), [secret])
  assert.deepEqual(findRevealed(secrets, { ...answer(200), headers: `location: /items/${secret}` }, ''), [secret])
  assert.deepEqual(findRevealed(secrets, answer(404, 'not-found', 'no item "Field OfAnother"'), ''), ['OfAnother'])
  assert.deepEqual(findRevealed(secrets, answer(404, 'not-found', `"${sent}" "${newId()}"`), sent), [])
})

test('an error that tells absent from forbidden entities is seen', () => {
  const [one, other] = [newId(), newId()]
  const absent = (id: string, detail: string): string =>
    normalize(answer(404, 'not-found', `{"detail":"${detail} ${id}","trace_id":"${newId()}"}`), id)
  assert.equal(compareAbsent(absent(one, 'no item'), absent(other, 'no item')), null)
  assert.ok(compareAbsent(absent(one, 'no item Field'), absent(other, 'no item')))
  assert.ok(compareAbsent(normalize(answer(403, 'forbidden'), ''), normalize(answer(404, 'not-found'), '')))
})
