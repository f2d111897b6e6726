import assert from 'node:assert/strict'
import { problemOf } from '../../../../test/call-operation.ts'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import { createClient, type Client } from '@swath/client/client.ts'
import {
  createTestOrganization,
  grantSupportAccess,
  type TestOrganization,
} from '../../../../test/test-organizations.ts'
import { assertEventually, startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app?.close())

const reason = 'An order of theirs is not delivered.'

interface Access {
  readonly id: string
  readonly state: string
  readonly expires_at: string
  readonly hours: number
}

const request = (organization_id: string, hours = 4): Promise<Access> =>
  app.admin.call<Access>('admin.support_access.request', { organization_id, reason, hours })

const impersonate = ({ organization, owner }: TestOrganization, minutes = 15) =>
  app.admin.call<{ access_token: string; expires_at: string }>('admin.users.impersonate', {
    organization_id: organization,
    user_id: owner.user,
    reason,
    minutes,
  })

const statusOf = async (token: string): Promise<number> =>
  (await createClient({ baseUrl: app.url, token }).fetch('/v1/op/users.me', { method: 'POST', body: '{}' })).status

const grant = (client: Client, access_id: string, hours?: number): Promise<Access> =>
  client.call<Access>('organizations.support_access.grant', { access_id, ...(hours === undefined ? {} : { hours }) })

test('an operator reads nothing of an organization until an owner grants it, and nothing after its end', async () => {
  const org = await createTestOrganization(app, 0)
  const [admin, member] = [await org.addMember('admin'), await org.addMember('member')]
  assert.equal(await problemOf(impersonate(org)), 'forbidden')
  const { id } = await request(org.organization)
  assert.equal(await problemOf(request(org.organization)), 'invalid-state', 'one request waits')
  assert.equal(await problemOf(impersonate(org)), 'forbidden', 'a request is no permission')
  assert.equal(await problemOf(grant(member.client, id)), 'forbidden')
  assert.equal(await problemOf(grant(admin.client, id)), 'forbidden', 'owners grant it')
  assert.equal(await problemOf(grant(org.owner.client, newId())), 'not-found')

  const granted = await grant(org.owner.client, id, 2)
  assert.deepEqual([granted.state, granted.hours], ['granted', 2])
  assert.equal(await problemOf(grant(org.owner.client, id)), 'invalid-state')
  const { access_token } = await impersonate(org)
  assert.equal(await statusOf(access_token), 200)

  await admin.client.call('organizations.support_access.end', { access_id: id })
  await assertEventually(async () => assert.equal(await statusOf(access_token), 401))
  assert.equal(await problemOf(impersonate(org)), 'forbidden')
  const kinds = await app.database.unscoped.query<{ kind: string }>(sql`
    select kind from events where organization_id = ${org.organization} and entity_id = ${id} order by id`)
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['support_access.requested', 'support_access.granted', 'support_access.ended'],
  )
  const { entries } = await org.owner.client.call<{ entries: { operation: string; target_id: string | null }[] }>(
    'organizations.audit.list',
    { limit: 50 },
  )
  for (const operation of [
    'admin.support_access.request',
    'organizations.support_access.grant',
    'organizations.support_access.end',
  ])
    assert.ok(
      entries.some((entry) => entry.operation === operation && entry.target_id === id),
      operation,
    )
})

test('support access is over after its hours, and a token under it not later', async () => {
  const org = await createTestOrganization(app, 0)
  const id = await grantSupportAccess(app.admin, org.owner.client, org.organization, 1)
  const expiresIn = (ms: number) =>
    app.database.unscoped.query(sql`
      update support_accesses set expires_at = ${new Date(app.clock.now().getTime() + ms)}
      where organization_id = ${org.organization} and id = ${id}`)
  await expiresIn(60_000)
  const { access_token, expires_at } = await impersonate(org, 15)
  assert.ok(Date.parse(expires_at) <= app.clock.now().getTime() + 61_000)
  assert.equal(await statusOf(access_token), 200)
  await expiresIn(-1)
  assert.equal(await statusOf(access_token), 401)
  assert.equal(await problemOf(impersonate(org)), 'forbidden')
  const { support_accesses } = await org.owner.client.call<{ support_accesses: Access[] }>(
    'organizations.support_access.list',
    { state: 'expired' },
  )
  assert.deepEqual(
    support_accesses.map((access) => access.id),
    [id],
  )
})

test('a refused request gives nothing, one that nobody decides ends, and an operator gives back only their own', async () => {
  const org = await createTestOrganization(app, 0)
  const refused = await request(org.organization)
  await org.owner.client.call('organizations.support_access.refuse', { access_id: refused.id })
  assert.equal(await problemOf(impersonate(org)), 'forbidden')
  assert.equal(await problemOf(grant(org.owner.client, refused.id)), 'invalid-state')
  const forgotten = await request(org.organization)
  assert.ok(Date.parse(forgotten.expires_at) > app.clock.now().getTime() + 6 * 24 * hour_ms)
  await app.database.unscoped.query(sql`
    update support_accesses set expires_at = ${new Date(app.clock.now().getTime() - 1)}
    where organization_id = ${org.organization} and id = ${forgotten.id}`)
  assert.equal(await problemOf(grant(org.owner.client, forgotten.id)), 'invalid-state')
  const again = await request(org.organization)
  const end = (access_id: string) =>
    problemOf(app.admin.call('admin.support_access.end', { organization_id: org.organization, access_id, reason }))
  await app.database.unscoped.query(sql`
    update support_accesses set operator_id = ${newId()} where organization_id = ${org.organization} and id = ${again.id}`)
  assert.equal(await end(again.id), 'not-found', 'that of another operator')
  const own = await request(org.organization)
  assert.equal(await end(own.id), 'ok')
  assert.equal(await end(own.id), 'invalid-state')
})

test('the request to one organization is unknown to another one', async () => {
  const [org, other] = [await createTestOrganization(app, 0), await createTestOrganization(app, 0)]
  const { id } = await request(org.organization)
  assert.equal(await problemOf(grant(other.owner.client, id)), 'not-found')
  assert.equal(
    await problemOf(other.owner.client.call('organizations.support_access.end', { access_id: id })),
    'not-found',
  )
})

test('a stream that an operator reads as a user ends with the support access', async () => {
  const org = await createTestOrganization(app, 0)
  const id = await grantSupportAccess(app.admin, org.owner.client, org.organization)
  const { access_token } = await impersonate(org)
  const client = createClient({ baseUrl: app.url, token: access_token })
  let isEnded = false
  const opened = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const event of client.events('events.stream', { max_seconds: 60 }, { onOpen: opened.resolve }))
      void event
    isEnded = true
  })()
  await opened.promise
  await org.owner.client.call('organizations.support_access.end', { access_id: id })
  await reading
  assert.equal(isEnded, true)
})
