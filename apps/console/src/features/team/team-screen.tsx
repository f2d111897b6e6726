import type { ReactNode } from 'react'
import { usePrincipal } from '../../api/use-principal.ts'
import { teamTexts } from '../../texts/team.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/team', label: teamTexts.members, isForAdmins: true },
  { to: '/team/invitations', label: teamTexts.invitations, isForAdmins: true },
  { to: '/team/security', label: teamTexts.security, isForAdmins: true },
  { to: '/team/organization', label: teamTexts.organization },
] as const

/** A part of the place of the organization; those of owners and admins are shown to all while the role is unknown. */
export function TeamScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const role = usePrincipal().data?.organization?.role ?? null
  const isAdmin = role === null || role === 'owner' || role === 'admin'
  const shown = tabs.filter((tab) => isAdmin || !('isForAdmins' in tab))
  return (
    <Screen title={teamTexts.title} actions={actions} toolbar={<TabLinks label={teamTexts.tabs} tabs={shown} />}>
      {children}
    </Screen>
  )
}
