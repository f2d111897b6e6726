import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { ProjectRole } from '@swath/contract/schemas/project.ts'
import type { TenantFixtures } from '../../../packages/server/test/contract/tenant-fixtures.ts'

/** Where the target of a case is, as its principal sees it. */
export const targets = ['none', 'own', 'other project', 'other organization', 'deleted', 'random'] as const
export type Target = (typeof targets)[number]

/** Which sets of entities a case may name. */
export interface World {
  /** The organization of most principals, with two projects, and what was deleted in a third one. */
  readonly own: TenantFixtures
  readonly otherProject: TenantFixtures
  readonly deleted: TenantFixtures
  /** Another organization. */
  readonly foreign: TenantFixtures
  /** One that an operator has suspended. */
  readonly suspended: TenantFixtures
  /** The tokens of the owners of two of them. */
  readonly bearers: { readonly own: () => Promise<string>; readonly suspended: () => Promise<string> }
}

/** How a credential is sent. */
export interface Credential {
  /** A Bearer token, which may be renewed. */
  readonly bearer?: () => Promise<string>
  /** A token in the URL of a tile. */
  readonly tileToken?: string
}

/**
 * What was declared about a principal when it was made. Nothing of it is asked of the server: it is what the pages of the platform
 * say about such a credential.
 */
export interface PrincipalFacts {
  /** False for a credential that is not accepted, and for none: 401 for all that is not public. */
  readonly isAccepted: boolean
  readonly kind: 'human' | 'api_key' | 'worker' | 'impersonation'
  /** Patterns of scopes that were granted; those that contain no asterisk were granted by name. */
  readonly scopes: readonly string[]
  /** The role in the organization, that of the issuer for a key; null in none. */
  readonly role: OrganizationRole | null
  /** Roles in the two projects. Those of owners and admins of the organization follow from `role`. */
  readonly projects: { readonly own: ProjectRole | null; readonly otherProject: ProjectRole | null }
  /** The only operations that the credential is for, such as that of a worker. */
  readonly operations?: readonly string[]
  /** The credential was handed to a program. */
  readonly isDelegated?: boolean
}

export interface MatrixPrincipal {
  readonly name: string
  readonly credential: Credential
  readonly facts: PrincipalFacts
  /** Its entities; null for somebody who has none, to whom all are those of another organization. */
  readonly own: TenantFixtures | null
  /** It belongs to no organization. */
  readonly isWithoutOrganization?: boolean
  /** An operator of the platform, who administers organizations and reads in none that has not granted it. */
  readonly isOperator?: boolean
}

/** A response, as far as it is judged. */
export interface MatrixAnswer {
  readonly status: number
  /** The name of the problem; null for no problem document. */
  readonly problem: string | null
  /** One header a line. */
  readonly headers: string
  readonly body: string
}
