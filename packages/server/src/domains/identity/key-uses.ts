import type { Principal } from '../../engine/call.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { writeKeyUses, type KeyUse } from './store.ts'

/** Records when API keys are used and writes it later, so that no call waits for it. */
export interface KeyUses {
  note(principal: Principal): void
  /** Writes the recorded uses; uses that cannot be written are kept for the next flush. */
  flush(): Promise<void>
}

const batch = 1000

export function noteKeyUses(across: Db, clocks: OrganizationClocks): KeyUses {
  let noted = new Map<string, KeyUse>()
  return {
    note: ({ id: key, organization }) => {
      if (organization === null) return
      noted.set(key, { organization, key, at: clocks.of(organization).now() })
    },
    flush: async () => {
      const writing = noted
      noted = new Map()
      const uses = [...writing.values()]
      try {
        for (let from = 0; from < uses.length; from += batch) {
          await writeKeyUses(across, uses.slice(from, from + batch))
        }
      } catch (error) {
        noted = new Map([...writing, ...noted])
        throw error
      }
    },
  }
}
