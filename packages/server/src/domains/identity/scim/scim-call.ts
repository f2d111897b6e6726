import type { Actor } from '../../../engine/actor.ts'
import type { OrganizationClocks } from '../../../platform/clock.ts'
import type { DbConnection } from '../../../platform/database/database.ts'
import { ScimProblem } from './scim-problem.ts'
import { formatVersion } from './scim-resources.ts'

/** A request of a directory, whose token was verified. */
export interface ScimCall {
  readonly organization: string
  /** Unscoped: people are users of the platform, who belong to no organization. Every statement names the organization. */
  readonly unscoped: DbConnection
  readonly clocks: OrganizationClocks
  /** The token of the directory, as events and the audit trail name who acts. */
  readonly actor: Actor
  /** The URL of SCIM. */
  readonly baseUrl: string
  /** The IP address of the client. */
  readonly address: string
  /** The header `If-Match`; null without one. */
  readonly ifMatch: string | null
}

/** Throws 412 if the client has another version than the current one. */
export function requireVersion({ ifMatch }: ScimCall, version: number): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(formatVersion(version).replace(/^W\//, '')))
    throw new ScimProblem(412, 'The resource has changed since it was read.')
}
