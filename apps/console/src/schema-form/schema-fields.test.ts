import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFields, readForm, writeForm } from './schema-fields.ts'

const fields = readFields(
  {
    properties: {
      limit: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: 50 },
      format: { enum: ['ndjson', 'csv'], default: 'ndjson' },
      ids: { type: 'array', items: { type: 'string' } },
      bbox: { type: 'array', items: { type: 'number' } },
      area: { anyOf: [{ $ref: '#/components/schemas/Area' }, { type: 'null' }] },
      since: { type: 'string', format: 'date-time' },
      deep: { type: 'boolean' },
      products: { type: 'array', items: { type: 'object' } },
      name: { type: 'string', description: 'Unique.' },
    },
    required: ['name'],
  },
  { Area: { anyOf: [{ $ref: '#/components/schemas/Polygon' }] }, Polygon: { type: 'object' } },
)
const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]))

test('a schema becomes fields, the required first', () => {
  assert.equal(fields[0]!.name, 'name')
  assert.deepEqual(kinds, {
    name: 'text',
    limit: 'number',
    format: 'choice',
    ids: 'list',
    bbox: 'list',
    area: 'geojson',
    since: 'time',
    deep: 'boolean',
    products: 'json',
  })
  assert.equal(fields.find(({ name }) => name === 'limit')!.defaultText, '50')
  assert.deepEqual(fields.find(({ name }) => name === 'format')!.choices, ['ndjson', 'csv'])
})

test('texts become an input, and empty fields are left out', () => {
  const { input, faults } = readForm(fields, {
    name: 'A',
    limit: '5',
    ids: 'a, b\nc',
    bbox: '1, 2, 3, 4',
    area: '{"type":"Polygon"}',
    since: '2026-05-12T14:03',
    deep: 'false',
    format: '',
  })
  assert.deepEqual(faults, {})
  assert.deepEqual(input, {
    name: 'A',
    limit: 5,
    ids: ['a', 'b', 'c'],
    bbox: [1, 2, 3, 4],
    area: { type: 'Polygon' },
    since: '2026-05-12T14:03:00Z',
    deep: false,
  })
  assert.deepEqual(readForm(fields, writeForm(fields, input)).input, input)
})

test('missing and unreadable fields are named', () => {
  const { faults } = readForm(fields, { limit: 'many', area: '{', bbox: '1, x' })
  assert.deepEqual(faults, { name: 'required', limit: 'number', area: 'json', bbox: 'number' })
})

test('alternatives that are values are a choice of them, and types of GeoJSON are one field', () => {
  const inline = readFields(
    {
      properties: {
        connectedness: { anyOf: [{ type: 'number', const: 4 }, { type: 'number', const: 8 }], default: 4 }, // prettier-ignore
        geometry: {
          anyOf: ['Polygon', 'MultiPolygon'].map((type) => ({ type: 'object', properties: { type: { const: type } } })),
        },
      },
    },
    {},
  )
  assert.deepEqual(
    inline.map(({ kind, choices, isNumeric }) => [kind, choices, isNumeric]),
    [
      ['choice', ['4', '8'], true],
      ['geojson', [], false],
    ],
  )
  assert.deepEqual(readForm(inline, { connectedness: '8' }).input, { connectedness: 8 })
})
