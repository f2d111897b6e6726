import type { Principal } from '../../../engine/call.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { DbConnection, Tx } from '../../../platform/database/database.ts'
import { updatePersonalTokensLastUsed } from '../personal-tokens/store.personal-tokens.ts'
import { updateApiKeyLastUsed } from '../store.ts'

type CredentialUser = Pick<Principal, 'id' | 'organization' | 'personal_token'>

/** Records when API keys and personal access tokens are used and writes it later, so that no call waits for it. */
export interface ApiKeyUsageRecorder {
  /** The use of a key, or of a personal access token, from an address; null if somebody else presents it. */
  record(principal: CredentialUser, address: string | null): void
  /** Writes the recorded uses; uses that cannot be written remain for the next flush. */
  flush(): Promise<void>
}

/** Organizations whose keys are written in one transaction: a commit for each would cost more than its statement. */
const max_batch_organizations = 100

interface RecordedUse {
  readonly organization: string
  readonly id: string
  readonly isPersonalToken: boolean
  readonly at: Date
  readonly address: string | null
}

export function createApiKeyUsageRecorder(unscoped: DbConnection, clocks: OrganizationClocks): ApiKeyUsageRecorder {
  let pending = new Map<string, RecordedUse>()
  return {
    record: ({ id: principal, organization, personal_token }, address) => {
      if (organization === null) return
      const id = personal_token ?? principal
      const use = { organization, id, isPersonalToken: personal_token !== undefined }
      const at = clocks.forOrganization(organization).now()
      pending.set(id, { ...use, at, address: address ?? pending.get(id)?.address ?? null })
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
            for (const [organization, uses] of batch) await writeUses(tx, organization, uses)
          })
        }
      } catch (error) {
        pending = new Map([...flushed, ...pending])
        throw error
      }
    },
  }
}

async function writeUses(tx: Tx, organization: string, uses: readonly RecordedUse[]): Promise<void> {
  const ofKeys = uses.filter(({ isPersonalToken }) => !isPersonalToken)
  if (ofKeys.length > 0) await updateApiKeyLastUsed(tx, organization, ofKeys)
  const ofTokens = uses.filter(({ isPersonalToken }) => isPersonalToken)
  if (ofTokens.length > 0) await updatePersonalTokensLastUsed(tx, organization, ofTokens)
}
