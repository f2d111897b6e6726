import type { Client } from '@swath/client/client.ts'
import type { TestNameServer } from '../../packages/server/test/federation/name-server.ts'
import { allowProgram } from './allow-program.ts'
import type { Person } from './sign-in.ts'

/** The provider of the sample organization, which nobody has to reach. */
export const providerOrigin = 'https://login.example.com'

/** Programs of the organization, one of which its owner has allowed, and access tokens. */
async function addPrograms(client: Client, url: string, person: Person): Promise<void> {
  const redirect_uri = 'https://fields.example.com/callback'
  const { client: fields, client_secret } = await client.call('oauth_clients.create', {
    name: 'Field portal',
    type: 'confidential',
    redirect_uris: [redirect_uri],
    scopes: ['items:read', 'tiles:read', 'orders:read'],
    grants: ['authorization_code', 'refresh_token'],
    home_url: 'https://fields.example.com',
  })
  const { client: surveys } = await client.call('oauth_clients.create', {
    name: 'Survey app',
    type: 'public',
    redirect_uris: ['org.example.survey:/callback', 'http://127.0.0.1/callback'],
    scopes: ['*:read'],
    grants: ['authorization_code', 'device_code'],
    open_to_all: true,
  })
  await client.call('oauth_clients.update', { client_id: surveys.client_id, disabled: true })
  const program = { client_id: fields.client_id, client_secret: client_secret!, redirect_uri }
  await allowProgram(url, person, program, 'openid items:read tiles:read')
  const { token } = await client.call('users.tokens.create', {
    name: 'Notebook of the field work',
    scopes: ['*:read', 'orders:write'],
    expires_in_days: 90,
  })
  await fetch(`${url}/v1/op/users.me`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' })
  const former = await client.call('users.tokens.create', { name: 'Old script', scopes: ['items:read'], expires_in_days: 7 }) // prettier-ignore
  await client.call('users.tokens.revoke', { token_id: former.id })
}

/** A verified domain and one that is not, the provider of the former, and a directory. */
async function addSignOn(client: Client, names: TestNameServer): Promise<void> {
  for (const domain of ['fields.example.net', 'survey.example.net']) {
    const { domain: added } = await client.call('organizations.domains.add', { domain })
    if (domain.startsWith('fields')) names.records.set(added.record_name, [added.record_value])
    await client.call('organizations.domains.verify', { domain })
  }
  await client.call('organizations.provider.set', {
    issuer: providerOrigin,
    client_id: 'swath',
    client_secret: 'the secret of the sample',
    domains: ['fields.example.net'],
    roles_claim: 'groups',
    mappings: [
      { value: 'gis-admins', role: 'admin' },
      { value: 'finance', role: 'billing' },
    ],
  })
  await client.call('organizations.scim_tokens.create', { name: 'Entra ID', expires_in_days: 365 })
}

/** What lets programs and a directory act in the organization. */
export async function addCredentials(
  client: Client,
  url: string,
  { person, names }: { readonly person: Person; readonly names: TestNameServer },
): Promise<void> {
  await addPrograms(client, url, person)
  await addSignOn(client, names)
}
