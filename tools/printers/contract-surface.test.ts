import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { contractVersion } from '../../packages/contract/src/version.ts'
import { printSurface, findVersionError } from './contract-surface.ts'

const operationOf = (id: string, input: Type.TProperties, output: Type.TSchema = Type.Object({})) => ({
  id,
  scope: 'items:read' as const,
  effect: 'read' as 'read' | 'compute',
  input: Type.Object(input),
  output,
})
const list = (version: string, ...operations: ReturnType<typeof operationOf>[]): string =>
  printSurface(version, operations)

test('printSurface lists each operation and its fields at any depth once', () => {
  const row = Type.Object({ id: Type.String(), place: Type.Union([Type.Object({ x: Type.Number() }), Type.Null()]) })
  const text = list(
    '1.0.0',
    operationOf('a.b', { q: Type.Optional(Type.Number()) }, Type.Object({ rows: Type.Array(row) })),
  )
  assert.deepEqual(text.split('\n'), [
    'version 1.0.0',
    'a.b',
    '= items:read, read',
    '< q',
    '> rows',
    '> rows[].id',
    '> rows[].place',
    '> rows[].place.x',
    '',
  ])
})

test('findVersionError lists added and removed names until the version is raised', () => {
  const before = list('2.1.0', operationOf('a.b', { q: Type.Number() }))
  const more = [operationOf('a.b', { q: Type.Number(), r: Type.Number() }), operationOf('a.c', {})] as const
  assert.match(
    findVersionError(before, list('2.1.0', ...more)) ?? '',
    /above 2\.1\.0.*\n {2}\+ a\.b < r\n {2}\+ a\.c\n {2}\+ a\.c = items:read, read$/,
  )
  assert.match(findVersionError(before, list('2.0.9', ...more)) ?? '', /above 2\.1\.0/)
  assert.match(findVersionError(before, list('2.1.0', operationOf('a.b', {}))) ?? '', /- a\.b < q/)
  const compute = { ...operationOf('a.b', { q: Type.Number() }), effect: 'compute' as const }
  assert.match(findVersionError(before, list('2.1.0', compute)) ?? '', /- a\.b = items:read, read$/)
  assert.match(findVersionError(before, before.replace('2.1.0', '2.0.0')) ?? '', /above 2\.1\.0/)
  for (const version of ['2.1.1', '2.2.0', '2.10.0', '3.0.0'])
    assert.equal(findVersionError(before, list(version, ...more)), null)
  assert.equal(findVersionError(before, before), null)
  assert.equal(findVersionError(null, before), null)
})

test('the contract version is above 2.0.0, which the specified operations have', () => {
  assert.match(contractVersion, /^2\.[1-9]\d*\.\d+$/)
})
