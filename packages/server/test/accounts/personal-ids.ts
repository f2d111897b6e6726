import { insertPasskey } from '../../src/domains/identity/passkeys/store.passkeys.ts'
import { newId } from '../../src/platform/ids.ts'
import type { ContractFixtures } from '../contract/fixtures.ts'
import type { TestApp } from '../test-app.ts'

/** The session of the owner in a test. */
export const findCurrentSession = async ({ client }: Pick<ContractFixtures, 'client'>): Promise<string> =>
  (await client.call('users.sessions.list', {})).sessions.find(({ current }) => current)!.id

/** A passkey of the owner, which no authenticator has. */
export async function storePasskey(
  app: Pick<TestApp, 'database' | 'clock'>,
  { owner }: Pick<ContractFixtures, 'owner'>,
): Promise<string> {
  const id = newId()
  const key = { credential_id: id, public_key: '', counter: 0, transports: [], is_synced: false }
  const row = { id, user_id: owner.user, ...key, name: 'Key', created_at: app.clock.now() }
  await app.database.unscoped.transaction((tx) => insertPasskey(tx, row))
  return id
}
