import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import type { Operation } from '@swath/contract/operation.ts'
import { registry } from '@swath/contract/registry.ts'
import { FeatureCollection } from '@swath/contract/shapes/geojson.ts'
import { Default, Input, Maybe, nullRefusedMark, Open, OrEmpty, Uuid } from '@swath/contract/shapes/primitives.ts'
import { minimalOf } from '../../test/contract/minimal-input.ts'
import { dropAbsentOf } from './drop-absent.ts'
import type { Fault, Problem } from './problem.ts'
import { readInput } from './read-input.ts'

const schema = Input({
  id: Uuid,
  name: Maybe(Type.String()),
  note: Type.Optional(Type.String()),
  limit: Default(Type.Integer(), 10),
  anything: Type.Optional(Type.Unknown()),
  open: Type.Optional(Open),
  areas: Type.Optional(OrEmpty(FeatureCollection)),
  sort: Type.Optional(Type.Array(Input({ field: Type.String(), order: Default(Type.String(), 'asc') }))),
  inner: Maybe(Input({ least: Type.Optional(Type.Number()) })),
  bounds: Type.Optional(Type.Record(Type.String(), Input({ lt: Type.Optional(Type.Number()) }))),
})

function dropped(input: object): object {
  dropAbsentOf(schema)!(input)
  return input
}

test('drops null from optional members that are not nullable, at any depth', () => {
  assert.deepEqual(dropped({ note: null, limit: null, open: null, areas: null, sort: null, bounds: null }), {})
  assert.deepEqual(dropped({ sort: [{ field: 'a', order: null }], inner: { least: null } }), {
    sort: [{ field: 'a' }],
    inner: {},
  })
  assert.deepEqual(dropped({ bounds: { a: { lt: null } } }), { bounds: { a: {} } })
})

test('keeps null in nullable, required and free-form members', () => {
  const input = { id: null, name: null, anything: null, inner: null, open: { a: null }, sort: [{ field: null }, null] }
  assert.deepEqual(dropped(structuredClone(input)), input)
  assert.deepEqual(dropped({ note: 3, sort: 'x', inner: [null], bounds: null }), { note: 3, sort: 'x', inner: [null] })
})

test('drops an empty object where the schema allows it in place of no areas', () => {
  assert.deepEqual(dropped({ areas: {}, open: {} }), { open: {} })
  const collection = { type: 'FeatureCollection', features: [] }
  assert.deepEqual(dropped({ areas: collection }), { areas: collection })
})

/** The paths of the validation errors. */
function faultsOf(operation: Operation, input: object): string[] {
  try {
    readInput(operation, input)
    return []
  } catch (error) {
    return (error as Problem & { extra: { errors: Fault[] } }).extra.errors.map(({ path }) => path)
  }
}

test('every operation accepts null in each optional member, unless a standard forbids null there', () => {
  for (const operation of registry) {
    const { properties, required = [] } = operation.input as unknown as {
      properties: Record<string, object>
      required?: string[]
    }
    const minimal = minimalOf(operation.input) as object
    for (const [name, schema] of Object.entries(properties)) {
      if (required.includes(name) || nullRefusedMark in schema) continue
      assert.ok(!faultsOf(operation, { ...structuredClone(minimal), [name]: null }).includes(name), operation.id)
    }
  }
})
