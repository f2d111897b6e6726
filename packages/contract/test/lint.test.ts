import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { eventDefinitions } from '../src/events.ts'
import {
  jobLifecycle,
  jobPaymentLifecycle,
  orderLifecycle,
  taskingLifecycle,
  uploadLifecycle,
} from '../src/lifecycles.ts'
import type { Operation } from '../src/operation.ts'
import { commonProblems, problems } from '../src/problems.ts'
import {
  findOperation,
  findOperationByPath,
  queryParameterAliases,
  listPossibleProblems,
  operationRegistry,
} from '../src/registry.ts'
import { contractRoutes } from '../src/routes.ts'
import { scopes } from '../src/scopes.ts'
import { readScopedEffects, selfExplanatoryFields, writesWithoutEvents, unpagedLists } from './exceptions.ts'

interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
  readonly additionalProperties?: unknown
  readonly default?: unknown
  readonly maximum?: number
  readonly minimum?: number
}

const propertiesOf = (schema: TSchema): Readonly<Record<string, JsonSchema>> => (schema as JsonSchema).properties ?? {}
const idsWhere = (keep: (operation: Operation) => boolean): string[] =>
  operationRegistry.filter(keep).map((operation) => operation.id)

const isWrite = (operation: Operation): boolean => operation.effect !== 'read'

/** Says whether the output is a list: an array of rows beside the fields of a page. */
const isList = (operation: Operation): boolean => {
  const names = Object.keys(propertiesOf(operation.output))
  return ['total', 'totalElements', 'next', 'numberMatched', 'context'].some((name) => names.includes(name))
}

test('ids are lower-case words joined by dots', () => {
  for (const { id } of operationRegistry) assert.match(id, /^[a-z][a-z_]*(\.[a-z][a-z_]*)+$/)
})

test('summaries are one unique sentence that ends in a full stop', () => {
  for (const { id, summary } of operationRegistry) {
    assert.match(summary, /^[A-Z].*[^.]\.$/, id)
    assert.ok(summary.length <= 130, `${id}: ${summary.length} characters`)
    assert.doesNotMatch(summary, /\. [A-Z]/, id)
  }
  assert.equal(new Set(operationRegistry.map(({ summary }) => summary)).size, operationRegistry.length)
})

test('every input is an object that rejects unknown fields', () => {
  for (const { id, input } of operationRegistry) {
    assert.equal((input as JsonSchema).type, 'object', id)
    assert.equal((input as JsonSchema).additionalProperties, false, id)
    assert.equal(Compile(input).Check({ ...(Value.Default(input, {}) as object), 'no such field': 1 }), false, id)
  }
})

test('every default is valid for its field', () => {
  for (const { id, input } of operationRegistry) {
    for (const [name, schema] of Object.entries(propertiesOf(input))) {
      if (schema.default === undefined) continue
      assert.ok(Compile(schema as TSchema).Check(schema.default), `${id} ${name}`)
    }
  }
})

test('each list follows one of the four paging conventions, or is an exception', () => {
  const fields = { offset: ['limit', 'offset'], page: ['size', 'page'], search: ['limit', 'page'], token: ['limit'] }
  for (const operation of operationRegistry) {
    const names = Object.keys(propertiesOf(operation.input))
    const window = names.filter((name) => ['limit', 'offset', 'size', 'page', 'next'].includes(name)).sort()
    const expected = operation.paging ? fields[operation.paging] : []
    if (operation.paging === null) continue
    assert.deepEqual(
      window.filter((name) => name !== 'next'),
      [...expected].sort(),
      operation.id,
    )
  }
  assert.deepEqual(
    idsWhere((operation) => isList(operation) && operation.paging === null),
    unpagedLists,
  )
})

test('paging fields have a default and a maximum', () => {
  for (const { id, input, paging } of operationRegistry) {
    for (const name of ['limit', 'offset', 'size', 'page']) {
      const field = propertiesOf(input)[name]
      if (field === undefined || paging === null) continue
      assert.ok(field.default !== undefined && field.maximum !== undefined, `${id} ${name}`)
    }
  }
})

test('operations with the effect `spend` accept the idempotency key, and no others do', () => {
  const spendWithout = idsWhere((operation) => operation.effect === 'spend' && !operation.idempotent)
  assert.deepEqual(spendWithout, [
    'billing.jobs.settle_unsettled',
    'billing.reconciliation.correct_drift',
    'billing.run_monthly_cron',
  ])
  assert.ok(operationRegistry.every((operation) => !operation.idempotent || operation.effect === 'spend'))
})

test('each write declares its events, or is an exception', () => {
  assert.deepEqual(
    idsWhere((operation) => isWrite(operation) && operation.emits.length === 0),
    writesWithoutEvents,
  )
  assert.deepEqual(
    idsWhere((operation) => !isWrite(operation) && operation.emits.length > 0),
    [],
  )
  for (const { id, emits } of operationRegistry)
    for (const kind of emits) assert.ok(kind in eventDefinitions, `${id} ${kind}`)
})

test('each input field has a description or a self-explanatory name', () => {
  const hasDescription = (schema: JsonSchema): boolean =>
    schema.description !== undefined || (schema.anyOf ?? []).some(hasDescription)
  const undescribed = new Set<string>()
  for (const { input } of operationRegistry) {
    for (const [name, schema] of Object.entries(propertiesOf(input))) if (!hasDescription(schema)) undescribed.add(name)
  }
  const unknown = [...undescribed].filter(
    (name) => !selfExplanatoryFields.includes(name) && !/(^id|_id|Id|_ids|Ids|_bytes|_at|At)$/.test(name),
  )
  assert.deepEqual(unknown, [])
  assert.deepEqual(
    selfExplanatoryFields.filter((name) => !undescribed.has(name)),
    [],
  )
})

test('each nullable field of an update defines null', () => {
  const changes = /\.(update|set|amend|archive)(_[a-z_]+)?$/
  const sentences = ({ description = '', anyOf = [] }: JsonSchema): string =>
    [description, ...anyOf.map(sentences)].join(' ')
  // Null is the organization of the caller, as in every operation.
  const elsewhere = ['organizations.members.set_spend_limit organizationId']
  const undescribed = operationRegistry
    .filter(({ id }) => changes.test(id))
    .flatMap(({ id, input }) =>
      Object.entries(propertiesOf(input))
        .filter(([, { anyOf = [] }]) => anyOf.some(({ type }) => type === 'null'))
        .filter(([, field]) => !/\b[Nn]ull\b/.test(sentences(field)))
        .map(([name]) => `${id} ${name}`),
    )
  assert.deepEqual(undescribed, elsewhere)
})

test('problems are listed once, and the common ones are not repeated', () => {
  for (const operation of operationRegistry) {
    assert.equal(new Set(operation.problems).size, operation.problems.length, operation.id)
    assert.deepEqual(
      operation.problems.filter((name) => commonProblems.includes(name)),
      [],
      operation.id,
    )
    for (const name of listPossibleProblems(operation)) assert.ok(name in problems, `${operation.id} ${name}`)
  }
  const used = new Set(operationRegistry.flatMap(listPossibleProblems))
  const unused = Object.keys(problems).filter((name) => !used.has(name as keyof typeof problems))
  // Routes answer these.
  assert.deepEqual(unused, ['invalid-parameter', 'unknown-operation', 'method-not-allowed'])
})

test('operations that require a UUID can answer `not-found`', () => {
  const without = idsWhere(({ input, problems: own }) => {
    const required = (input as { required?: string[] }).required ?? []
    const namesOne = required.some((name) => (propertiesOf(input)[name] as { format?: string }).format === 'uuid')
    return namesOne && !own.includes('not-found')
  })
  assert.deepEqual(without, [])
})

test('every write of an operator takes a reason, which the audit trail records', () => {
  const without = idsWhere(
    (operation) => operation.scope === 'admin:write' && !('reason' in propertiesOf(operation.input)),
  )
  assert.deepEqual(without, [])
})

test('scopes exist, and only what a user reads of itself needs none', () => {
  assert.deepEqual(
    idsWhere((operation) => operation.scope === null),
    ['users.me', 'users.organizations.list'],
  )
  for (const { id, scope } of operationRegistry) assert.ok(scope === null || scopes.includes(scope), id)
})

test('only computations, quotes and downloads that are listed need no more than a `read` scope', () => {
  assert.deepEqual(idsWhere((operation) => isWrite(operation) && operation.scope?.endsWith(':read') === true).sort(), [
    ...readScopedEffects,
  ])
  const removing = readScopedEffects.filter((id) => findOperation(id)?.effect === 'destructive')
  assert.deepEqual(removing, [])
})

test('operations are found by id and by path segments', () => {
  assert.equal(findOperation('orders.archive.place')?.id, 'orders.archive.place')
  assert.equal(findOperationByPath(['orders', 'archive', 'place'])?.id, 'orders.archive.place')
  assert.equal(findOperation('orders.nothing'), undefined)
  assert.equal(findOperation('constructor'), undefined)
  assert.equal(findOperationByPath(['orders.archive', 'place']), undefined)
})

test('aliases and routes refer to existing operations and fields', () => {
  for (const [id, names] of Object.entries(queryParameterAliases)) {
    const fields = propertiesOf((findOperation(id) as Operation).input)
    for (const [alias, field] of Object.entries(names))
      assert.ok(field in fields && !(alias in fields), `${id} ${alias}`)
  }
  for (const route of contractRoutes) {
    const operation = findOperation(route.operation)
    assert.ok(operation, route.path)
    const fields = propertiesOf(operation.input)
    const bound = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => route.rename?.[name as string] ?? name)
    const named = [...bound, ...Object.values(route.rename ?? {}), ...Object.keys({ ...route.fixed, ...route.query })]
    assert.deepEqual(
      named.filter((name) => !((name as string) in fields)),
      [],
      route.path,
    )
    if (route.method === 'GET') assert.ok(['read', 'export'].includes(operation.effect), route.path)
  }
  assert.equal(new Set(contractRoutes.map(({ method, path }) => `${method} ${path}`)).size, contractRoutes.length)
})

test('a route narrows a range and never widens it', () => {
  for (const { path, operation, query } of contractRoutes) {
    const fields = propertiesOf((findOperation(operation) as Operation).input)
    for (const [name, range] of Object.entries(query ?? {})) {
      assert.ok((range.minimum ?? -Infinity) >= (fields[name]?.minimum ?? -Infinity), path)
      assert.ok((range.maximum ?? Infinity) <= (fields[name]?.maximum ?? Infinity), path)
    }
  }
})

test('every route at the root has a deprecated alias under /v2', () => {
  const deprecated = contractRoutes.filter((route) => route.successor !== undefined).map((route) => route.path)
  const root = contractRoutes.map((route) => route.path).filter((path) => !/^\/(api|v\d)\//.test(path))
  // `/v2/tasking/feasibility` is an older name of `/v2/tasking/feasibility-studies`, without a route at the root.
  assert.deepEqual(
    deprecated.filter((path) => !/^\/v2\/tasking\/feasibility(\/|$)/.test(path)),
    root.map((path) => `/v2${path}`),
  )
})

test('lifecycles reach every state and have no transition out of a terminal one', () => {
  for (const { states, terminal, transitions } of [
    orderLifecycle,
    taskingLifecycle,
    jobLifecycle,
    jobPaymentLifecycle,
    uploadLifecycle,
  ] as const) {
    const all = Object.values(transitions) as { from: readonly string[] | null; to: string; emits: string | null }[]
    const left = new Set(all.flatMap((move) => move.from ?? []))
    const reached = new Set(all.map((move) => move.to))
    assert.deepEqual([...reached].sort(), [...states].sort())
    assert.deepEqual(
      [...left].filter((state) => !(states as readonly string[]).includes(state)),
      [],
    )
    assert.deepEqual(states.filter((state) => !left.has(state)).sort(), [...terminal].sort())
    for (const move of all) assert.ok(move.emits === null || move.emits in eventDefinitions)
  }
})

test('every schema compiles', () => {
  for (const { id, input, output } of operationRegistry) {
    assert.ok(Compile(input), id)
    assert.ok(Compile(output), id)
  }
})
