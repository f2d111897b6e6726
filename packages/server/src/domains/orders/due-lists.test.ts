import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { listDueUploads } from '../uploads/store.ts'
import { listDueOrders } from './store.lists.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

/** Two organizations: the first one has three orders and sessions that are due, the second one a later one of each. */
async function createDueWork(): Promise<readonly string[]> {
  const organizations: string[] = []
  for (const count of [3, 1]) {
    const { organization, project, owner } = await services.createOrganization()
    organizations.push(organization)
    for (let n = 0; n < count; n++) {
      services.clock.advance(1000)
      const now = services.clock.now()
      await owner.db.query(sql`
        insert into orders (organization_id, id, project_id, type, display_name, billing_mode, total_credits, groups,
                            status, created_by, ask_at, created_at, updated_at)
        values (${organization}, ${newId()}, ${project}, 'archive', 'Test', 'WALLET_HOLD', 0, '[]', 'PLACED', 'test',
                ${now}, ${now}, ${now})`)
      await owner.db.query(sql`
        insert into uploads (organization_id, id, project_id, status, transfer_method, file_count, total_bytes,
                             reserved_bytes, bytes_uploaded, is_categorical, attempt, created_by, expires_at, created_at,
                             updated_at)
        values (${organization}, ${newId()}, ${project}, 'initiated', 'browser', 1, 0, 0, 0, false, 0, 'test', ${now},
                ${now}, ${now})`)
    }
  }
  services.clock.advance(1000)
  return organizations
}

test('due orders and uploads of organizations take turns, so that many of one do not fill the list', async () => {
  const [many, one] = await createDueWork()
  const times = services.clock.times()
  const { unscoped } = services.database
  const ownersOf = (rows: readonly { readonly organization_id: string }[]) =>
    rows.map(({ organization_id }) => organization_id)
  assert.deepEqual(ownersOf(await listDueOrders(unscoped, times, 60_000, 3)), [many, one, many])
  assert.deepEqual(ownersOf(await listDueUploads(unscoped, times, 60_000, 3)), [many, one, many])
})
