import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import { createUser } from '../../../packages/server/src/domains/users/users.ts'
import { createApp } from '../../../packages/server/src/app.ts'
import { readConfig } from '../../../packages/server/src/platform/config.ts'
import { createPasswordHasher } from '../../../packages/server/src/platform/crypto/passwords.ts'
import { createLogger } from '../../../packages/server/src/platform/log.ts'
import { administrator, defaultSettings, type Environment } from '../harness/server-process.ts'
import { closeAtEnd } from '../harness/resources.ts'

const password = 'password of a tenant'

/** An organization with an owner, a project, credits and an API key, which does not expire as a token does. */
export interface Tenant {
  readonly organization: string
  readonly project: string
  readonly login: { readonly username: string; readonly password: string }
  readonly api_key: string
}

/**
 * Creates users without an organization in a database, which must not be the embedded one of a running server; there is no operation for it,
 * because in production users come from an identity provider.
 */
export async function createUsers(environment: Environment, emails: readonly string[]): Promise<void> {
  const config = readConfig({ ...defaultSettings, ...environment })
  await using app = closeAtEnd(await createApp({ config, log: createLogger({ level: 'error' }) }))
  const password_hash = await createPasswordHasher().hash(password)
  for (const email of emails) {
    const user = { email, name: 'Proof', password_hash, password_temporary: false, organization: null }
    await app.database.unscoped.transaction((tx) => createUser(tx, user, app.clock.now()))
  }
}

/** Creates an organization for a user, with a project, credits and an API key. */
export async function createTenant(base: string, username: string, credits: number): Promise<Tenant> {
  const login = { username, password }
  const firstClient = createClient({ baseUrl: base, token: createTokenSource(base, login) })
  const { id } = await firstClient.call<{ id: string }>('organizations.create', { name: username.replace('@', ' ') })
  // The first token was issued before the organization existed.
  const owner = createClient({ baseUrl: base, token: createTokenSource(base, login) })
  const { id: project } = await owner.call<{ id: string }>('projects.create', { name: 'Fields' })
  const admin = createClient({ baseUrl: base, token: createTokenSource(base, administrator) })
  await admin.call('admin.orgs.credit_adjust', { organization_id: id, amount_credits: credits, reason: 'proof' })
  const permissions = ['can_read', 'can_write', 'can_process']
  const { key } = await owner.call<{ key: string }>('api_keys.create', { name: 'proof', permissions })
  return { organization: id, project, login, api_key: key }
}

/**
 * Creates so many organizations in the installation of a running server, which is not on an embedded database.
 *
 * @param settings of its processes.
 */
export async function createTenants(
  url: string,
  settings: Environment,
  { count, credits }: { readonly count: number; readonly credits: number },
): Promise<Tenant[]> {
  const emails = Array.from({ length: count }, (_, index) => `tenant${index}@example.com`)
  // The port of the settings is that of the server.
  await createUsers({ ...settings, PORT: '0' }, emails)
  const tenants: Tenant[] = []
  for (const email of emails) tenants.push(await createTenant(url, email, credits))
  return tenants
}

export const createTenantClient = (base: string, { api_key }: Tenant): Client =>
  createClient({ baseUrl: base, token: api_key })
