import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCondition, listFilterProperties, writeCondition } from './condition-text.ts'
import { parseCql2Text } from './parse-cql2-text.ts'

test('a condition made from a form is CQL2 text, whatever was entered', () => {
  const text = writeCondition({ name: 'a name', kind: 'text', values: [] }, '=', "it's")
  assert.deepEqual(parseCql2Text(text), { op: '=', args: [{ property: 'a name' }, "it's"] })
  const like = writeCondition({ name: 'platform', kind: 'text', values: [] }, 'contains', "5%_'")
  assert.deepEqual(parseCql2Text(like), {
    op: 'like',
    args: [
      { op: 'casei', args: [{ property: 'platform' }] },
      { op: 'casei', args: [String.raw`%5\%\_'%`] },
    ],
  })
  assert.equal(describeCondition(like), "platform ∋ 5%_'")
})

test('numbers and days are written as such', () => {
  assert.equal(writeCondition({ name: 'gsd', kind: 'number', values: [] }, '<=', '3'), 'gsd <= 3')
  const after = writeCondition({ name: 'created', kind: 'time', values: [] }, '>=', '2024-05-01')
  assert.equal(describeCondition(after), 'created >= 2024-05-01')
  assert.deepEqual(parseCql2Text(after), {
    op: '>=',
    args: [{ property: 'created' }, { timestamp: '2024-05-01T00:00:00Z' }],
  })
})

test('properties of lists, and those with a field of their own, are not offered', () => {
  const properties = { instruments: { type: 'array' }, geometry: { $ref: '' }, gsd: { type: 'number' }, mixed: { type: ['string', 'number'] } } // prettier-ignore
  const queryables = {
    $schema: '',
    $id: '',
    type: 'object',
    title: '',
    properties,
    additionalProperties: true,
  } as const
  assert.deepEqual(listFilterProperties(queryables), [{ name: 'gsd', kind: 'number', values: [] }])
})
