import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../src/limits.ts'
import type { PagingConvention } from '../src/operation.ts'
import { findOperation, operationRegistry } from '../src/registry.ts'
import { contractRoutes } from '../src/routes.ts'

// The tables of the conventions (`docs/platform/conventions.md`, `docs/platform/limits.md`) as they were specified. Where they and
// `operations.facts.json` differ, the tables are right.

interface ListRule {
  readonly paging: PagingConvention
  /** The default of the field that limits a page. */
  readonly field: 'limit' | 'size'
  readonly default: number
  readonly range?: readonly [minimum: number, maximum: number]
  readonly operations: readonly string[]
}

/** The table of paging conventions. */
const listRules: readonly ListRule[] = [
  {
    paging: 'offset',
    field: 'limit',
    default: 100,
    operations: [
      'items.list',
      'items.search',
      'items.search_org',
      'clip.jobs.list',
      'notifications.list',
      'alerts.events.list',
    ],
  },
  {
    paging: 'page',
    field: 'size',
    default: 20,
    operations: [
      'orders.list',
      'orders.tasking.decisions.pending',
      'orders.tasking.feasibility_studies.list',
      'orders.tasking.quotations.list',
    ],
  },
  { paging: 'search', field: 'limit', default: 10, range: [1, 10_000], operations: ['stac.search'] },
  { paging: 'search', field: 'limit', default: 20, operations: ['processing.jobs.list'] },
  {
    paging: 'token',
    field: 'limit',
    default: 100,
    range: [1, 500],
    operations: ['catalog.search', 'catalog.federated_search'],
  },
]

interface NumberField {
  readonly default?: number
  readonly minimum?: number
  readonly maximum?: number
}

const fieldsOf = (id: string): Readonly<Record<string, NumberField | undefined>> =>
  (findOperation(id)!.input as unknown as { properties: Record<string, NumberField> }).properties

test('lists have the convention, the default and the range of the table', () => {
  for (const { paging, field, default: expected, range, operations } of listRules)
    for (const id of operations) {
      assert.equal(findOperation(id)?.paging, paging, id)
      const limit = fieldsOf(id)[field]
      assert.equal(limit?.default, expected, id)
      if (range) assert.deepEqual([limit?.minimum, limit?.maximum], range, id)
      const begin = fieldsOf(id)[paging === 'offset' ? 'offset' : 'page']
      if (paging !== 'token') assert.equal(begin?.default, 0, id)
    }
})

test('every list of a specified operation has a default that the table has', () => {
  const defaults = new Set(listRules.map(({ paging, default: expected }) => `${paging} ${expected}`))
  // Their defaults are those of `operations.facts.json`; the table names no list of these modules, and not this one.
  const unlisted = new Set(['glossary', 'billing', 'processing', 'eulas', 'catalog.provider.samples'])
  const others = operationRegistry
    .filter(
      ({ extension, paging, id }) =>
        !extension && paging !== null && !unlisted.has(id) && !unlisted.has(id.split('.')[0]!),
    )
    .filter(({ id, paging }) => {
      const { limit, size } = fieldsOf(id)
      return !defaults.has(`${paging} ${(limit ?? size)?.default}`)
    })
  assert.deepEqual(
    others.map(({ id }) => id),
    [],
  )
})

test('the limits are those of the table', () => {
  const specified: readonly [name: keyof typeof limits, value: unknown][] = [
    ['access_token_seconds', 300],
    ['refresh_token_seconds', 1800],
    ['signed_url_seconds', 900],
    ['idempotency_key_hours', 24],
    ['webhook_timeout_seconds', 10],
    ['stac_search_limit', { minimum: 1, maximum: 10_000, default: 10 }],
    ['max_stac_search_vertices', 999],
    ['catalog_search_limit', { minimum: 1, maximum: 500, default: 100 }],
    ['projects_rest_limit', { minimum: 1, maximum: 200, default: 50 }],
    ['items_rest_limit', { minimum: 1, maximum: 1000, default: 100 }],
    ['credits_per_aud', 100],
    ['spend_window_days', 30],
  ]
  for (const [name, value] of specified) assert.deepEqual(limits[name], value, name)
  assert.equal(limits.offset_limit.default, 100)
  assert.equal(limits.page_size.default, 20)
})

test('the GET routes have the ranges and defaults of their table', () => {
  const specified: readonly [path: string, query: NumberField | undefined][] = [
    ['/api/v1/projects', { minimum: 1, maximum: 200, default: 50 }],
    ['/api/v1/projects/{project_id}', undefined],
    ['/api/v1/projects/{project_id}/members', undefined],
    ['/api/v1/projects/{project_id}/collections', undefined],
    ['/api/v1/projects/{project_id}/collections/{collection_id}', undefined],
    ['/api/v1/projects/{project_id}/items', { minimum: 1, maximum: 1000, default: 100 }],
    ['/api/v1/collections/{collection_id}/items', { minimum: 1, maximum: 1000, default: 100 }],
    ['/api/v1/items/{item_id}', undefined],
    ['/api/v1/items/{item_id}/assets', undefined],
    ['/api/v1/items/{item_id}/assets/{asset_id}/download', undefined],
    ['/api/v1/items/{item_id}/assets/{asset_id}/download-url', undefined],
    ['/orders/{order_id}/assets', undefined],
  ]
  for (const [path, query] of specified) {
    const route = contractRoutes.find((one) => one.method === 'GET' && one.path === path)
    assert.ok(route, path)
    assert.deepEqual(route.query?.['limit'], query, path)
  }
})
