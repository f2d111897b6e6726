import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { excerptOf, findUnknownProperty, locateProblem } from './locate-mistake.ts'
import { parseCql2Text } from './parse-cql2-text.ts'

test('an excerpt has the wrong word in its middle', () => {
  assert.deepEqual(excerptOf('gsd > wrong AND b = 1', 6), ['gsd > ', 'wrong', ' AND b = 1'])
  assert.deepEqual(excerptOf('gsd >', 5), ['gsd >', '', ''])
  const [before, wrong, after] = excerptOf(`${'a'.repeat(40)} ! ${'b'.repeat(40)}`, 41)
  assert.equal(wrong, '!')
  assert.ok(before.startsWith('…') && after.endsWith('…'))
})

test('a mistake that the platform found is located by its path', () => {
  const text = `gsd < 3 AND datetime > TIMESTAMP('2020')`
  const errors = [{ path: 'filter.args.1.args.1.timestamp', message: 'is not a timestamp' }]
  const error = new ApiProblem(422, { type: '/problems/validation', errors }, null)
  assert.deepEqual(locateProblem(error, parseCql2Text(text), text), { message: 'is not a timestamp', at: 33 })
  assert.equal(locateProblem(new Error('x'), {}, text), null)
})

test('a property that no item has is found in operands of any depth', () => {
  const text = "gsd < 3 OR casei(nmae) = 'x'"
  assert.equal(findUnknownProperty(text, parseCql2Text(text), new Set(['gsd']))?.at, 17)
  assert.equal(findUnknownProperty(text, parseCql2Text(text), new Set(['gsd', 'nmae'])), null)
})
