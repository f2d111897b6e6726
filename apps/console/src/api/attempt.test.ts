import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resumeAttempt } from './attempt.ts'

test('a repeated payment for the same input has the key of the first attempt', () => {
  const first = resumeAttempt(null, 'three scenes', () => 'one')
  assert.deepEqual(
    resumeAttempt(JSON.stringify(first), 'three scenes', () => 'two'),
    first,
  )
})

test('another input, or a stored text that is not an attempt, has a new key', () => {
  const first = JSON.stringify(resumeAttempt(null, 'three scenes', () => 'one'))
  for (const stored of [first, '', '{', 'null', '7', '{}', '{"key":1,"fingerprint":"two scenes"}'])
    assert.equal(resumeAttempt(stored, 'two scenes', () => 'two').key, 'two', stored)
})
