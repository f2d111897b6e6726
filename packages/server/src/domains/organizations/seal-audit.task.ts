import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { defineTask } from '../../engine/task.ts'
import { platformOrganizationId } from '../audit-trail/entry.ts'
import { sealAuditEntries } from '../audit-trail/seal.ts'
import { listEveryOrganizationId } from './all-organizations.ts'

/** A row is sealed once its call has certainly ended; a call that takes longer gets a second row if it ends otherwise. */
const sealed_after_ms = 60_000

/**
 * Appends young rows of the audit trail to the chains of their organizations, sandboxes included: the trail is about real
 * time. It is in this module because it lists all organizations.
 */
export const sealAuditTask = defineTask(
  backgroundTaskTypes.sealAudit,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 600 },
  async ({ database, clock, signal }) => {
    const before = new Date(clock.process.now().getTime() - sealed_after_ms)
    const organizations = await listEveryOrganizationId(database.unscoped, { sandboxes: true })
    for (const organization of [platformOrganizationId, ...organizations]) {
      signal.throwIfAborted()
      await sealAuditEntries(database.forOrganization(organization), organization, { before, signal })
    }
  },
)
