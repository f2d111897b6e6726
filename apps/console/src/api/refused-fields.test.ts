import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { readRefusedFields } from './refused-fields.ts'

const refuse = (...locations: readonly (readonly (string | number)[])[]): ApiProblem =>
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

test('the fields of an operation itself are named, and the entries of a list by their number', () => {
  const fields = new Set(['name', 'redirect_uris'])
  const error = refuse(['name'], ['redirect_uris', 0], ['redirect_uris', 2])
  assert.deepEqual(readRefusedFields(error, null, fields), {
    name: 'name is wrong',
    redirect_uris: 'Entry 1 0 is wrong. Entry 3 2 is wrong.',
  })
  assert.deepEqual(readRefusedFields(refuse(['name'], ['scopes', 0]), null, fields), {})
})
