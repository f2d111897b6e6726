import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import type { ServerProcess } from '../server-process.ts'

/** The operator of the server. */
export const login = { username: 'admin@example.com', password: 'crash proof password' }

/** The environment of a server with its own embedded database. */
export const serverSettings = (folder: string): Record<string, string> => ({
  SWATH_DATA_DIR: folder,
  PORT: '0',
  SWATH_ADMIN_EMAIL: login.username,
  SWATH_ADMIN_PASSWORD: login.password,
  DATABASE_URL: '',
})

export const clientOf = (server: ServerProcess): Client =>
  createClient({ baseUrl: server.url, token: createTokenSource(server.url, login) })

/** Grants more credits than the proof can spend. */
export async function grantCredits(client: Client): Promise<void> {
  const me = await client.call<{ organization: { id: string } }>('users.me')
  await client.call('admin.orgs.credit_adjust', {
    organization_id: me.organization.id,
    amount_credits: 100_000_000,
    reason: 'crash proof',
  })
}
