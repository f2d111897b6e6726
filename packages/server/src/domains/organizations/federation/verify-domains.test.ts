import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms, hour_ms } from '@swath/geo/time-units.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { createTaskRunner } from '../../../../test/task-runner.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { findDomain, findDomainOwner } from './store.domains.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

/** A verified domain, whose records the test says. */
async function createVerifiedDomain() {
  const { organization } = await services.createOrganization()
  const domain = `${newId()}.example.net`
  const { unscoped } = services.database
  const now = services.clock.now()
  await unscoped.query(sql`
    insert into organization_domains (organization_id, domain, proof, state, created_by, created_at, verified_at)
    values (${organization}, ${domain}, 'secret', 'verified', ${newId()}, ${now}, ${now})`)
  await unscoped.query(sql`
    insert into domain_directory (domain, organization_id, checked_at) values (${domain}, ${organization}, ${now})`)
  const asked: string[] = []
  let records: readonly string[] = []
  const integrations = {
    ...services.integrations,
    textRecords: async (name: string) => {
      asked.push(name)
      return records
    },
  }
  const { runTask } = createTaskRunner({ ...services, integrations })
  return {
    asked,
    setRecords: (values: readonly string[]) => void (records = values),
    runLater: async (milliseconds: number) => {
      services.clock.advance(milliseconds)
      await runTask(backgroundTaskTypes.verifyDomains, {})
      const row = await findDomain(services.database.forOrganization(organization), organization, domain)
      return { state: row?.state, owner: (await findDomainOwner(unscoped, domain)) === organization }
    },
    listEvents: async () => {
      const rows = await unscoped.query<{ kind: string }>(sql`
        select kind from events where organization_id = ${organization} order by id`)
      return rows.map(({ kind }) => kind)
    },
  }
}

test('a domain whose record is missing for days is lost, with an event, and one whose record comes back is not', async () => {
  const domain = await createVerifiedDomain()
  assert.deepEqual(await domain.runLater(hour_ms), { state: 'verified', owner: true })
  assert.equal(domain.asked.length, 0, 'each domain is looked for once a day')
  assert.deepEqual(await domain.runLater(day_ms), { state: 'verified', owner: true })
  assert.deepEqual(await domain.runLater(2 * day_ms), { state: 'verified', owner: true })
  domain.setRecords(['swath-verification=secret'])
  assert.deepEqual(await domain.runLater(2 * day_ms), { state: 'verified', owner: true })
  domain.setRecords(['swath-verification=of-the-new-owner'])
  for (let days = 0; days < 3; days += 1)
    assert.deepEqual(await domain.runLater(day_ms + 1000), { state: 'verified', owner: true }, `${days}`)
  assert.deepEqual(await domain.runLater(day_ms + 1000), { state: 'lost', owner: false })
  assert.deepEqual(await domain.listEvents(), ['organization.domain_removed'])
  const asked = domain.asked.length
  await domain.runLater(2 * day_ms)
  assert.equal(domain.asked.length, asked, 'a lost domain is looked for on request only')
})
