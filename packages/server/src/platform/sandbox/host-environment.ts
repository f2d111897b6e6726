import type { OrganizationClock } from '../clock.ts'
import type { SqlStatementRunner } from '../database/database.ts'
import { isSandboxId } from '../ids.ts'
import type { TaskingHostEnvironment } from '../integrations/tasking-host.ts'
import { findSandbox } from './store.sandboxes.ts'

/** The seed of simulated hosts for all real organizations. */
const liveSeed = 'live'

/** The world in which hosts see the tasks of an organization: that of a sandbox alone, or the one that all others share. */
export async function readTaskingHostEnvironment(
  db: SqlStatementRunner,
  clock: OrganizationClock,
): Promise<TaskingHostEnvironment> {
  const { organization } = clock
  if (!isSandboxId(organization)) return { id: 'live', now: clock.now(), seed: liveSeed }
  const sandbox = await findSandbox(db, organization)
  if (!sandbox) throw new Error(`the sandbox organization ${organization} does not exist`)
  return { id: organization, now: sandbox.now, seed: sandbox.seed }
}
