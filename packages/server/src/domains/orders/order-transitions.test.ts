import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orderLifecycle, type OrderTransitionName, type OrderStatus } from '@swath/contract/lifecycles.ts'
import { HostRefusal } from '../../platform/integrations/imagery-host.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { toOrderFailure, transitionOrder } from './order-transitions.ts'
import { findOrder, insertOrder, listOrderStatusChanges, type OrderRow } from './store.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
})
after(() => app?.close())

async function createOrderIn(status: OrderStatus): Promise<OrderRow> {
  const now = app.clock.now()
  return fixture.owner.transaction((tx) =>
    insertOrder(tx, {
      organization_id: fixture.organization,
      id: newId(),
      project_id: fixture.project,
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
      cancellable_until: 'PLACED',
      cancel_fee_credits: 0,
      cancel_by: null,
      created_by: 'test',
      created_at: now,
      updated_at: now,
    }),
  )
}

const listEventKinds = async (id: string): Promise<string[]> =>
  (
    await fixture.owner.db.query<{ kind: string }>(sql`
      select kind from events where organization_id = ${fixture.organization} and entity_id = ${id} order by id`)
  ).map(({ kind }) => kind)

test('an order allows exactly the transitions of the table, and each records a status change and its event', async () => {
  const { transitions, states } = orderLifecycle
  for (const status of states) {
    for (const name of Object.keys(transitions) as OrderTransitionName[]) {
      const move = transitions[name]
      const order = await createOrderIn(status)
      const details = name === 'begin_delivery' ? { newItemCount: 1 } : {}
      const row = await fixture.owner.transaction((tx) =>
        transitionOrder(tx, fixture.owner, { id: order.id, move: name, details }),
      )
      const isAllowed = move.from?.includes(status) ?? false
      const after = await findOrder(fixture.owner.db, fixture.organization, order.id)
      const changes = await listOrderStatusChanges(fixture.owner.db, fixture.organization, [order.id])
      assert.equal(row !== null, isAllowed, `${name} from ${status}`)
      assert.equal(after?.status, isAllowed ? move.to : status)
      assert.deepEqual(
        changes.map(({ from_status, to_status }) => [from_status, to_status]),
        isAllowed ? [[status, move.to]] : [],
      )
      assert.deepEqual(await listEventKinds(order.id), isAllowed && move.emits ? [move.emits] : [])
    }
  }
})

test('of concurrent transitions only one succeeds', async () => {
  const order = await createOrderIn('PLACEMENT_FAILED')
  const transition = (move: OrderTransitionName) =>
    fixture.owner.transaction((tx) => transitionOrder(tx, fixture.owner, { id: order.id, move }))
  const rows = await Promise.all([
    transition('cancel'),
    transition('retry'),
    transition('give_up'),
    transition('cancel'),
  ])
  assert.equal(rows.filter((row) => row !== null).length, 1)
  assert.equal((await listOrderStatusChanges(fixture.owner.db, fixture.organization, [order.id])).length, 1)
})

test('a failure shows the message of the host and hides internal errors', () => {
  assert.deepEqual(toOrderFailure(new HostRefusal('Sold out.'), 'x'), { code: 'host-refused', text: 'Sold out.' })
  assert.deepEqual(toOrderFailure(new Error('No route.'), 'x'), { code: 'x', text: 'No route.' })
  const fileError = Object.assign(new Error("ENOSPC: no space left, write '/tmp/swath'"), {
    code: 'ENOSPC',
    syscall: 'write',
  })
  for (const error of [fileError, 'text', null]) {
    assert.deepEqual(toOrderFailure(error, 'x'), { code: 'x', text: 'The imagery could not be imported.' })
  }
  assert.equal(toOrderFailure(new Error('x'.repeat(9000)), 'x').text.length, 500)
})
