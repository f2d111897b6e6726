import type { AuditEntry } from '@swath/contract/schemas/event.ts'
import type { Call } from '../../engine/call.ts'
import { decodeNextToken, toPageWithNextToken, uuidSortKeyPattern } from '../../engine/page-token.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { toAuditEntryJson } from './entry-json.ts'
import { listAuditEntries, type AuditFilter } from './store.ts'

type FilterInput = { readonly [Name in Exclude<keyof AuditFilter, 'from' | 'until'>]?: AuditFilter[Name] } & {
  readonly from?: string | null
  readonly until?: string | null
  readonly limit: number
  readonly next?: string | null
}

const toTime = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

/** One page of the rows of an organization that match the filters of the input, newest first. */
export async function listAuditPage(
  call: Pick<Call, 'operation' | 'clocks' | 'signer' | 'principal'>,
  organization: string,
  { db, input }: { readonly db: SqlStatementRunner; readonly input: FilterInput },
): Promise<{ entries: AuditEntry[]; next?: string }> {
  const filter: AuditFilter = {
    principal_id: input.principal_id ?? null,
    operation: input.operation ?? null,
    target_type: input.target_type ?? null,
    target_id: input.target_id ?? null,
    outcome: input.outcome ?? null,
    problem: input.problem ?? null,
    from: toTime(input.from),
    until: toTime(input.until),
  }
  const before = decodeNextToken(call, input, [uuidSortKeyPattern])?.[0] ?? null
  const rows = await listAuditEntries(db, organization, { filter, before, limit: input.limit + 1 })
  const { page, next } = toPageWithNextToken(call, input, rows, ({ id }) => [id])
  return { entries: page.map(toAuditEntryJson), ...next }
}
