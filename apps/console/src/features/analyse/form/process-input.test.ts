import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InputSchema } from '../../../schema-form/schema-fields.ts'
import { labelOf, sortFields } from './process-fields.ts'
import { readProcessInput } from './process-input.ts'

const polygon: InputSchema = { anyOf: ['Polygon', 'MultiPolygon'].map((type) => ({ type: 'object', properties: { type: { const: type } } })) } // prettier-ignore
const change: InputSchema = {
  properties: {
    before_item_id: { type: 'string' },
    after_item_id: { type: 'string' },
    index_name: { type: 'string' },
    change_threshold: { type: 'number' },
    geometry: polygon,
    band_mapping: { type: 'object' },
  },
  required: ['before_item_id', 'after_item_id', 'index_name', 'change_threshold', 'geometry'],
}
const series: InputSchema = {
  properties: {
    item_ids: { type: 'array', items: { type: 'string' } },
    item_id: { type: 'string' },
    geometry: polygon,
  },
  required: ['geometry'],
}
const empty = { items: [], area: null, project: null, values: {} }
const area = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
} as const

test('the items before and after are the first and the second, unless they were chosen', () => {
  const fields = sortFields(change)
  const choices = { ...empty, items: ['a', 'b'], area, values: { index_name: 'NDVI', change_threshold: '0.2' } }
  assert.deepEqual(readProcessInput(fields, choices), {
    inputs: {
      before_item_id: 'a',
      after_item_id: 'b',
      geometry: area,
      index_name: 'NDVI',
      change_threshold: 0.2,
    },
    faults: {},
  })
  const swapped = { ...choices, values: { ...choices.values, before_item_id: 'b', after_item_id: 'a' } }
  assert.equal(readProcessInput(fields, swapped).inputs['before_item_id'], 'b')
})

test('a measurement of many items takes all of them, and leaves out the one that is an alternative', () => {
  const fields = sortFields(series)
  assert.deepEqual(readProcessInput(fields, { ...empty, items: ['a', 'b'], area }).inputs, {
    item_ids: ['a', 'b'],
    geometry: area,
  })
  assert.deepEqual(
    fields.more.map(({ name }) => name),
    ['item_id'],
  )
})

test('a missing required input is reported at its field', () => {
  assert.deepEqual(readProcessInput(sortFields(change), { ...empty, values: { change_threshold: 'much' } }).faults, {
    before_item_id: 'required',
    after_item_id: 'required',
    geometry: 'required',
    index_name: 'required',
    change_threshold: 'number',
  })
})

test('a name is shown as words', () => {
  assert.equal(labelOf('asset_key'), 'File')
  assert.equal(labelOf('slope_unit'), 'Slope unit')
})
