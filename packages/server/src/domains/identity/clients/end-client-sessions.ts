import type { Actor } from '../../../engine/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { publishPrincipalChange } from '../principal-changes.ts'
import { markClientSessionsRevoked } from './store.oauth-clients.ts'

/** Ends the tokens of a client, those for its organization included: at once here, a moment later in every other process. */
export async function endClientSessions(
  tx: Tx,
  { clock }: Pick<Actor, 'clock'>,
  client: string,
  { reason, except = null }: { readonly reason: string; readonly except?: string | null },
): Promise<void> {
  await markClientSessionsRevoked(tx, client, { reason, at: clock.process.now(), except })
  await publishPrincipalChange(tx, `client:${client}`)
}
