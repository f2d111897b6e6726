import { hour_ms } from '@swath/geo/time-units.ts'
import { organizationsDomainsVerifyOperation } from '@swath/contract/operations/organizations.domains.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import {
  createUnknownDomainProblem,
  findDomainProblem,
  parseDomain,
  recordDomainCheck,
  toOrganizationDomain,
} from '../federation/domains.ts'
import { findDomain } from '../federation/store.domains.ts'

/** Looks for records that the members of an organization may start. */
const lookups = { name: 'domain-lookups', max: 120, window_ms: hour_ms }

export const handler = defineHandler(organizationsDomainsVerifyOperation, async (call, input) => {
  const domain = parseDomain(input.domain)
  const row = await findDomain(call.db, call.organization, domain)
  if (!row) throw createUnknownDomainProblem(domain)
  const unit = await call.rateLimiter.take(lookups, call.organization)
  if (unit.refused)
    throw new Problem('rate-limited', 'The organization has looked for records often enough this hour.', {
      retry_after_s: unit.reset_s,
    })
  const problem = await findDomainProblem(call.integrations.textRecords, row)
  const checked = await call.unscoped.transaction((tx) => recordDomainCheck(tx, call, row, problem))
  return { domain: toOrganizationDomain(checked) }
})
