import { organizationsDelegationsTakeOverOperation } from '@swath/contract/operations/organizations.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { toDelegation } from '../delegations.ts'
import { findDelegation, updateDelegationCreator, type DelegationRow } from '../store.delegations.ts'

export const handler = defineHandler(
  organizationsDelegationsTakeOverOperation,
  async (call, { kind, delegation_id: id }) => {
    const { organization } = call
    const now = call.clock.now()
    const key = { organization, kind, id, now }
    // Unscoped, because every process must be notified of a credential.
    const row = await call.unscoped.transaction(async (tx) => {
      const found = await findDelegation(tx, key)
      if (!found) throw new Problem('not-found', `The organization has no ${kind} with the id "${id}" that could act.`)
      if (found.stop_reason === null) throw new Problem('invalid-state', 'It still acts for the user who created it.')
      await updateDelegationCreator(tx, { ...key, user: call.principal.id })
      await publishCredentialChange(tx, found)
      return (await findDelegation(tx, key)) ?? found
    })
    return { delegation: toDelegation(row) }
  },
)

/** Tokens in caches are verified again. */
async function publishCredentialChange(
  tx: Parameters<typeof publishPrincipalChange>[0],
  { kind, id }: Pick<DelegationRow, 'kind' | 'id'>,
): Promise<void> {
  if (kind === 'api_key') await publishPrincipalChange(tx, `key:${id}`)
  if (kind === 'tile_token') await publishPrincipalChange(tx, `tile:${id}`)
}
