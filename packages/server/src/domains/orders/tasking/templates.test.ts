import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { newId } from '../../../platform/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

const saveTemplate = ({ owner }: TestOrganization, name: string) =>
  owner.client.call('orders.tasking.templates.save', {
    name,
    resolution: '50cm',
    sensor: 'optical',
    capture_frequency: 'once',
    datum: 'WGS84',
    file_format: 'COG',
  })

const listTemplates = async ({ owner }: TestOrganization) =>
  (await owner.client.call('orders.tasking.templates.list', {})).templates

test('two saves of one name at once write one template', async () => {
  const org = await createTestOrganization(app, 0)
  const saved = await Promise.all([saveTemplate(org, 'Clear'), saveTemplate(org, 'Clear')])
  assert.equal(saved[0].id, saved[1].id)
  assert.equal(saved[0].created_at, saved[1].created_at)
  assert.deepEqual(
    (await listTemplates(org)).map(({ id }) => id),
    [saved[0].id],
  )
})

test('of two saves at once for the last free place, one is refused', async () => {
  const org = await createTestOrganization(app, 0)
  for (let number = 1; number < limits.max_tasking_templates; number++)
    await app.database.unscoped.query(sql`
      insert into tasking_templates (organization_id, id, name, settings, created_at, updated_at)
      values (${org.organization}, ${newId()}, ${`Template ${number}`}, '{}', now(), now())`)
  const outcomes = await Promise.allSettled([saveTemplate(org, 'One'), saveTemplate(org, 'Other')])
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.deepEqual(
    refused.map(({ reason }) => (reason as { problem: string }).problem),
    ['quota-exceeded'],
  )
  const [row] = await app.database.unscoped.query<{ count: string }>(sql`
    select count(*) as count from tasking_templates where organization_id = ${org.organization}`)
  assert.equal(Number(row!.count), limits.max_tasking_templates)
})
