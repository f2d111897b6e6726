import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Item } from '@swath/contract/schemas/item.ts'
import { callOperation } from '../../../../test/call-operation.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { sql } from '../../../platform/database/sql.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

test('expiring items of several organizations are listed together, the first to expire first', async () => {
  const [one, other] = [await services.createOrganization(), await services.createOrganization()]
  const expected: string[] = []
  for (const [days, { owner, project }] of [one, other, one].entries()) {
    const { item_id } = await deliverItem(owner, project)
    const expires_at = new Date(services.clock.now().getTime() + (days + 1) * day_ms)
    await owner.db.query(sql`update items set expires_at = ${expires_at} where id = ${item_id}`)
    expected.push(item_id)
  }
  const listWithin = async (days: number) => {
    const { items, total } = await callOperation<{ items: Item[]; total: number }>('items.list_expiring', one.owner, {
      days,
    })
    return [total, ...items.map(({ id, project_id }) => [id, project_id])]
  }
  const rows = expected.map((id, index) => [id, [one, other, one][index]!.project])
  assert.deepEqual(await listWithin(3), [3, ...rows])
  assert.deepEqual(await listWithin(2), [2, ...rows.slice(0, 2)])
  assert.deepEqual(await listWithin(0), [0])
})
