import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationRegistry } from '../../packages/contract/src/registry.ts'
import { manifest, type InputOf, type OutputOf } from '../../packages/client/src/operations.ts'
import { printType } from './type-text.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'

/** These lines are verified by the type checker: each is an input as a user would write it. */
const inputs = [
  { name: 'Delta' } satisfies InputOf<'projects.create'>,
  { project_id: id, name: 'Mosaics', color: null } satisfies InputOf<'collections.create'>,
  { item_id: id, z: 3, x: 1, y: 2, format: 'png' } satisfies InputOf<'items.tile.render'>,
  { host_name: 'demo', query: { gsd: { LTE: 1 } } } satisfies InputOf<'catalog.search'>,
  { captures: [{ id: 'a', geometry: { type: 'Polygon', coordinates: [] } }] } satisfies InputOf<'orders.archive.place'>,
  { 'filter-lang': 'cql2-json', bbox: [1, 2, 3, 4] } satisfies InputOf<'stac.search'>,
  // @ts-expect-error a required field is missing
  {} satisfies InputOf<'items.get'>,
  // @ts-expect-error no such field
  { item_id: id, more: 1 } satisfies InputOf<'items.get'>,
  // @ts-expect-error not a value of the enum
  { project_id: id, user_id: id, role: 'king' } satisfies InputOf<'projects.add_member'>,
  // @ts-expect-error must be a number
  { credits: '500' } satisfies InputOf<'billing.topup'>,
]

const balanceOf = (output: OutputOf<'billing.credits.balance'>): number => output.lots[0]?.remaining_credits ?? 0
const statusOf = (output: OutputOf<'orders.get'>): 'FULFILLED' | string => output.status

test('the manifest has a row for every operation with effect, paging, response kind and idempotency', () => {
  assert.equal(inputs.length, 10)
  assert.equal(typeof balanceOf, typeof statusOf)
  assert.deepEqual(
    { ...manifest },
    Object.fromEntries(
      operationRegistry.map(({ id, effect, paging, response_kind, idempotent }) => [
        id,
        [effect, paging, response_kind, idempotent],
      ]),
    ),
  )
})

test('printType converts JSON Schemas to TypeScript types', () => {
  assert.equal(
    printType({ type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }),
    '(number | null)[]',
  )
  assert.equal(printType({ enum: ['a', 'b'] }), "'a' | 'b'")
  assert.equal(printType({ $ref: '#/components/schemas/Item' }), 'Item')
  assert.equal(printType({ type: 'object' }), 'Record<string, unknown>')
  assert.equal(printType({ type: 'object', additionalProperties: { type: 'string' } }), 'Record<string, string>')
  assert.equal(
    printType({ type: 'object', required: ['a'], properties: { a: { const: 1 }, 'b-c': {} } }),
    "{ a: 1; 'b-c'?: unknown }",
  )
})
