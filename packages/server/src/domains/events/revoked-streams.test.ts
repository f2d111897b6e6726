import { revocationFeedServiceKey } from '../identity/revocation-feed.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import type { TextResponse } from '../../engine/operation-response.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { publishPrincipalChange } from '../identity/principal-changes.ts'
import { handler } from './operations/events.stream.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app)
})
after(() => app?.close())

/** An open stream; `read` returns the next part of it that is not a comment, or null at its end. */
async function openStream(headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${app.url}/api/v1/events/stream`, { headers })
  assert.equal(response.status, 200)
  const reader = response.body!.getReader()
  const read = async (): Promise<string | null> => {
    const { done, value } = await reader.read()
    if (done) return null
    const text = Buffer.from(value).toString('utf8')
    return text.startsWith(':') ? read() : text
  }
  assert.match((await read()) ?? '', /^retry:/)
  return { read, close: () => reader.cancel() }
}

const keyInput = { name: 'stream', permissions: ['can_read'] }

test('the stream of an API key ends when it is revoked, and those of other callers stay open', async () => {
  const { client } = org.owner
  const [revoked, kept] = [
    await client.call<{ id: string; key: string }>('api_keys.create', keyInput),
    await client.call<{ id: string; key: string }>('api_keys.create', keyInput),
  ]
  const stream = await openStream({ 'x-api-key': revoked.key })
  const other = await openStream({ 'x-api-key': kept.key })
  await client.call('api_keys.revoke', { key_id: revoked.id })
  assert.equal(await stream.read(), null)
  await client.call('projects.create', { name: 'Still streamed' })
  let text = ''
  while (!text.includes('event: project.created')) text += (await other.read()) ?? assert.fail('the stream ended')
  await other.close()
})

test('the stream of a session ends when the user signs out', async () => {
  const { email, password } = org.owner
  const realm = `${app.url}/realms/public/protocol/openid-connect`
  const post = (path: string, fields: Record<string, string>): Promise<Response> =>
    fetch(`${realm}/${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const response = await post('token', { grant_type: 'password', username: email, password })
  const { access_token, refresh_token } = (await response.json()) as Record<string, string>
  const stream = await openStream({ authorization: `Bearer ${access_token}` })
  await post('revoke', { token: refresh_token! })
  assert.equal(await stream.read(), null)
})

test('the stream of a caller whose change leaves the token valid stays open', async () => {
  const { client, user } = org.owner
  const key = await client.call<{ key: string }>('api_keys.create', keyInput)
  const stream = await openStream({ 'x-api-key': key.key })
  await app.database.unscoped.transaction((tx) => publishPrincipalChange(tx, `organization:${org.organization}`))
  await app.database.unscoped.transaction((tx) => publishPrincipalChange(tx, `user:${user}`))
  await client.call('projects.create', { name: 'After the change' })
  let text = ''
  while (!text.includes('event: project.created')) text += (await stream.read()) ?? assert.fail('the stream ended')
  await stream.close()
})

/** A call that was authenticated by an API key, and a function that revokes the key. */
async function createKeyCall(
  services: TestServices,
): Promise<{ call: Call; subject: string; revoke(): Promise<void> }> {
  const { organization, owner } = await services.createOrganization()
  const id = newId()
  const now = services.clock.now()
  const { unscoped } = services.database
  await unscoped.query(sql`
    insert into api_keys (organization_id, id, name, prefix, last_four, permissions, created_by, created_at)
    values (${organization}, ${id}, 'stream', 'swk', 'abcd', ${['can_read']}, ${owner.principal.user}, ${now})`)
  const subject = `key:${id}`
  const call = services.createCall({ ...owner.principal, kind: 'api_key', id, token_subjects: [subject] })
  const revoke = async (): Promise<void> => {
    await unscoped.query(sql`update api_keys set revoked_at = ${now} where organization_id = ${organization}`)
  }
  return { call, subject, revoke }
}

const openDirectly = (call: Call): Promise<unknown> =>
  Promise.resolve(handler.handle(call, { max_seconds: 600 } as never))

test('a key that is revoked between the authentication and the stream opens none, or one that ends at once', async () => {
  const services = await openTestServices()
  try {
    const { call, subject, revoke } = await createKeyCall(services)
    const watching: Call = {
      ...call,
      organization: call.organization,
      db: {
        ...call.db,
        query: async (statement) => {
          await revoke()
          call.processServices.get(revocationFeedServiceKey).publish(subject)
          return call.db.query(statement)
        },
        transaction: async (work) => {
          await revoke()
          call.processServices.get(revocationFeedServiceKey).publish(subject)
          return call.db.transaction(work)
        },
      },
    }
    const { chunks } = (await openDirectly(watching)) as TextResponse
    const texts: string[] = []
    for await (const text of chunks) texts.push(text)
    assert.deepEqual(texts, ['retry: 2000\n\n'])
    await assert.rejects(openDirectly(call), { problem: 'unauthenticated' })
  } finally {
    await services.close()
  }
})
