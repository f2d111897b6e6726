import type { Client } from '@swath/client/client.ts'
import { problemOf } from '../../../../test/call-operation.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createFederatedOrganization, proveDomain } from '../../../../test/federation/federated-organization.ts'
import { startTestNameServer, type TestNameServer } from '../../../../test/federation/name-server.ts'
import { startTestProvider, type TestProvider } from '../../../../test/federation/test-provider.ts'
import { createTestOrganization, type TestOrganization } from '../../../../test/test-organizations.ts'
import { createTestSandbox } from '../../../../test/sandbox/sandboxes.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let app: TestApp
let names: TestNameServer
let provider: TestProvider
before(async () => {
  names = await startTestNameServer()
  provider = await startTestProvider()
  app = await startTestApp({ environment: { DNS_SERVERS: names.address, OUTSIDE_ALLOW: provider.issuer } })
})
after(async () => {
  await app?.close()
  await provider?.close()
  await names?.close()
})

interface Domain {
  readonly domain: string
  readonly state: string
  readonly record_name: string
  readonly record_value: string
  readonly problem: string | null
}

const addDomain = async ({ owner }: TestOrganization, domain: string): Promise<Domain> =>
  (await owner.client.call<{ domain: Domain }>('organizations.domains.add', { domain })).domain

const verifyDomain = async ({ owner }: TestOrganization, domain: string): Promise<Domain> =>
  (await owner.client.call<{ domain: Domain }>('organizations.domains.verify', { domain })).domain

const settingsFor = (domain: string) => ({ issuer: provider.issuer, client_id: 'swath-client', domains: [domain] })

test('a domain is verified once its record has the value, and belongs to one organization', async () => {
  const [ours, theirs] = [await createTestOrganization(app, 0), await createTestOrganization(app, 0)]
  const text = `Büro-${newId()}.Example.NET`
  const added = await addDomain(ours, text)
  assert.match(added.domain, /^xn--bro-.*\.example\.net$/)
  assert.equal(added.record_name, `_swath-verification.${added.domain}`)
  assert.match(added.record_value, /^swath-verification=[0-9A-Za-z]{32}$/)
  assert.equal(await problemOf(addDomain(ours, added.domain.toUpperCase())), 'name-taken')

  assert.deepEqual(Object.values(await verifyDomain(ours, text)).slice(1, 2), ['pending'])
  names.records.set(added.record_name, ['swath-verification=of-somebody-else'])
  assert.match((await verifyDomain(ours, text)).problem ?? '', /another value/)
  names.isBroken = true
  assert.match((await verifyDomain(ours, text)).problem ?? '', /do not answer/)
  names.isBroken = false
  const others = await addDomain(theirs, added.domain)
  assert.notEqual(others.record_value, added.record_value)
  names.records.set(added.record_name, [others.record_value, added.record_value])
  assert.equal((await verifyDomain(ours, text)).state, 'verified')
  assert.equal(await problemOf(verifyDomain(theirs, text)), 'name-taken')
  await ours.owner.client.call('organizations.domains.remove', { domain: text })
  assert.equal((await verifyDomain(theirs, text)).state, 'verified')
  assert.equal(await problemOf(verifyDomain(ours, text)), 'not-found')
})

test('two organizations that prove one domain at once do not both get it', async () => {
  const [ours, theirs] = [await createTestOrganization(app, 0), await createTestOrganization(app, 0)]
  const domain = `${newId()}.example.net`
  const values = [await addDomain(ours, domain), await addDomain(theirs, domain)].map((row) => row.record_value)
  names.records.set(`_swath-verification.${domain}`, values)
  const outcomes = await Promise.all([ours, theirs].map((one) => problemOf(verifyDomain(one, domain))))
  assert.deepEqual(outcomes.toSorted(), ['name-taken', 'ok'])
})

test('domains of public mail, addresses and host names are refused', async () => {
  const organization = await createTestOrganization(app, 0)
  for (const domain of [
    'gmail.com',
    'GMAIL.com.',
    'mail.web.de',
    '192.0.2.1',
    'localhost',
    'a/b.example',
    'x@example.com',
  ])
    assert.equal(await problemOf(addDomain(organization, domain)), 'validation', domain)
})

test('an organization has a hundred domains at most, and twenty tokens; a sandbox has none', async () => {
  const { organization, owner } = await createTestOrganization(app, 0)
  await app.database.unscoped.query(sql`
    insert into organization_domains (organization_id, domain, proof, state, created_by, created_at)
    select ${organization}::uuid, n || '.example.net', 'x', 'pending', ${owner.user}::uuid, now() from generate_series(1, 100) n`)
  assert.equal(
    await problemOf(owner.client.call('organizations.domains.add', { domain: 'a.example.net' })),
    'invalid-state',
  )
  const page = await owner.client.call<{ total: number; domains: object[] }>('organizations.domains.list', { limit: 3 })
  assert.deepEqual([page.total, page.domains.length], [100, 3])
  for (let count = 0; count < 20; count += 1) await owner.client.call('organizations.scim_tokens.create', { name: 'x' })
  assert.equal(await problemOf(owner.client.call('organizations.scim_tokens.create', { name: 'x' })), 'invalid-state')
  const { client: sandbox } = await createTestSandbox(app)
  assert.equal(await problemOf(sandbox.call('organizations.domains.add', { domain: 'a.example.net' })), 'invalid-state')
  assert.equal(await problemOf(sandbox.call('organizations.scim_tokens.create', { name: 'x' })), 'invalid-state')
})

test('the secret of the client is stored encrypted, kept without another one, and never returned', async () => {
  const organization = await createFederatedOrganization(app, { names, provider })
  const { client } = organization.owner
  const readSealed = async () => {
    const [row] = await app.database.unscoped.query<{ sealed_client_secret: string | null }>(sql`
      select sealed_client_secret from identity_providers where organization_id = ${organization.organization}`)
    return row!.sealed_client_secret
  }
  const sealed = await readSealed()
  assert.ok(sealed !== null && !sealed.includes(provider.client_secret))
  const { provider: read } = await client.call<{ provider: Record<string, unknown> }>('organizations.provider.get', {})
  assert.equal(read['has_client_secret'], true)
  assert.ok(!JSON.stringify(read).includes(provider.client_secret))
  assert.equal(read['redirect_uri'], `${app.url}/realms/public/broker/${organization.organization}/endpoint`)
  await organization.setProvider({ client_secret: null, mode: 'required' })
  assert.equal(await readSealed(), sealed)
  await organization.setProvider({ client_secret: null, client_id: 'another client' })
  assert.equal(await readSealed(), null, 'the secret of one client is not sent as that of another')
})

test('a provider needs verified domains of its organization, and an issuer that may be reached', async () => {
  const organization = await createTestOrganization(app, 0)
  const { client } = organization.owner
  const domain = await proveDomain(organization, names)
  const set = (changes: object) =>
    problemOf(client.call('organizations.provider.set', { ...settingsFor(domain), ...changes }))
  const theirs = await proveDomain(await createTestOrganization(app, 0), names)
  assert.equal(await set({ domains: [theirs] }), 'invalid-state')
  for (const issuer of [
    'http://127.0.0.1:1',
    'http://login.example.com',
    'https://10.0.0.1',
    'https://localhost',
    'javascript:alert(1)',
    'https://login.example.com/?a=b',
    'ftp://example.com',
  ])
    assert.equal(await set({ issuer }), 'validation', issuer)
  assert.equal(await set({ mappings: [{ value: 'a', role: 'admin' }, { value: 'a' }] }), 'validation')
  const projects = [{ project_id: organization.project, role: 'owner' }]
  assert.equal(await set({ mappings: [{ value: 'a', projects }] }), 'validation')
  assert.equal(await set({ mappings: [{ value: 'a', role: 'owner' }] }), 'validation')
  assert.equal(await set({ mappings: [{ value: 'a', projects: [{ project_id: newId() }] }] }), 'not-found')
  assert.equal(await set({}), 'ok')
})

test('only owners say which owners keep their password', async () => {
  const organization = await createFederatedOrganization(app, { names, provider })
  const [admin, member] = [await organization.addMember('admin'), await organization.addMember('member')]
  const set = (client: Client, emergency_access: string[] | null) =>
    problemOf(client.call('organizations.provider.set', { ...settingsFor(organization.domain), emergency_access }))
  assert.equal(await set(admin.client, [organization.owner.user]), 'forbidden')
  assert.equal(await set(admin.client, null), 'ok')
  assert.equal(await set(organization.owner.client, [member.user]), 'invalid-state')
  assert.equal(await set(organization.owner.client, [newId()]), 'not-found')
  assert.equal(await set(organization.owner.client, [organization.owner.user.toUpperCase()]), 'ok')
  assert.equal(await set(admin.client, []), 'forbidden')
  assert.equal(await set(admin.client, null), 'ok')
})

test('a test of the provider says what is wrong with it', async () => {
  const { owner, setProvider } = await createFederatedOrganization(app, { names, provider })
  const run = async () =>
    (await owner.client.call<{ test: Record<string, unknown> }>('organizations.provider.test', {})).test
  assert.deepEqual(await run(), {
    ok: true,
    issuer: provider.issuer,
    authorization_endpoint: `${provider.issuer}/authorize`,
    token_endpoint: `${provider.issuer}/token`,
    has_userinfo: true,
    has_backchannel_logout: true,
    key_count: 1,
    problems: [],
  })
  await setProvider({ issuer: `${provider.issuer}/elsewhere` })
  const failed = await run()
  assert.deepEqual([failed['ok'], (failed['problems'] as string[]).length], [false, 1])
})

test('tokens of a directory are shown once, and only their hash is stored', async () => {
  const { owner, organization } = await createTestOrganization(app, 0)
  const created = await owner.client.call<{
    scim_token: { id: string; prefix: string }
    token: string
    base_url: string
  }>('organizations.scim_tokens.create', { name: 'Directory', expires_in_days: 1 })
  assert.match(created.token, /^swathscim_[0-9A-Za-z]{48}$/)
  assert.equal(created.base_url, `${app.url}/scim/v2`)
  assert.ok(created.token.startsWith(created.scim_token.prefix))
  const listed = await owner.client.call('organizations.scim_tokens.list', {})
  assert.ok(!JSON.stringify(listed).includes(created.token))
  const rows = await app.database.unscoped.query(sql`
    select * from scim_tokens t join scim_token_directory d using (organization_id) where t.organization_id = ${organization}`)
  assert.ok(rows.length === 1 && !JSON.stringify(rows).includes(created.token))
  const response = await fetch(`${app.url}/v1/op/users.me`, {
    method: 'POST',
    headers: { authorization: `Bearer ${created.token}` },
  })
  assert.equal(response.status, 401, 'it opens nothing but SCIM')
})
