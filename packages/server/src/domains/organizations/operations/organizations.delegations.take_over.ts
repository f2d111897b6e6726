import { organizationsDelegationsTakeOverOperation } from '@swath/contract/operations/organizations.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { replaceApiKeySecret } from '../../api_keys/issue-key.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { replaceWorkerTokenSecret } from '../../identity/workers/worker-tokens.ts'
import { takeOverClient } from '../../oauth_clients/change-client.ts'
import { readDelegationTimes, toDelegation } from '../delegations.ts'
import { requireAuthorityOver } from '../membership.ts'
import { findDelegation, updateDelegationCreator, type DelegationRow } from '../store.delegations.ts'

export const handler = defineHandler(
  organizationsDelegationsTakeOverOperation,
  async (call, { kind, delegation_id: id }) => {
    const { organization } = call
    const key = { organization, kind, id, ...readDelegationTimes(call.clock) }
    const requireStopped = (row: DelegationRow | null): DelegationRow => {
      if (!row) throw new Problem('not-found', `The organization has no ${kind} with the id "${id}" that could act.`)
      if (row.stop_reason === null) throw new Problem('invalid-state', 'It still acts for the user who created it.')
      return row
    }
    await requireAuthorityOver(call, requireStopped(await findDelegation(call.db, key)).user_id)
    // Unscoped, because every process must be notified of a credential.
    return call.unscoped.transaction(async (tx) => {
      const found = requireStopped(await findDelegation(tx, key))
      await updateDelegationCreator(tx, { ...key, user: call.principal.id })
      const secret = await replaceSecret(tx, call, found)
      return { delegation: toDelegation((await findDelegation(tx, key)) ?? found), secret }
    })
  },
)

/**
 * Replaces the secret of what can write or spend, because who is gone may still have it; null for all else, whose URLs and
 * signatures others rely on. Tokens in caches are verified again.
 */
async function replaceSecret(
  tx: Tx,
  call: Call,
  { kind, id }: Pick<DelegationRow, 'kind' | 'id'>,
): Promise<string | null> {
  if (kind === 'api_key') return (await takeOverClient(tx, call, id)) ?? replaceApiKeySecret(tx, call, id)
  if (kind === 'worker_token') return replaceWorkerTokenSecret(tx, call.organization, id)
  if (kind === 'tile_token') await publishPrincipalChange(tx, `tile:${id}`)
  return null
}
