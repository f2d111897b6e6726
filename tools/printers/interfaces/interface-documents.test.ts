import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractRoutes } from '../../../packages/contract/src/routes.ts'
import { readNamedSchemas } from '../named-schemas.ts'
import { interfaceDocuments, listDescribedRoutes, printInterfaceDocuments } from './interface-documents.ts'
import { toOpenapi30 } from '../../../packages/server/src/http/representations/openapi-30.ts'

interface PrintedDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const named = await readNamedSchemas()
const texts = printInterfaceDocuments(named)
const documents = new Map([...texts].map(([name, text]) => [name, JSON.parse(text) as PrintedDocument]))

test('each interface has a document of OpenAPI 3.1 and one of 3.0, whose references exist', () => {
  assert.deepEqual(
    [...documents.keys()],
    interfaceDocuments.flatMap(({ name }) => [name, `${name}-3.0`]),
  )
  for (const [name, { openapi, components }] of documents) {
    assert.match(openapi, name.endsWith('-3.0') ? /^3\.0\./ : /^3\.1\./)
    const references = [...texts.get(name)!.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)]
    assert.ok(references.length > 0)
    for (const [reference, section, key] of references) assert.ok(components[section!]?.[key!], `${name}: ${reference}`)
  }
})

test('every route is in one document, with an id of its own', () => {
  const printed = interfaceDocuments.flatMap(({ name }) =>
    Object.entries(documents.get(name)!.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    ),
  )
  const described = new Set(listDescribedRoutes(named).map(({ method, path }) => `${method} ${path}`))
  assert.deepEqual(printed.toSorted(), [...described].toSorted())
  for (const [name, { paths }] of documents) {
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    assert.equal(new Set(ids).size, ids.length, name)
  }
})

test('a document of 3.0 has none of the words of 3.1', () => {
  const schema = {
    anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }],
    properties: {
      size: { type: ['integer', 'null'], exclusiveMinimum: 0 },
      other: { $ref: '#/components/schemas/Other', description: 'Another one.' },
      text: { type: 'string', contentMediaType: 'application/json' },
      $id: { type: 'string' },
      const: { type: 'null' },
      box: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
      pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
      names: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    },
  }
  assert.deepEqual(toOpenapi30(schema), {
    anyOf: [{ type: 'string', enum: ['a'] }],
    nullable: true,
    properties: {
      size: { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true },
      other: { allOf: [{ $ref: '#/components/schemas/Other' }] },
      text: { type: 'string' },
      $id: { type: 'string' },
      const: { nullable: true },
      box: { type: 'array', items: { type: 'number' } },
      pair: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'string' }] } },
      names: { type: 'object', additionalProperties: { type: 'string' } },
    },
  })
  for (const [name, text] of texts)
    if (name.endsWith('-3.0'))
      assert.doesNotMatch(text, /"type":"null"|"const":|"contentMediaType"|"type":\[|"prefixItems":\[/, name)
})

test('an answer has the media type of its operation, and a parameter that a route ignores is not described', () => {
  const { paths } = documents.get('routes')! as unknown as {
    paths: Record<string, { get: { responses: Record<string, { content: object }> } }>
  }
  assert.deepEqual(Object.keys(paths['/api/v1/events/stream']!.get.responses['200']!.content), ['text/event-stream'])
  const ignoring = contractRoutes.filter(({ ignored = [] }) => ignored.length > 0)
  assert.ok(ignoring.length > 0)
  for (const { path, method, ignored = [] } of ignoring) {
    const described = listDescribedRoutes(named).find((route) => route.path === path && route.method === method)!
    const names = [
      ...described.parameters!.map(({ name }) => name),
      ...Object.keys(described.body?.schema.properties ?? {}),
    ]
    for (const name of ignored) assert.ok(!names.includes(name), `${path} ${name}`)
  }
})

test('the query parameters of OGC API - Features are defined as the standard asks', () => {
  interface QueryParameter {
    name: string
    style?: string
    explode?: boolean
    schema?: Record<string, unknown>
    content?: Record<string, { schema: object }>
  }
  const { paths } = documents.get('stac-3.0')! as unknown as {
    paths: Record<string, { get: { parameters: QueryParameter[] } }>
  }
  const parameters = new Map(
    paths['/assets/stac/collections/{collection_id}/items']!.get.parameters.map((one) => [one.name, one]),
  )
  const bounds = { bbox: ['array', 4, 6], datetime: ['string'], limit: ['integer', 1, 2 ** 31 - 1] }
  for (const [name, expected] of Object.entries(bounds)) {
    const { style, explode, schema = {} } = parameters.get(name)!
    const { type, minItems, maxItems, minimum = minItems, maximum = maxItems } = schema
    assert.deepEqual([style, explode], ['form', false], name)
    assert.deepEqual(
      [type, minimum, maximum].filter((value) => value !== undefined),
      expected,
      name,
    )
  }
  assert.deepEqual(parameters.get('sortby')!.schema, { type: 'string', maxLength: 2000 })
  assert.ok(parameters.get('intersects')!.content?.['application/json'])
})
