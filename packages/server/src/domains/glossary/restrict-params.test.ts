import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findParamRestrictionErrors, restrictProductParams } from './restrict-params.ts'

const schema = {
  properties: {
    cloud: { type: 'number', minimum: 0, maximum: 100 },
    sensor: { type: 'string', enum: ['a', 'b'] },
    replan: { type: 'boolean' },
  },
  required: ['sensor'],
}

test('restrictions narrow parameters and never widen them', () => {
  const restricted = restrictProductParams(schema, {
    cloud: { minimum: 20, maximum: 200, required: true },
    sensor: { enum: ['b', 'c'] },
  })
  assert.deepEqual(restricted, {
    properties: {
      cloud: { type: 'number', minimum: 20, maximum: 100 },
      sensor: { type: 'string', enum: ['b'] },
      replan: { type: 'boolean' },
    },
    required: ['sensor', 'cloud'],
  })
  assert.equal(restrictProductParams(schema, {}), schema)
})

test('a restriction of an unknown parameter, of another type or without any value is a fault', () => {
  const faults = findParamRestrictionErrors(schema, {
    unknown: { required: true },
    replan: { minimum: 1 },
    sensor: { enum: ['c'] },
    cloud: { minimum: 120 },
  })
  assert.deepEqual(
    faults.map(({ name }) => name),
    ['unknown', 'replan', 'sensor', 'cloud'],
  )
  assert.deepEqual(findParamRestrictionErrors(schema, { cloud: { maximum: 50 }, sensor: { enum: ['a'] } }), [])
})
