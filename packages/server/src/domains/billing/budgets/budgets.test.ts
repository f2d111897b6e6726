import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { placeCreditHold } from '../../ledger/holds.ts'
import { grantCredits } from '../../ledger/ledger.ts'
import { readBudgetScope, readBudgetUsage } from './budgets.ts'
import { listBudgets } from './store.budgets.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

test('each member of a page has the credits of its own, read with as many statements as for one', async (t) => {
  const { owner, project, createMemberCall } = await services.createOrganization()
  const members = [await createMemberCall('member'), await createMemberCall('admin')]
  const idle = await createMemberCall('member')
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 1000, reference }))
  for (const [index, member] of members.entries())
    for (const amount_credits of [10, 100 * (index + 1)])
      await member.transaction((tx) => placeCreditHold(tx, member, { amount_credits, reference }))
  const page = { statuses: null, ascending: true, limit: 100, offset: 0 }
  const { rows } = await listBudgets(owner.db, await readBudgetScope(owner), page)
  const statements = t.mock.method(owner.db, 'query')
  const usage = await readBudgetUsage(owner, rows)
  assert.equal(statements.mock.callCount(), 3)
  const ids = [...members, idle, owner].map(({ principal }) => principal.user!)
  assert.deepEqual(
    ids.map((id) => usage.get(id)),
    [110, 210, 0, 0],
  )
  assert.equal(usage.get(project) ?? 0, 0)
})
