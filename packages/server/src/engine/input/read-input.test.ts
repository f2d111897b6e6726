import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { operation, type Operation, type OperationDefinition } from '@swath/contract/operation.ts'
import { offsetPaging } from '@swath/contract/paging.ts'
import { Geometry } from '@swath/contract/schemas/geojson.ts'
import { WithDefault, StrictObject, OptionalNullable, AnyObject, Uuid } from '@swath/contract/schemas/primitives.ts'
import { Problem, type FieldError } from '../problem.ts'
import { requireValidOutput, parseQueryInput, readCallInput } from './read-input.ts'

const findOperation = operation({
  id: 'test.find',
  scope: null,
  effect: 'read',
  summary: 'Find.',
  input: StrictObject({
    project_id: Uuid,
    name: OptionalNullable(Type.String({ minLength: 1 })),
    bbox: OptionalNullable(Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })),
    words: Type.Optional(Type.Array(Type.String())),
    query: OptionalNullable(AnyObject),
    exact: WithDefault(Type.Boolean(), false),
    ratio: OptionalNullable(Type.Number()),
    parent_id: OptionalNullable(Uuid),
    sort: Type.Optional(
      Type.Array(StrictObject({ field: Type.String(), direction: WithDefault(Type.Enum(['asc', 'desc']), 'asc') })),
    ),
    ...offsetPaging(),
  }),
  output: Type.Object({ total: Type.Integer() }),
}) as unknown as Operation

const project_id = '01890a5d-ac96-774b-bcce-b302099a8057'

function errorsOf(body: unknown): FieldError[] {
  try {
    readCallInput(findOperation, body)
    return []
  } catch (error) {
    assert.ok(error instanceof Problem && error.problem === 'validation')
    const { errors, detail } = error.extra as {
      errors: FieldError[]
      detail: { loc: (string | number)[]; msg: string }[]
    }
    assert.equal(errors.length, detail.length)
    for (const [index, { loc, msg }] of detail.entries()) {
      assert.equal(loc.slice(1).join('.'), errors[index]!.path)
      assert.equal(msg, errors[index]!.message)
    }
    return errors
  }
}

const pathsOf = (body: unknown): string[] => errorsOf(body).map(({ path }) => path)

test('fills in defaults, also inside arrays, and keeps values that were sent', () => {
  assert.deepEqual(
    readCallInput(findOperation, { project_id, sort: [{ field: 'a' }, { field: 'b', direction: 'desc' }] }),
    {
      project_id,
      exact: false,
      limit: 100,
      offset: 0,
      sort: [
        { field: 'a', direction: 'asc' },
        { field: 'b', direction: 'desc' },
      ],
    },
  )
  assert.deepEqual(readCallInput(findOperation, { project_id, limit: 5, exact: true, name: null }), {
    project_id,
    limit: 5,
    exact: true,
    name: null,
    offset: 0,
  })
})

test('normalizes UUIDs to lower case and leaves other strings unchanged', () => {
  const input = { project_id: project_id.toUpperCase(), name: 'ABC', exact: false, limit: 1, offset: 0 }
  assert.deepEqual(readCallInput(findOperation, { ...input, parent_id: project_id.toUpperCase() }), {
    ...input,
    project_id,
    parent_id: project_id,
  })
  assert.deepEqual(readCallInput(findOperation, { ...input, parent_id: null }), {
    ...input,
    project_id,
    parent_id: null,
  })
})

test('reports every validation error with its path', () => {
  assert.deepEqual(pathsOf({}), ['project_id'])
  assert.deepEqual(pathsOf(undefined), ['project_id'])
  assert.deepEqual(pathsOf({ project_id, surprise: 1 }), ['surprise'])
  assert.deepEqual(pathsOf({ project_id: 'mine' }), ['project_id'])
  assert.deepEqual(pathsOf({ project_id, limit: 0, offset: -1 }).sort(), ['limit', 'offset'])
  assert.deepEqual(pathsOf({ project_id, limit: 1.5 }), ['limit'])
  assert.deepEqual(pathsOf({ project_id, sort: [{ field: 'a', up: true }] }), ['sort.0.up'])
  assert.deepEqual(pathsOf({ project_id, sort: [{}] }), ['sort.0.field'])
  assert.ok(pathsOf({ project_id, bbox: [1, 2, 3] }).every((path) => path.startsWith('bbox')))
})

test('reports only the errors of the value for a nullable field', () => {
  assert.deepEqual(pathsOf({ project_id, bbox: [1, 2, 3, 'x'], ratio: 'x' }), ['bbox.3', 'ratio'])
  for (const { message } of errorsOf({ project_id, bbox: 'x', ratio: 'x' })) assert.notEqual(message, 'must be null')
})

test('rejects a body that is not an object, and takes a missing one for an empty object', () => {
  assert.deepEqual(pathsOf(undefined), ['project_id'])
  for (const body of [null, [], 'text', 17, true]) assert.deepEqual(pathsOf(body), [''], JSON.stringify(body))
})

test('reports at most 50 errors', () => {
  const unknownFields = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]))
  assert.equal(errorsOf({ project_id, ...unknownFields }).length, 50)
  assert.equal(errorsOf({ project_id, words: Array.from({ length: 5000 }, () => 1) }).length, 50)
  assert.equal(errorsOf({ project_id, sort: Array.from({ length: 5000 }, () => ({ up: 1 })) }).length, 50)
})

test('does not walk valid parts of the input to find the error of another part', () => {
  const withGeometry = operation({
    ...findOperation,
    paging: 'offset',
    input: StrictObject({ geometry: OptionalNullable(Geometry), surprise: Type.Optional(Type.Null()) }),
  } as OperationDefinition<Type.TSchema, Type.TSchema>)
  const geometry = { type: 'LineString', coordinates: Array.from({ length: 100_000 }, () => [1, 2]) }
  const work_ms = (body: unknown): number => {
    const started = performance.now()
    try {
      readCallInput(withGeometry, body)
    } catch (error) {
      assert.ok(error instanceof Problem)
    }
    return performance.now() - started
  }
  for (const surprise of [1, null]) work_ms({ geometry, surprise })
  // Walking it with the library takes some hundred times as long as validating it.
  assert.ok(work_ms({ geometry, surprise: 1 }) < 20 * work_ms({ geometry, surprise: null }) + 100)
})

test('converts query parameters to the types of the schema', () => {
  const input = parseQueryInput(findOperation, {
    project_id,
    name: '12',
    bbox: '1,2.5,-3,4e1',
    words: ['a', 'b'],
    query: '{"a":{"lt":5}}',
    exact: 'true',
    ratio: '0.5',
    limit: '7',
  })
  assert.deepEqual(readCallInput(findOperation, input), {
    project_id,
    name: '12',
    bbox: [1, 2.5, -3, 40],
    words: ['a', 'b'],
    query: { a: { lt: 5 } },
    exact: true,
    ratio: 0.5,
    limit: 7,
    offset: 0,
  })
  assert.deepEqual(parseQueryInput(findOperation, { words: 'one' }), { words: ['one'] })
  assert.deepEqual(parseQueryInput(findOperation, { bbox: '[1,2,3,4]' }), { bbox: [1, 2, 3, 4] })
  assert.deepEqual(parseQueryInput(findOperation, { limit: ['1', '2'] }), { limit: 2 })
})

test('rejects a query parameter that cannot be converted, with its path', () => {
  for (const [query, path] of [
    [{ limit: 'many' }, 'limit'],
    [{ limit: '' }, 'limit'],
    [{ limit: 'Infinity' }, 'limit'],
    [{ limit: '0x10' }, 'limit'],
    [{ exact: 'perhaps' }, 'exact'],
    [{ query: '{"a":' }, 'query'],
    [{ surprise: 'x' }, 'surprise'],
    [{ constructor: 'x' }, 'constructor'],
    [{ bbox: '1,2,3,here' }, 'bbox.3'],
    [{ bbox: '1,,3,4' }, 'bbox.1'],
    [{ bbox: ',,,' }, 'bbox.0'],
  ] as const) {
    const [first] = pathsOf({ project_id, ...parseQueryInput(findOperation, query) })
    assert.ok(first?.startsWith(path), `${JSON.stringify(query)}: ${first}`)
  }
  assert.deepEqual(pathsOf({ project_id, ...parseQueryInput(findOperation, { bbox: '1,2,3' }) }), ['bbox'])
  for (const query of [
    { name: 'a\u0000' },
    { words: ['a', '\u0000'] },
    { query: '{"a":"\\u0000"}' },
    { query: '{"a":"\\ud800"}' },
  ]) {
    assert.throws(() => parseQueryInput(findOperation, query), Problem)
  }
})

test('an output that does not match its schema is an internal error', () => {
  requireValidOutput(findOperation, { total: 1 })
  for (const output of [{}, { total: 1.5 }, null, { total: '1' }]) {
    assert.throws(() => requireValidOutput(findOperation, output), /invariant: the output of test\.find/)
  }
})

test('names the values that a field may have, or the first ones and how many more there are', () => {
  const words = Array.from({ length: 20 }, (_, index) => `word-${index}`)
  const choose = operation({
    id: 'test.choose',
    scope: null,
    effect: 'read',
    summary: 'Choose.',
    input: StrictObject({
      one: Type.Optional(Type.Enum(['only'])),
      few: OptionalNullable(Type.Enum(['asc', 'desc', 'none'])),
      list: Type.Optional(Type.Array(Type.Enum(['a', 'b']))),
      many: Type.Optional(Type.Enum(words)),
    }),
    output: Type.Object({}),
  }) as unknown as Operation
  const messages: readonly (readonly [input: object, path: string, message: string])[] = [
    [{ one: 'x' }, 'one', 'must be "only"'],
    [{ few: 'x' }, 'few', 'must be "asc", "desc" or "none"'],
    [{ list: ['a', 'x'] }, 'list.1', 'must be "a" or "b"'],
    [
      { many: 7 },
      'many',
      `must be one of ${words
        .slice(0, 15)
        .map((word) => `"${word}"`)
        .join(', ')} and 5 more`,
    ],
  ]
  for (const [input, path, message] of messages) {
    assert.throws(
      () => readCallInput(choose, input),
      (error: Problem) => {
        assert.deepEqual(error.extra['errors'], [{ path, message }])
        return true
      },
    )
  }
})
