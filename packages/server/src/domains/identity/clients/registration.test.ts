import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limits } from '@swath/contract/limits.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import { SafeFetchFailure, type SafeFetch } from '../../../platform/integrations/integrations.ts'
import {
  rejectedWith,
  startIdentityTestApp,
  type IdentityTestApp,
  type SignedInUser,
} from '../../../../test/identity-test-app.ts'
import { connectProgram, programCallback, programRequest } from '../../../../test/oauth/programs.ts'
import { createPkce, TestBrowser } from '../../../../test/test-browser.ts'
import { deleteRegisteredClientsUnusedSince } from './store.registered-clients.ts'

const documentUrl = 'https://agent.example/client.json'
const document = {
  client_id: documentUrl,
  client_name: 'Described `agent`',
  redirect_uris: [programCallback, 'http://localhost/callback'],
  scope: 'items:read orders:read organizations:read',
}

/** What the host of documents answers, by URL, and how often it was asked. */
const hosted = new Map<string, { status: number; body: string } | 'outage'>()
let requestCount = 0
const fetchDocument: SafeFetch = async (url) => {
  requestCount += 1
  const answer = hosted.get(url)
  if (answer === 'outage') throw new SafeFetchFailure('timeout', 'The host does not respond.')
  const { status, body } = answer ?? { status: 404, body: 'not found' }
  return { status, headers: {}, body: new TextEncoder().encode(body), url }
}

let app: IdentityTestApp
let person: SignedInUser & { readonly organization: string }
before(async () => {
  app = await startIdentityTestApp({}, { client_document_fetch: fetchDocument })
  person = await app.createFounder()
})
after(() => app.close())

const endpoint = '/realms/public/clients-registrations/openid-connect'

interface Sent {
  readonly payload?: unknown
  readonly token?: string | undefined
  readonly remoteAddress?: string
}

async function send(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { payload, token, remoteAddress = '127.0.0.1' }: Sent = {},
) {
  const response = await app.server.inject({
    method,
    url: url.replace('http://localhost:8080', ''),
    remoteAddress,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
  })
  return { status: response.statusCode, body: (response.body === '' ? {} : response.json()) as Record<string, unknown> }
}

const metadata = { client_name: 'My agent', redirect_uris: [programCallback] }

test('the documents name each other, the endpoints and what is supported', async () => {
  const paths = [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/realms/public',
    '/.well-known/openid-configuration/realms/public',
    '/realms/public/.well-known/openid-configuration',
  ]
  const documents = await Promise.all(paths.map(async (path) => (await send('GET', path)).body))
  for (const one of documents) assert.deepEqual(one, documents[0])
  const [server] = documents
  assert.equal(server!['issuer'], 'http://localhost:8080/realms/public')
  assert.equal(server!['registration_endpoint'], `http://localhost:8080${endpoint}`)
  assert.deepEqual(
    [server!['client_id_metadata_document_supported'], server!['authorization_response_iss_parameter_supported']],
    [true, true],
  )
  const resource = (await send('GET', '/.well-known/oauth-protected-resource')).body
  assert.deepEqual(
    [resource['resource'], resource['authorization_servers']],
    ['http://localhost:8080', ['http://localhost:8080/realms/public']],
  )
})

test('a 401 says where tokens come from, and names an error only if a token was sent', async () => {
  const challenge = async (headers: Record<string, string>) =>
    (await app.server.inject({ url: '/realms/public/protocol/openid-connect/userinfo', headers })).headers[
      'www-authenticate'
    ]
  const metadataUrl = 'resource_metadata="http://localhost:8080/.well-known/oauth-protected-resource"'
  assert.equal(await challenge({}), `Bearer ${metadataUrl}`)
  assert.equal(await challenge({ authorization: 'Bearer unknown' }), `Bearer error="invalid_token", ${metadataUrl}`)
})

test('a program registers itself, is shown as unchecked, and gets what a person allows', async () => {
  const { status, body } = await send('POST', endpoint, { payload: metadata })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual(
    [body['token_endpoint_auth_method'], body['grant_types'], body['redirect_uris'], 'client_secret' in body],
    ['none', ['authorization_code', 'refresh_token'], [programCallback], false],
  )
  const program = { id: String(body['client_id']), secret: null }
  const page = await new TestBrowser(app).signIn(programRequest(program, createPkce()), person.email, person.password)
  assert.match(page.body, /Nobody here has checked its name/)
  const tokens = await connectProgram(app, program, person)
  assert.equal(tokens.body['scope'], 'openid items:read organizations:read')
  const refreshed = await app.postForm('token', {
    grant_type: 'refresh_token',
    client_id: program.id,
    refresh_token: String(tokens.body['refresh_token']),
  })
  assert.equal(refreshed.status, 200)
})

test('without scopes a registered program never gets what makes credentials, nor privileged scopes', async () => {
  const { body } = await send('POST', endpoint, { payload: metadata })
  const scopes = String(body['scope']).split(' ')
  assert.ok(scopes.includes('items:read'))
  for (const scope of ['api_keys:write', 'personal_tokens:write', 'oauth_clients:write', 'admin:read', 'clip:read'])
    assert.equal(scopes.includes(scope), false, scope)
  for (const scope of ['api_keys:write', 'admin:read'])
    assert.equal(
      (await send('POST', endpoint, { payload: { ...metadata, scope } })).body['error'],
      'invalid_client_metadata',
    )
})

test('metadata that is not valid is refused with the errors of RFC 7591', async () => {
  const refusals: [unknown, string][] = [
    ['not json', 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
    [{ client_name: 'x' }, 'invalid_redirect_uri'],
    [{ ...metadata, redirect_uris: ['http://agent.example/cb'] }, 'invalid_redirect_uri'],
    [{ ...metadata, redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ ...metadata, redirect_uris: 'https://agent.example' }, 'invalid_redirect_uri'],
    [{ ...metadata, token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
    [{ ...metadata, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ ...metadata, response_types: ['token'] }, 'invalid_client_metadata'],
    [{ ...metadata, scope: 'items:fly' }, 'invalid_client_metadata'],
    [{ ...metadata, client_name: '' }, 'invalid_client_metadata'],
    [{ ...metadata, client_uri: 'javascript:1' }, 'invalid_client_metadata'],
  ]
  for (const [payload, error] of refusals) {
    const { status, body } = await send('POST', endpoint, { payload })
    assert.deepEqual([status, body['error']], [400, error], JSON.stringify(payload))
  }
})

test('a registered program reads, changes and deletes itself with its own token only', async () => {
  const { body } = await send('POST', endpoint, { payload: metadata })
  const [url, token] = [String(body['registration_client_uri']), String(body['registration_access_token'])]
  const other = (await send('POST', endpoint, { payload: metadata })).body
  for (const wrong of [undefined, 'swathreg_wrong', String(other['registration_access_token'])])
    assert.equal((await send('GET', url, { token: wrong })).status, 401)
  const read = await send('GET', url, { token })
  assert.deepEqual([read.status, read.body['client_name']], [200, 'My agent'])
  const change = { ...metadata, client_id: body['client_id'], client_name: 'Renamed' }
  assert.equal((await send('PUT', url, { payload: change, token })).body['client_name'], 'Renamed')
  assert.equal((await send('PUT', url, { payload: metadata, token })).status, 400)
  const program = { id: String(body['client_id']), secret: null }
  const tokens = await connectProgram(app, program, person)
  assert.equal((await send('DELETE', url, { token })).status, 204)
  assert.equal((await send('GET', url, { token })).status, 401)
  await assert.rejects(
    app.callOperation('users.me', String(tokens.body['access_token'])),
    rejectedWith('unauthenticated'),
  )
})

test('registrations are limited by address', async () => {
  const answers = []
  for (let count = 0; count < 61; count += 1)
    answers.push(await send('POST', endpoint, { payload: metadata, remoteAddress: '192.0.2.99' }))
  assert.deepEqual([answers[0]!.status, answers.at(-1)!.status], [201, 429])
})

test('a program that nobody uses is deleted, with what was granted to it', async () => {
  const { body } = await send('POST', endpoint, { payload: metadata })
  const program = { id: String(body['client_id']), secret: null }
  await connectProgram(app, program, person)
  const consents = async () =>
    ((await app.callOperation('users.consents.list', person.token))['consents'] as { client_id: string }[]).filter(
      ({ client_id }) => client_id === program.id,
    ).length
  const now_ms = app.clock.now().getTime()
  await deleteRegisteredClientsUnusedSince(
    app.database.unscoped,
    new Date(now_ms - limits.registered_client_days * day_ms),
  )
  assert.equal(await consents(), 1)
  await deleteRegisteredClientsUnusedSince(app.database.unscoped, new Date(now_ms + 1))
  assert.equal(await consents(), 0)
  const gone = await new TestBrowser(app).open(programRequest(program, createPkce()))
  assert.equal(gone.status, 400)
})

test('registration can be switched off', async () => {
  const closed = await startIdentityTestApp({}, { client_registration: false })
  try {
    const response = await closed.server.inject({ method: 'POST', url: endpoint, payload: metadata })
    assert.equal(response.statusCode, 403)
    const discovery = await closed.server.inject({ url: '/.well-known/oauth-authorization-server' })
    assert.equal('registration_endpoint' in discovery.json<object>(), false)
    const page = await new TestBrowser(closed).open(programRequest({ id: documentUrl }, createPkce()))
    assert.equal(page.status, 400)
  } finally {
    await closed.close()
  }
})

test('a document describes a client, whose host is shown and whose redirect URIs are compared', async () => {
  hosted.set(documentUrl, { status: 200, body: JSON.stringify(document) })
  const program = { id: documentUrl, secret: null }
  const page = await new TestBrowser(app).signIn(programRequest(program, createPkce()), person.email, person.password)
  assert.match(page.body, /described by <code>agent\.example<\/code>/)
  const before = requestCount
  const tokens = await connectProgram(app, program, person, { scope: '*:read' })
  assert.equal(tokens.body['scope'], 'items:read orders:read organizations:read')
  assert.equal(requestCount, before, 'the document is cached')
  const other = await new TestBrowser(app).open(
    programRequest(program, createPkce(), { redirect_uri: 'https://evil.example/' }),
  )
  assert.equal(other.status, 400)
  const { consents } = (await app.callOperation('users.consents.list', person.token)) as {
    consents: { client_id: string }[]
  }
  assert.ok(consents.some(({ client_id }) => client_id === documentUrl))
})

test('a client goes on while its host has an outage, and ends with its document', async () => {
  const url = 'https://agent.example/lasting.json'
  hosted.set(url, { status: 200, body: JSON.stringify({ ...document, client_id: url }) })
  const isKnown = async () =>
    (await new TestBrowser(app).open(programRequest({ id: url }, createPkce()))).status === 200
  assert.ok(await isKnown())
  hosted.set(url, 'outage')
  app.clock.advance(11 * 60_000)
  assert.ok(await isKnown())
  hosted.delete(url)
  app.clock.advance(11 * 60_000)
  assert.equal(await isKnown(), false)
})

test('documents that are not valid, and URLs that are none of a document, are no clients', async () => {
  const cases: Record<string, string> = {
    'https://agent.example/other-id.json': JSON.stringify(document),
    'https://agent.example/secret.json': JSON.stringify({ token_endpoint_auth_method: 'client_secret_post' }),
    'https://agent.example/text.json': 'no json',
    'https://agent.example/bytes.json': '',
  }
  for (const [url, body] of Object.entries(cases)) {
    hosted.set(url, { status: 200, body })
    assert.equal((await new TestBrowser(app).open(programRequest({ id: url }, createPkce()))).status, 400, url)
  }
  const before = requestCount
  const noDocuments = [
    'http://agent.example/c',
    'https://agent.example/',
    'https://u@agent.example/c',
    'https://agent.example/a/../c',
    'https://agent.example/c#x',
  ]
  for (const id of noDocuments)
    assert.equal((await new TestBrowser(app).open(programRequest({ id }, createPkce()))).status, 400, id)
  assert.equal(requestCount, before)
})
