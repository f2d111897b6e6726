import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import { createManualClock } from '../../platform/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { placeSceneOrder, waitForOrder } from '../../../test/orders.ts'
import { createTestOrganization, createTestUser, type TestOrganization } from '../../../test/test-organizations.ts'
import { administratorCredentials, immediateRetries, startTestApp, type TestApp } from '../../../test/test-app.ts'

const clock = createManualClock(new Date())
let folder: string
let app: TestApp
let org: TestOrganization
let owner: Client
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-closed-'))
  app = await startTestApp({ clock, background: immediateRetries, environment: { SWATH_DATA_DIR: folder } })
  org = await createTestOrganization(app, 500)
  owner = org.owner.client
})
after(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

async function listPending(): Promise<(readonly [string, string])[]> {
  const { organizations } = await app.admin.call<{ organizations: { organization_id: string; delete_at: string }[] }>(
    'billing.deletions.pending',
    {},
  )
  return organizations.map(({ organization_id, delete_at }) => [organization_id, delete_at] as const)
}

async function cleanUp(): Promise<string[]> {
  // A new sign-in: the tokens of before the time was advanced have expired.
  const admin = app.createClientFor(administratorCredentials.username, administratorCredentials.password)
  const { organization_ids } = await admin.call<{ organization_ids: string[] }>('billing.cleanup_deleted_orgs', {})
  return organization_ids
}

const rejectedAs = (problem: string) => ({ problem })

test('only an owner closes an organization, and can keep it until the date', async () => {
  const { client: admin } = await org.addMember('admin')
  await assert.rejects(admin.call('organizations.delete', {}), rejectedAs('forbidden'))
  await assert.rejects(owner.call('organizations.restore', {}), rejectedAs('invalid-state'))

  const { delete_at } = await owner.call<{ delete_at: string }>('organizations.delete', { reason: 'We move.' })
  assert.equal(Date.parse(delete_at), clock.now().getTime() + 30 * day_ms)
  assert.deepEqual(await listPending(), [[org.organization, delete_at]])
  await assert.rejects(owner.call('organizations.delete', {}), rejectedAs('invalid-state'))
  assert.deepEqual(await cleanUp(), [])

  await owner.call('organizations.restore', {})
  assert.deepEqual(await listPending(), [])
  const { events } = await owner.call<{ events: { event_type: string; data: object }[] }>('events.list', { limit: 50 })
  assert.deepEqual(
    events
      .filter(({ event_type }) => event_type.startsWith('organization.deletion'))
      .map(({ event_type, data }) => [event_type, data]),
    [
      ['organization.deletion_cancelled', {}],
      ['organization.deletion_scheduled', { delete_at, reason: 'We move.' }],
    ],
  )
})

test('a sandbox is reset, not closed', async () => {
  const { client, email, password } = await createTestUser(app)
  await client.call('organizations.create', { name: 'Play', sandbox: true })
  const member = app.createClientFor(email, password)
  await assert.rejects(member.call('organizations.delete', {}), rejectedAs('invalid-state'))
})

async function countImagery(): Promise<{ items: number; assets: number }> {
  const [row] = await app.database.unscoped.query<{ items: number; assets: number }>(sql`
    select
      (select count(*) from items i where i.organization_id = ${org.organization} and i.purged_at is null) as items,
      (select count(*) from assets a where a.organization_id = ${org.organization} and a.deleted_at is null) as assets`)
  return row!
}

/** The files of the organization in the folder of the app. */
async function listFiles(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return files.filter((entry) => entry.isFile() && entry.parentPath.includes(org.organization)).map(({ name }) => name)
}

test('after the date its imagery and files are deleted, and nobody reaches it', async () => {
  const order_id = await placeSceneOrder(owner, 'open', ['hls-exe-20210613'])
  await waitForOrder(owner, order_id, 'FULFILLED')
  const { items, assets } = await countImagery()
  assert.ok(items > 0 && assets > 0)
  const files = await listFiles()
  assert.ok(files.length > 0)

  await owner.call('organizations.delete', {})
  clock.advance(30 * day_ms)
  assert.deepEqual(await cleanUp(), [org.organization])
  for (let tries = 0; tries < 200 && (await countImagery()).items > 0; tries += 1) await pause(50)
  assert.deepEqual(await countImagery(), { items: 0, assets: 0 })
  for (let tries = 0; tries < 200 && (await listFiles()).length > 0; tries += 1) await pause(50)
  assert.deepEqual(await listFiles(), [])
  await assert.rejects(app.createClientFor(org.owner.email, org.owner.password).call('projects.list', {}))
  assert.deepEqual(await cleanUp(), [])
})
