import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { readRefusedFields } from './refused-fields.ts'

const refuse = (...locations: readonly (readonly string[])[]): ApiProblem =>
  new ApiProblem(
    422,
    {
      type: 'https://example.com/problems/validation',
      detail: locations.map((loc) => ({ loc: ['body', ...loc], msg: `${loc.at(-1)} is wrong` })),
    },
    null,
  )
const names = new Set(['index', 'geometry'])

test('a refusal is shown at the input that it names, also for a part of it', () => {
  const error = refuse(['inputs', 'index'], ['inputs', 'geometry', 'coordinates'])
  assert.deepEqual(readRefusedFields(error, 'inputs', names), {
    index: 'index is wrong',
    geometry: 'coordinates is wrong',
  })
})

test('an error of an input that is not shown is left to the note of the problem, with all others', () => {
  assert.deepEqual(readRefusedFields(refuse(['inputs', 'index'], ['inputs', 'item']), 'inputs', names), {})
  assert.deepEqual(readRefusedFields(refuse(['workspaceId']), 'inputs', names), {})
  assert.deepEqual(readRefusedFields(new Error('no connection'), 'inputs', names), {})
})
