import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../platform/ids.ts'
import { Problem } from './problem.ts'
import { readToken, textKey, timeKey, uuidKey, writeToken } from './page-token.ts'

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test('what was written is read again', () => {
  const keys = ['2024-02-29T10:00:00.000Z', 'a scene: "ä" / 1']
  assert.deepEqual(readToken(writeToken(keys), [timeKey, textKey]), keys)
  const id = newId()
  assert.deepEqual(readToken(writeToken([id]), [uuidKey]), [id])
  assert.match(writeToken(keys), /^[\w-]+$/)
})

test('no token is the first page', () => {
  assert.equal(readToken(null, [uuidKey]), null)
  assert.equal(readToken(undefined, [uuidKey]), null)
})

test('any other text is refused by the name of the field', () => {
  const time = '2024-02-29T10:00:00.000Z'
  const bad: readonly unknown[] = [
    '',
    'null',
    encoded({ 0: time, 1: 'x', length: 2 }),
    encoded([time]),
    encoded([time, 'x', 'y']),
    encoded([time, 5]),
    encoded([time, '']),
    encoded([time, 'a\u0000b']),
    encoded([time, '\ud800']),
    encoded([time, 'x'.repeat(501)]),
    encoded(['2023-02-29T10:00:00.000Z', 'x']),
    encoded(['2024-02-29T25:00:00.000Z', 'x']),
    encoded(['2024-02-29', 'x']),
    encoded(['+012345-01-01T00:00:00.000Z', 'x']).slice(1),
    '\ud800',
    '='.repeat(4000),
  ]
  for (const token of bad) {
    assert.throws(
      () => readToken(token as string, [timeKey, textKey]),
      (error) =>
        error instanceof Problem && error.problem === 'validation' && JSON.stringify(error.extra).includes('next'),
      String(token),
    )
  }
  assert.throws(() => readToken(writeToken([newId().toUpperCase()]), [uuidKey]), Problem)
})
