import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import type { Operation } from '@swath/contract/operation.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { FeatureCollection } from '@swath/contract/schemas/geojson.ts'
import {
  WithDefault,
  StrictObject,
  OptionalNullable,
  rejectsNullMemberMarker,
  AnyObject,
  OrEmptyObject,
  Uuid,
} from '@swath/contract/schemas/primitives.ts'
import { createMinimalValue } from '../../../test/contract/minimal-input.ts'
import { compileDropAbsentMembers } from './drop-absent.ts'
import type { FieldError, Problem } from '../problem.ts'
import { readCallInput } from './read-input.ts'

const schema = StrictObject({
  id: Uuid,
  name: OptionalNullable(Type.String()),
  note: Type.Optional(Type.String()),
  limit: WithDefault(Type.Integer(), 10),
  anything: Type.Optional(Type.Unknown()),
  open: Type.Optional(AnyObject),
  areas: Type.Optional(OrEmptyObject(FeatureCollection)),
  sort: Type.Optional(Type.Array(StrictObject({ field: Type.String(), order: WithDefault(Type.String(), 'asc') }))),
  inner: OptionalNullable(StrictObject({ least: Type.Optional(Type.Number()) })),
  bounds: Type.Optional(Type.Record(Type.String(), StrictObject({ lt: Type.Optional(Type.Number()) }))),
})

function dropAbsent(input: object): object {
  compileDropAbsentMembers(schema)!(input)
  return input
}

test('drops null from optional members that are not nullable, at any depth', () => {
  assert.deepEqual(dropAbsent({ note: null, limit: null, open: null, areas: null, sort: null, bounds: null }), {})
  assert.deepEqual(dropAbsent({ sort: [{ field: 'a', order: null }], inner: { least: null } }), {
    sort: [{ field: 'a' }],
    inner: {},
  })
  assert.deepEqual(dropAbsent({ bounds: { a: { lt: null } } }), { bounds: { a: {} } })
})

test('keeps null in nullable, required and free-form members', () => {
  const input = { id: null, name: null, anything: null, inner: null, open: { a: null }, sort: [{ field: null }, null] }
  assert.deepEqual(dropAbsent(structuredClone(input)), input)
  assert.deepEqual(dropAbsent({ note: 3, sort: 'x', inner: [null], bounds: null }), {
    note: 3,
    sort: 'x',
    inner: [null],
  })
})

test('drops an empty object where the schema allows it in place of no areas', () => {
  assert.deepEqual(dropAbsent({ areas: {}, open: {} }), { open: {} })
  const collection = { type: 'FeatureCollection', features: [] }
  assert.deepEqual(dropAbsent({ areas: collection }), { areas: collection })
})

/** The paths of the validation errors. */
function errorPathsOf(operation: Operation, input: object): string[] {
  try {
    readCallInput(operation, input)
    return []
  } catch (error) {
    return (error as Problem & { extra: { errors: FieldError[] } }).extra.errors.map(({ path }) => path)
  }
}

test('every operation accepts null in each optional member, unless a standard forbids null there', () => {
  for (const operation of operationRegistry) {
    const { properties, required = [] } = operation.input as unknown as {
      properties: Record<string, object>
      required?: string[]
    }
    const minimal = createMinimalValue(operation.input) as object
    for (const [name, schema] of Object.entries(properties)) {
      if (required.includes(name) || rejectsNullMemberMarker in schema) continue
      assert.ok(!errorPathsOf(operation, { ...structuredClone(minimal), [name]: null }).includes(name), operation.id)
    }
  }
})
