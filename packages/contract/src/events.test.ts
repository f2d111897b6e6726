import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { eventDefinitions } from './events.ts'

test('the example of every event type is valid data of it', () => {
  for (const [type, { data, example }] of Object.entries(eventDefinitions)) {
    const validator = Compile(data)
    assert.ok(validator.Check(example), `${type}: ${JSON.stringify([...validator.Errors(example)])}`)
  }
})

test('no event type has an open object in its data', () => {
  const openObjects = (
    schema: TSchema & {
      properties?: Record<string, TSchema>
      items?: TSchema
      type?: string
      additionalProperties?: unknown
    },
    path: string,
  ): string[] => [
    ...(schema.type === 'object' && schema.additionalProperties !== false ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => openObjects(member, `${path}.${name}`)),
    ...(schema.items ? openObjects(schema.items, `${path}[]`) : []),
  ]
  assert.deepEqual(
    Object.entries(eventDefinitions).flatMap(([type, { data }]) => openObjects(data, type)),
    [],
  )
})
