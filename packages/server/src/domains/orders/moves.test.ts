import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orderLifecycle, type OrderMove, type OrderStatus } from '@swath/contract/lifecycles.ts'
import { HostRefusal } from '../../platform/outside/imagery-host.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { reasonOf, stepOrder } from './moves.ts'
import { findOrder, insertOrder, listChanges, type OrderRow } from './store.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
let place: Awaited<ReturnType<typeof holdings.organize>>
before(async () => {
  holdings = await openHoldings()
  place = await holdings.organize()
})
after(() => holdings?.close())

async function orderIn(status: OrderStatus): Promise<OrderRow> {
  const now = holdings.clock.now()
  return place.owner.transaction((tx) =>
    insertOrder(tx, {
      organization_id: place.organization,
      id: newId(),
      project_id: place.project,
      collection_id: null,
      type: 'archive',
      status,
      sub_status: null,
      display_name: 'Order',
      tags: [],
      licence_type: null,
      data_product_id: null,
      billing_mode: 'credit',
      hold_id: null,
      total_credits: 0,
      captured_credits: 0,
      refunded_credits: 0,
      groups: [],
      fulfillment: null,
      failure_code: null,
      failure_text: null,
      created_by: 'test',
      created_at: now,
      updated_at: now,
    }),
  )
}

const eventsOf = async (id: string): Promise<string[]> =>
  (
    await place.owner.db.query<{ kind: string }>(sql`
      select kind from events where organization_id = ${place.organization} and entity_id = ${id} order by id`)
  ).map(({ kind }) => kind)

test('an order allows exactly the transitions of the table, and each records a status change and its event', async () => {
  const { moves, states } = orderLifecycle
  for (const status of states) {
    for (const name of Object.keys(moves) as OrderMove[]) {
      const move = moves[name]
      const order = await orderIn(status)
      const facts = name === 'begin_delivery' ? { newItemCount: 1 } : {}
      const row = await place.owner.transaction((tx) => stepOrder(tx, place.owner, order.id, name, facts))
      const allowed = move.from?.includes(status) ?? false
      const after = await findOrder(place.owner.db, place.organization, order.id)
      const changes = await listChanges(place.owner.db, place.organization, [order.id])
      assert.equal(row !== null, allowed, `${name} from ${status}`)
      assert.equal(after?.status, allowed ? move.to : status)
      assert.deepEqual(
        changes.map(({ from_status, to_status }) => [from_status, to_status]),
        allowed ? [[status, move.to]] : [],
      )
      assert.deepEqual(await eventsOf(order.id), allowed && move.emits ? [move.emits] : [])
    }
  }
})

test('of concurrent transitions only one succeeds', async () => {
  const order = await orderIn('PLACEMENT_FAILED')
  const step = (move: OrderMove) => place.owner.transaction((tx) => stepOrder(tx, place.owner, order.id, move))
  const rows = await Promise.all([step('cancel'), step('retry'), step('give_up'), step('cancel')])
  assert.equal(rows.filter((row) => row !== null).length, 1)
  assert.equal((await listChanges(place.owner.db, place.organization, [order.id])).length, 1)
})

test('a failure shows the message of the host and hides internal errors', () => {
  assert.deepEqual(reasonOf(new HostRefusal('Sold out.'), 'x'), { code: 'host-refused', text: 'Sold out.' })
  assert.deepEqual(reasonOf(new Error('No route.'), 'x'), { code: 'x', text: 'No route.' })
  const file = Object.assign(new Error("ENOSPC: no space left, write '/tmp/swath'"), {
    code: 'ENOSPC',
    syscall: 'write',
  })
  for (const error of [file, 'text', null]) {
    assert.deepEqual(reasonOf(error, 'x'), { code: 'x', text: 'The imagery could not be imported.' })
  }
  assert.equal(reasonOf(new Error('x'.repeat(9000)), 'x').text.length, 500)
})
