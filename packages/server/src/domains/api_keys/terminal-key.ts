import type { Actor } from '../../engine/actor.ts'
import { platformPrincipal } from '../../engine/task-definition.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'
import { parseApiKey } from '../../platform/crypto/secrets.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { QueueProducer } from '../../platform/queue/queue.ts'
import { toApiKeyPrincipal } from '../identity/principals.ts'
import { findApiKeyAuthByHash } from '../identity/store.ts'
import { findOldestAdministrator } from '../users/store.ts'
import { issueApiKey, revokeApiKey } from './issue-key.ts'
import { listActiveApiKeyIds } from './store.ts'

export interface TerminalApiKeyDependencies {
  /** Unscoped: the administrator is looked up first. */
  readonly unscoped: DbConnection
  readonly clock: OrganizationClocks
  readonly queue: QueueProducer
}

/** The key of tools on the machine of the server. */
const terminalKey = {
  name: 'Terminal',
  permissions: ['can_read', 'can_write', 'can_process'],
  rate_limit: null,
  spend_cap_credits: null,
  expires_at: null,
} as const

/**
 * Replaces the terminal's key of the first administrator and returns the secret of the new one; null if no administrator is
 * active.
 */
export async function renewTerminalApiKey(dependencies: TerminalApiKeyDependencies): Promise<string | null> {
  const { unscoped, clock, queue } = dependencies
  const administrator = await findOldestAdministrator(unscoped)
  if (!administrator) return null
  const { id: created_by, organization_id } = administrator
  const actor: Actor = {
    organization: organization_id,
    principal: platformPrincipal,
    clock: clock.forOrganization(organization_id),
    queue,
    operation: 'terminal-key',
    requestId: newId(),
  }
  return unscoped.transaction(async (tx) => {
    const former = await listActiveApiKeyIds(tx, organization_id, { name: terminalKey.name, created_by })
    for (const key of former) await revokeApiKey(tx, actor, key)
    const { secret } = await issueApiKey(tx, { ...terminalKey, organization_id, created_by }, actor.clock.now())
    return secret
  })
}

/** True if the secret is that of a key that may act: it was neither revoked nor has expired. */
export async function isApiKeyActive(
  { unscoped, clock }: Pick<TerminalApiKeyDependencies, 'unscoped' | 'clock'>,
  secret: string,
): Promise<boolean> {
  const parsed = parseApiKey(secret)
  const key = parsed && (await findApiKeyAuthByHash(unscoped, parsed))
  return key !== null && toApiKeyPrincipal(key, clock) !== null
}
