import { usePrincipal } from '../../api/use-principal.ts'

/** The roles of an organization, the highest first. */
export const memberRoles = ['owner', 'admin', 'billing', 'member'] as const

export type MemberRole = (typeof memberRoles)[number]

export interface Authority {
  /** The id of this person; null while it is unknown. */
  readonly user: string | null
  readonly role: MemberRole | null
  /** True for owners and admins. */
  readonly mayAdminister: boolean
  /** The roles that this person may give: none is higher than their own. */
  readonly roles: readonly MemberRole[]
}

/** What this person may do with members; the server decides, and this hides what it would refuse. */
export function useAuthority(): Authority {
  const me = usePrincipal().data
  const role = me?.organization?.role ?? null
  const mayAdminister = role === 'owner' || role === 'admin'
  return {
    user: me?.user?.id ?? null,
    role,
    mayAdminister,
    roles: mayAdminister ? memberRoles.slice(memberRoles.indexOf(role)) : [],
  }
}
