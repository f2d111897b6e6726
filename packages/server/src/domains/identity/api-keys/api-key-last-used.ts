import type { Principal } from '../../../engine/call.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { DbConnection } from '../../../platform/database/database.ts'
import { updateApiKeyLastUsed, type ApiKeyUse } from '../store.ts'

/** Records when API keys are used and writes it later, so that no call waits for it. */
export interface ApiKeyUsageRecorder {
  record(principal: Principal): void
  /** Writes the recorded uses; uses that cannot be written remain for the next flush. */
  flush(): Promise<void>
}

/** Organizations whose keys are written in one transaction: a commit for each would cost more than its statement. */
const max_batch_organizations = 100

interface RecordedUse extends ApiKeyUse {
  readonly organization: string
}

export function createApiKeyUsageRecorder(unscoped: DbConnection, clocks: OrganizationClocks): ApiKeyUsageRecorder {
  let pending = new Map<string, RecordedUse>()
  return {
    record: ({ id: key, organization }) => {
      if (organization === null) return
      pending.set(key, { organization, key, at: clocks.forOrganization(organization).now() })
    },
    flush: async () => {
      const flushed = pending
      pending = new Map()
      // In the same order in every process, so that none waits for another in a circle.
      const organizations = [...Map.groupBy(flushed.values(), (use) => use.organization)].sort(([left], [right]) =>
        left < right ? -1 : 1,
      )
      try {
        for (let from = 0; from < organizations.length; from += max_batch_organizations) {
          const batch = organizations.slice(from, from + max_batch_organizations)
          await unscoped.transaction(async (tx) => {
            for (const [organization, uses] of batch) await updateApiKeyLastUsed(tx, organization, uses)
          })
        }
      } catch (error) {
        pending = new Map([...flushed, ...pending])
        throw error
      }
    },
  }
}
