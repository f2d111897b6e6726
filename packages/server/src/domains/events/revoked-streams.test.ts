import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestOrganization, type TestOrganization } from '../../../test/test-organizations.ts'

let app: TestApp
let org: TestOrganization
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app)
})
after(() => app?.close())

/** An open stream; `read` returns the next part of it, or null at its end. */
async function openStream(headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${app.url}/api/v1/events/stream`, { headers })
  assert.equal(response.status, 200)
  const reader = response.body!.getReader()
  const read = async (): Promise<string | null> => {
    const { done, value } = await reader.read()
    return done ? null : Buffer.from(value).toString('utf8')
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
