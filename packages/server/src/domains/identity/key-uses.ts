import type { Principal } from '../../engine/call.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { writeKeyUses, type KeyUse } from './store.ts'

/** Notes when API keys are used and writes it later, so that no call waits for it. */
export interface KeyUses {
  note(principal: Principal): void
  /** Writes what was noted; what cannot be written is noted again. */
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
