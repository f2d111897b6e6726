import type { Principal } from '../../engine/call.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { updateApiKeyLastUsed, type ApiKeyUse } from './store.ts'

/** Records when API keys are used and writes it later, so that no call waits for it. */
export interface ApiKeyUsage {
  record(principal: Principal): void
  /** Writes the recorded uses; uses that cannot be written are kept for the next flush. */
  flush(): Promise<void>
}

const batch_size = 1000

export function createApiKeyUsage(unscoped: DbConnection, clocks: OrganizationClocks): ApiKeyUsage {
  let pending = new Map<string, ApiKeyUse>()
  return {
    record: ({ id: key, organization }) => {
      if (organization === null) return
      pending.set(key, { organization, key, at: clocks.forOrganization(organization).now() })
    },
    flush: async () => {
      const flushed = pending
      pending = new Map()
      const uses = [...flushed.values()]
      try {
        for (let from = 0; from < uses.length; from += batch_size) {
          await updateApiKeyLastUsed(unscoped, uses.slice(from, from + batch_size))
        }
      } catch (error) {
        pending = new Map([...flushed, ...pending])
        throw error
      }
    },
  }
}
