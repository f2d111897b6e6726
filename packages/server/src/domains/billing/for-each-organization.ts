import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { toActorInOrganization } from '../organizations/all-organizations.ts'
import type { DocumentIssuer } from '../invoicing/documents/issue-document.ts'

export interface OrganizationBatchOutcome<T> {
  readonly results: readonly T[]
  readonly failures: readonly { readonly organization_id: string; readonly error: string }[]
}

/** Runs `work` for each organization, which makes its own transaction; a failure does not stop the others. */
export async function forEachOrganization<T>(
  call: Call,
  organizations: readonly string[],
  work: (actor: DocumentIssuer) => Promise<T>,
): Promise<OrganizationBatchOutcome<T>> {
  const results: T[] = []
  const failures: { organization_id: string; error: string }[] = []
  for (const organization_id of organizations) {
    call.signal.throwIfAborted()
    try {
      results.push(await work(await toActorInOrganization(call, organization_id)))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      failures.push({
        organization_id,
        error: error instanceof Problem ? error.message : 'An internal error occurred.',
      })
      call.log.set({ [`failure_${organization_id}`]: error.message })
    }
  }
  return { results, failures }
}
